-- One file per installation, beside the minds: what must survive the restore of any of them.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE workspaces (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('personal','workspace','team','enterprise')),
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE outbound_ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  call_uuid TEXT NOT NULL,
  at TEXT NOT NULL,
  feature TEXT NOT NULL,
  method TEXT NOT NULL,
  host TEXT NOT NULL,
  path TEXT NOT NULL,
  bytes_out INTEGER NOT NULL DEFAULT 0,
  bytes_in INTEGER,
  status INTEGER,
  finished_at TEXT
);
CREATE INDEX outbound_ledger_at ON outbound_ledger (at);
CREATE TABLE approvals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  client TEXT NOT NULL,
  from_workspace TEXT,
  workspace TEXT NOT NULL,
  query TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  asked_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  outcome TEXT CHECK (outcome IN ('once','session','permanent','denied','expired','declined_by_app')),
  decided_at TEXT,
  channel TEXT
);
CREATE TABLE grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  approval_id INTEGER REFERENCES approvals(id),
  client TEXT NOT NULL,
  from_workspace TEXT,
  workspace TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('session','permanent','deny')),
  session_id TEXT,
  granted_at TEXT NOT NULL,
  review_at TEXT,
  last_used_at TEXT,
  revoked_at TEXT
);
CREATE TABLE erasure_ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  mind_uuid TEXT NOT NULL,
  entry_uuid TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  targets TEXT NOT NULL,
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending','erased'))
);
