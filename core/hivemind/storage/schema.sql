-- Schema v1 of a mind, whole, readable from top to bottom.
-- Seed tables and columns come first and unchanged (their datetime('now') became the millisecond form);
-- ours stand beside or after them. Equal to all migrations by a test. The vec0 table is in schema_vec.sql.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Layer 0: identity (one row about the user) ------------------------------------------------------------
CREATE TABLE identity (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL,
  role TEXT NOT NULL DEFAULT '',
  department TEXT NOT NULL DEFAULT '',
  personality TEXT NOT NULL DEFAULT '',
  capabilities TEXT NOT NULL DEFAULT '',
  system_prompt TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now'))
);

-- Layer 1: awareness (at most ten active items) ----------------------------------------------------------
CREATE TABLE awareness (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  category TEXT NOT NULL CHECK (category IN ('task','action','pending','flag')),
  content TEXT NOT NULL,
  priority INTEGER NOT NULL DEFAULT 0,
  metadata TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  expires_at TEXT
);

-- Sessions: one row per GOP ------------------------------------------------------------------------------
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  gop_id TEXT NOT NULL UNIQUE,
  project_id TEXT,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active','closed','archived')),
  started_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  ended_at TEXT,
  summary TEXT,
  -- ours
  kind TEXT NOT NULL DEFAULT 'notes' CHECK (kind IN ('conversation','document','notes','agent')),
  title TEXT NOT NULL DEFAULT '',
  source TEXT,
  item_id TEXT,
  agent_id TEXT
);
CREATE UNIQUE INDEX sessions_item ON sessions (source, item_id) WHERE item_id IS NOT NULL;
CREATE INDEX sessions_project ON sessions (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX sessions_started ON sessions (started_at);

CREATE TABLE speakers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('person','role'))
);

-- Layer 2: frames ----------------------------------------------------------------------------------------
CREATE TABLE memory_frames (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  frame_type TEXT NOT NULL CHECK (frame_type IN ('I','P','B')),
  gop_id TEXT NOT NULL,
  t INTEGER NOT NULL DEFAULT 0,
  base_frame_id INTEGER REFERENCES memory_frames(id),
  content TEXT NOT NULL,
  importance TEXT NOT NULL DEFAULT 'normal'
    CHECK (importance IN ('critical','important','normal','temporary','deprecated')),
  source TEXT NOT NULL DEFAULT 'user_stated'
    CHECK (source IN ('user_stated','tool_verified','agent_inferred','import','system')),
  access_count INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  last_accessed TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  -- ours
  uuid TEXT NOT NULL,
  event_at TEXT,
  recorded_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  event_at_original TEXT,
  origin TEXT NOT NULL DEFAULT 'save' CHECK (origin IN ('save','import','system','summary')),
  patch_kind TEXT CHECK (patch_kind IN ('add','amend','retract')),
  patch_target_id INTEGER REFERENCES memory_frames(id),
  superseded_by INTEGER REFERENCES memory_frames(id),
  importance_before TEXT,
  pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0,1)),
  trashed_at TEXT,
  quarantine TEXT,
  content_hash BLOB NOT NULL CHECK (length(content_hash) = 16),
  norm_hash BLOB NOT NULL CHECK (length(norm_hash) = 8),
  client TEXT,
  author TEXT,
  agent_id TEXT,
  speaker_id INTEGER REFERENCES speakers(id),
  role TEXT,
  position INTEGER,
  part INTEGER NOT NULL DEFAULT 0,
  branch INTEGER NOT NULL DEFAULT 0,
  captions TEXT,
  lang TEXT,
  indexed_version INTEGER NOT NULL DEFAULT 1,
  flags INTEGER NOT NULL DEFAULT 0,
  FOREIGN KEY (gop_id) REFERENCES sessions(gop_id)
);
CREATE UNIQUE INDEX memory_frames_uuid ON memory_frames (uuid);
CREATE UNIQUE INDEX memory_frames_t ON memory_frames (gop_id, t);
CREATE INDEX memory_frames_reading ON memory_frames (gop_id, branch, position, part);
CREATE INDEX memory_frames_base ON memory_frames (base_frame_id) WHERE base_frame_id IS NOT NULL;
CREATE INDEX memory_frames_target ON memory_frames (patch_target_id) WHERE patch_target_id IS NOT NULL;
CREATE INDEX memory_frames_superseded ON memory_frames (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_frames_content_hash ON memory_frames (content_hash);
CREATE INDEX memory_frames_norm_hash ON memory_frames (norm_hash);
CREATE INDEX memory_frames_event ON memory_frames (event_at);
CREATE INDEX memory_frames_trashed ON memory_frames (trashed_at) WHERE trashed_at IS NOT NULL;

-- What recall and lists see: not a link, not amended, not retracted, not in the trash.
CREATE VIEW current_frames AS
  SELECT * FROM memory_frames
  WHERE frame_type <> 'B' AND superseded_by IS NULL AND trashed_at IS NULL
    AND (patch_kind IS NULL OR patch_kind <> 'retract');

-- An FK cannot say "an I of the same GOP": these can.
CREATE TRIGGER memory_frames_shape_insert BEFORE INSERT ON memory_frames BEGIN
  SELECT RAISE(ABORT, 'an I-frame has no base and is no patch')
    WHERE NEW.frame_type = 'I' AND (NEW.base_frame_id IS NOT NULL OR NEW.patch_kind IS NOT NULL);
  SELECT RAISE(ABORT, 'a P-frame needs a kind and an I-frame of its own GOP as base')
    WHERE NEW.frame_type = 'P' AND (NEW.patch_kind IS NULL OR NOT EXISTS (
      SELECT 1 FROM memory_frames WHERE id = NEW.base_frame_id AND frame_type = 'I' AND gop_id = NEW.gop_id));
  SELECT RAISE(ABORT, 'a patch changes an I-frame or an added P-frame of its own GOP')
    WHERE NEW.patch_kind IN ('amend','retract') AND NOT EXISTS (
      SELECT 1 FROM memory_frames WHERE id = NEW.patch_target_id AND gop_id = NEW.gop_id
        AND (frame_type = 'I' OR (frame_type = 'P' AND patch_kind = 'add')));
  SELECT RAISE(ABORT, 'an added frame has no target')
    WHERE NEW.patch_kind = 'add' AND NEW.patch_target_id IS NOT NULL;
  SELECT RAISE(ABORT, 'a B-frame is no patch and stands on an I-frame of its GOP')
    WHERE NEW.frame_type = 'B' AND (NEW.patch_kind IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM memory_frames WHERE id = NEW.base_frame_id AND frame_type = 'I' AND gop_id = NEW.gop_id));
END;
CREATE TRIGGER memory_frames_shape_update BEFORE UPDATE OF frame_type, base_frame_id, patch_kind, patch_target_id, gop_id
ON memory_frames BEGIN
  SELECT RAISE(ABORT, 'an I-frame has no base and is no patch')
    WHERE NEW.frame_type = 'I' AND (NEW.base_frame_id IS NOT NULL OR NEW.patch_kind IS NOT NULL);
  SELECT RAISE(ABORT, 'a P-frame needs a kind and an I-frame of its own GOP as base')
    WHERE NEW.frame_type = 'P' AND (NEW.patch_kind IS NULL OR NOT EXISTS (
      SELECT 1 FROM memory_frames WHERE id = NEW.base_frame_id AND frame_type = 'I' AND gop_id = NEW.gop_id));
  SELECT RAISE(ABORT, 'a patch changes an I-frame or an added P-frame of its own GOP')
    WHERE NEW.patch_kind IN ('amend','retract') AND NOT EXISTS (
      SELECT 1 FROM memory_frames WHERE id = NEW.patch_target_id AND gop_id = NEW.gop_id
        AND (frame_type = 'I' OR (frame_type = 'P' AND patch_kind = 'add')));
  SELECT RAISE(ABORT, 'an added frame has no target')
    WHERE NEW.patch_kind = 'add' AND NEW.patch_target_id IS NOT NULL;
  SELECT RAISE(ABORT, 'a B-frame is no patch and stands on an I-frame of its GOP')
    WHERE NEW.frame_type = 'B' AND (NEW.patch_kind IS NOT NULL OR NOT EXISTS (
      SELECT 1 FROM memory_frames WHERE id = NEW.base_frame_id AND frame_type = 'I' AND gop_id = NEW.gop_id));
END;
CREATE TRIGGER memory_frames_t_grows BEFORE INSERT ON memory_frames BEGIN
  SELECT RAISE(ABORT, 't only grows within a GOP')
    WHERE EXISTS (SELECT 1 FROM memory_frames WHERE gop_id = NEW.gop_id AND t >= NEW.t);
END;

-- Layer 2a: words. The table keeps its own text, so a speaker's name and captions are searchable too.
CREATE VIRTUAL TABLE memory_frames_fts USING fts5(content, content_rowid='id', tokenize='porter unicode61');
INSERT INTO memory_frames_fts(memory_frames_fts, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER memory_frames_fts_insert AFTER INSERT ON memory_frames
WHEN NEW.frame_type <> 'B' AND coalesce(NEW.patch_kind, '') <> 'retract' BEGIN
  INSERT INTO memory_frames_fts (rowid, content) VALUES (NEW.id,
    coalesce((SELECT name FROM speakers WHERE id = NEW.speaker_id) || ': ', '') || NEW.content
    || coalesce(' [' || NEW.captions || ']', ''));
END;
CREATE TRIGGER memory_frames_fts_update AFTER UPDATE OF content, speaker_id, captions ON memory_frames
WHEN NEW.frame_type <> 'B' AND coalesce(NEW.patch_kind, '') <> 'retract' BEGIN
  UPDATE memory_frames_fts SET content =
    coalesce((SELECT name FROM speakers WHERE id = NEW.speaker_id) || ': ', '') || NEW.content
    || coalesce(' [' || NEW.captions || ']', '')
  WHERE rowid = NEW.id;
END;
CREATE TRIGGER memory_frames_fts_delete AFTER DELETE ON memory_frames
WHEN OLD.frame_type <> 'B' AND coalesce(OLD.patch_kind, '') <> 'retract' BEGIN
  DELETE FROM memory_frames_fts WHERE rowid = OLD.id;
END;

-- Scripts without spaces between words. Only frames that hold such text have a row; bigrams are padded with a
-- space ("用户 户身 "), so that a two-character word is a trigram of its own. Written by FrameStore.
CREATE VIRTUAL TABLE memory_frames_cjk USING fts5(content, bigrams, tokenize='trigram');
INSERT INTO memory_frames_cjk(memory_frames_cjk, rank) VALUES ('secure-delete', 1);

-- Layer 2b beside the vec0 table: sign bits and token vectors.
CREATE TABLE models (
  model_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  revision TEXT NOT NULL DEFAULT '',
  sha TEXT NOT NULL DEFAULT '',
  dim INTEGER NOT NULL,
  token_dim INTEGER NOT NULL DEFAULT 0,
  token_bits INTEGER NOT NULL DEFAULT 0,
  piece_bytes INTEGER NOT NULL DEFAULT 0,
  basis_sha TEXT NOT NULL DEFAULT '',
  text_version INTEGER NOT NULL DEFAULT 1,
  docs INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'building' CHECK (state IN ('building','serving','retired'))
);
CREATE TABLE memory_frames_bits (
  frame_id INTEGER NOT NULL REFERENCES memory_frames(id) ON DELETE CASCADE,
  model_id INTEGER NOT NULL REFERENCES models(model_id),
  bits BLOB NOT NULL,
  PRIMARY KEY (frame_id, model_id)
) WITHOUT ROWID;
CREATE TABLE frame_tokens (
  frame_id INTEGER NOT NULL REFERENCES memory_frames(id) ON DELETE CASCADE,
  model_id INTEGER NOT NULL REFERENCES models(model_id),
  n INTEGER NOT NULL,
  pieces BLOB NOT NULL,
  t BLOB NOT NULL,
  PRIMARY KEY (frame_id, model_id)
);
CREATE TABLE piece_df (
  model_id INTEGER NOT NULL REFERENCES models(model_id),
  piece INTEGER NOT NULL,
  df INTEGER NOT NULL,
  PRIMARY KEY (model_id, piece)
) WITHOUT ROWID;

-- The archive: what was really said, verbatim ------------------------------------------------------------
CREATE TABLE archive_blocks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL REFERENCES sessions(gop_id),
  bytes BLOB NOT NULL
);
CREATE INDEX archive_blocks_session ON archive_blocks (session);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL REFERENCES sessions(gop_id),
  ext_id TEXT NOT NULL,
  parent_ext_id TEXT,
  occurrence INTEGER NOT NULL DEFAULT 0,
  speaker INTEGER REFERENCES speakers(id),
  time TEXT,
  hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0,1)),
  block_id INTEGER REFERENCES archive_blocks(id),
  offset INTEGER NOT NULL DEFAULT 0,
  length INTEGER NOT NULL DEFAULT 0,
  role TEXT NOT NULL DEFAULT 'user',
  kind TEXT NOT NULL DEFAULT 'speech',
  branch INTEGER NOT NULL DEFAULT 0,
  position INTEGER NOT NULL DEFAULT 0,
  hash BLOB NOT NULL,
  attachments TEXT NOT NULL DEFAULT '[]',
  UNIQUE (session, ext_id, occurrence)
);
CREATE INDEX messages_reading ON messages (session, branch, position);
CREATE INDEX messages_block ON messages (block_id);
CREATE TABLE frame_messages (
  frame_id INTEGER NOT NULL REFERENCES memory_frames(id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  "start" INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  PRIMARY KEY (frame_id, message_id)
) WITHOUT ROWID;
CREATE INDEX frame_messages_message ON frame_messages (message_id);
CREATE TABLE frame_refs (
  frame_id INTEGER NOT NULL REFERENCES memory_frames(id) ON DELETE CASCADE,
  ref_frame_id INTEGER NOT NULL REFERENCES memory_frames(id),
  kind TEXT NOT NULL CHECK (kind IN ('link','alternative','contradiction')),
  PRIMARY KEY (frame_id, ref_frame_id)
) WITHOUT ROWID;
CREATE INDEX frame_refs_ref ON frame_refs (ref_frame_id);
CREATE TABLE frame_feed (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  frame_id INTEGER NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('text','vector','visibility','delete'))
);
CREATE TABLE accesses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  frame_id INTEGER NOT NULL REFERENCES memory_frames(id) ON DELETE CASCADE,
  at TEXT NOT NULL,
  kind TEXT NOT NULL,
  client TEXT,
  query_id TEXT
);
CREATE INDEX accesses_frame ON accesses (frame_id);
CREATE UNIQUE INDEX accesses_once ON accesses (query_id, frame_id) WHERE query_id IS NOT NULL;

-- Layer 3: knowledge graph, two times ---------------------------------------------------------------------
CREATE TABLE knowledge_entities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  entity_type TEXT NOT NULL,
  name TEXT NOT NULL,
  properties TEXT NOT NULL DEFAULT '{}',
  valid_from TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  valid_to TEXT,
  recorded_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  -- ours
  superseded_at TEXT,
  uuid TEXT
);
CREATE INDEX knowledge_entities_name ON knowledge_entities (name);
CREATE TABLE knowledge_relations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id INTEGER NOT NULL REFERENCES knowledge_entities(id),
  target_id INTEGER NOT NULL REFERENCES knowledge_entities(id),
  relation_type TEXT NOT NULL,
  confidence REAL NOT NULL DEFAULT 1.0,
  properties TEXT NOT NULL DEFAULT '{}',
  valid_from TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  valid_to TEXT,
  recorded_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  -- ours
  superseded_at TEXT
);
CREATE INDEX knowledge_relations_source ON knowledge_relations (source_id);
CREATE INDEX knowledge_relations_target ON knowledge_relations (target_id);
CREATE TABLE entity_mentions (
  entity_id INTEGER NOT NULL REFERENCES knowledge_entities(id) ON DELETE CASCADE,
  frame_id INTEGER NOT NULL REFERENCES memory_frames(id) ON DELETE CASCADE,
  "start" INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  PRIMARY KEY (entity_id, frame_id, "start")
) WITHOUT ROWID;
CREATE INDEX entity_mentions_frame ON entity_mentions (frame_id);
CREATE TABLE entity_stats (
  entity_id INTEGER PRIMARY KEY REFERENCES knowledge_entities(id) ON DELETE CASCADE,
  seen INTEGER NOT NULL DEFAULT 0,
  first_at TEXT,
  last_at TEXT
);

-- Layers 4 to 6 and 8 --------------------------------------------------------------------------------------
CREATE TABLE procedures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  model TEXT NOT NULL DEFAULT '',
  template TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  success_rate REAL NOT NULL DEFAULT 0,
  avg_cost REAL NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  UNIQUE (name, version)
);
CREATE TABLE improvement_signals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  category TEXT NOT NULL
    CHECK (category IN ('capability_gap','correction','workflow_pattern','skill_promotion')),
  pattern_key TEXT NOT NULL,
  detail TEXT NOT NULL DEFAULT '',
  count INTEGER NOT NULL DEFAULT 1,
  first_seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  last_seen TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  surfaced INTEGER NOT NULL DEFAULT 0,
  surfaced_at TEXT,
  metadata TEXT NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX improvement_signals_pattern ON improvement_signals (category, pattern_key);
CREATE TABLE install_audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  timestamp TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  capability_name TEXT NOT NULL,
  capability_type TEXT NOT NULL CHECK (capability_type IN ('native','skill','plugin','mcp')),
  source TEXT NOT NULL DEFAULT '',
  risk TEXT NOT NULL DEFAULT '',
  trust_source TEXT NOT NULL DEFAULT '',
  approval_class TEXT NOT NULL DEFAULT '',
  action TEXT NOT NULL,
  initiator TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT ''
);
CREATE TABLE harvest_sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source_type TEXT NOT NULL UNIQUE,
  display_name TEXT NOT NULL DEFAULT '',
  source_path TEXT,
  last_synced_at TEXT,
  items_imported INTEGER NOT NULL DEFAULT 0,
  frames_created INTEGER NOT NULL DEFAULT 0,
  auto_sync INTEGER NOT NULL DEFAULT 0,
  sync_interval_hours INTEGER NOT NULL DEFAULT 24,
  last_content_hash TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now'))
);

-- Layer 7: the interaction log, append-only ----------------------------------------------------------------
CREATE TABLE ai_interactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  timestamp TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  workspace_id TEXT,
  session_id TEXT,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  cost_usd REAL NOT NULL DEFAULT 0,
  tools_called TEXT NOT NULL DEFAULT '[]',
  human_action TEXT CHECK (human_action IN ('approved','denied','modified','none')),
  risk_context TEXT,
  imported_from TEXT,
  persona TEXT,
  input_text TEXT,
  output_text TEXT
);
CREATE TRIGGER ai_interactions_no_delete
BEFORE DELETE ON ai_interactions BEGIN
SELECT RAISE(ABORT,
'ai_interactions is append-only (EU AI Act Art. 12 audit log)');
END;
CREATE TRIGGER ai_interactions_no_update
BEFORE UPDATE ON ai_interactions BEGIN
SELECT RAISE(ABORT,
'ai_interactions is append-only (EU AI Act Art. 12 audit log)');
END;
-- REPLACE fires no delete trigger on a connection without recursive_triggers: close that door here as well.
CREATE TRIGGER ai_interactions_no_replace BEFORE INSERT ON ai_interactions
WHEN NEW.id IS NOT NULL AND EXISTS (SELECT 1 FROM ai_interactions WHERE id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'ai_interactions is append-only (replace)');
END;
CREATE TRIGGER ai_interactions_monotone AFTER INSERT ON ai_interactions
WHEN NEW.id < 1 OR NEW.id <> (SELECT max(id) FROM ai_interactions) BEGIN
  SELECT RAISE(ABORT, 'ai_interactions ids only grow');
END;

CREATE TABLE ai_log_chain (
  seq INTEGER PRIMARY KEY,
  interaction_id INTEGER NOT NULL UNIQUE REFERENCES ai_interactions(id),
  entry_uuid TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  mono_ns INTEGER NOT NULL,
  app_version TEXT NOT NULL,
  detail_json TEXT NOT NULL,
  commits_json TEXT NOT NULL,
  alg TEXT NOT NULL,
  prev_hash BLOB NOT NULL CHECK (length(prev_hash) = 32),
  row_hash BLOB NOT NULL UNIQUE CHECK (length(row_hash) = 32)
) STRICT;
CREATE INDEX ai_log_chain_call ON ai_log_chain (json_extract(detail_json, '$.call_uuid'));
CREATE INDEX ai_log_chain_state ON ai_log_chain (json_extract(detail_json, '$.state'));
CREATE TRIGGER ai_log_chain_no_delete BEFORE DELETE ON ai_log_chain BEGIN
  SELECT RAISE(ABORT, 'ai_log_chain is append-only');
END;
CREATE TRIGGER ai_log_chain_no_update BEFORE UPDATE ON ai_log_chain BEGIN
  SELECT RAISE(ABORT, 'ai_log_chain is append-only');
END;
CREATE TRIGGER ai_log_chain_no_replace BEFORE INSERT ON ai_log_chain
WHEN EXISTS (SELECT 1 FROM ai_log_chain WHERE seq = NEW.seq OR interaction_id = NEW.interaction_id
  OR entry_uuid = NEW.entry_uuid OR row_hash = NEW.row_hash) BEGIN
  SELECT RAISE(ABORT, 'ai_log_chain is append-only (replace)');
END;
CREATE TRIGGER ai_log_chain_monotone AFTER INSERT ON ai_log_chain
WHEN NEW.seq < 1 OR NEW.seq <> (SELECT max(seq) FROM ai_log_chain)
  OR (NEW.seq > 1 AND NOT EXISTS (SELECT 1 FROM ai_log_chain WHERE seq = NEW.seq - 1)) BEGIN
  SELECT RAISE(ABORT, 'ai_log_chain grows by one');
END;

CREATE TABLE ai_log_payload (
  interaction_id INTEGER NOT NULL REFERENCES ai_interactions(id),
  field TEXT NOT NULL,
  salt BLOB,
  body TEXT,
  state TEXT NOT NULL CHECK (state IN ('present','erased')),
  erased_by_seq INTEGER,
  PRIMARY KEY (interaction_id, field)
) STRICT;
CREATE TRIGGER ai_log_payload_no_delete BEFORE DELETE ON ai_log_payload BEGIN
  SELECT RAISE(ABORT, 'ai_log_payload can only be erased');
END;
CREATE TRIGGER ai_log_payload_erase_only BEFORE UPDATE ON ai_log_payload
WHEN NOT (OLD.state = 'present' AND NEW.state = 'erased' AND NEW.body IS NULL AND NEW.salt IS NULL
  AND NEW.erased_by_seq IS NOT NULL AND NEW.interaction_id = OLD.interaction_id AND NEW.field = OLD.field) BEGIN
  SELECT RAISE(ABORT, 'ai_log_payload can only be erased');
END;
CREATE TRIGGER ai_log_payload_no_replace BEFORE INSERT ON ai_log_payload
WHEN EXISTS (SELECT 1 FROM ai_log_payload WHERE interaction_id = NEW.interaction_id AND field = NEW.field) BEGIN
  SELECT RAISE(ABORT, 'ai_log_payload can only be erased (replace)');
END;

CREATE TABLE ai_log_checkpoints (
  size INTEGER PRIMARY KEY,
  note TEXT NOT NULL
);
CREATE TRIGGER ai_log_checkpoints_no_delete BEFORE DELETE ON ai_log_checkpoints BEGIN
  SELECT RAISE(ABORT, 'ai_log_checkpoints is append-only');
END;
CREATE TRIGGER ai_log_checkpoints_no_update BEFORE UPDATE ON ai_log_checkpoints BEGIN
  SELECT RAISE(ABORT, 'ai_log_checkpoints is append-only');
END;
CREATE TRIGGER ai_log_checkpoints_no_replace BEFORE INSERT ON ai_log_checkpoints
WHEN EXISTS (SELECT 1 FROM ai_log_checkpoints WHERE size >= NEW.size) BEGIN
  SELECT RAISE(ABORT, 'ai_log_checkpoints only grows');
END;

CREATE TABLE ai_log_counters (
  k TEXT PRIMARY KEY,
  v INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TRIGGER ai_log_counters_no_delete BEFORE DELETE ON ai_log_counters BEGIN
  SELECT RAISE(ABORT, 'ai_log_counters only grow');
END;
CREATE TRIGGER ai_log_counters_no_replace BEFORE INSERT ON ai_log_counters
WHEN EXISTS (SELECT 1 FROM ai_log_counters WHERE k = NEW.k) BEGIN
  SELECT RAISE(ABORT, 'ai_log_counters only grow (replace)');
END;
CREATE TRIGGER ai_log_counters_grow BEFORE UPDATE ON ai_log_counters
WHEN NEW.k <> OLD.k OR NEW.v < OLD.v BEGIN
  SELECT RAISE(ABORT, 'ai_log_counters only grow');
END;

-- A call leaves a started and a finished (or failed) entry; here it counts once, with its latest facts.
-- detail_json.unknown names the figures that are not known: they are NULL here, never 0.
CREATE VIEW interactions AS
  SELECT json_extract(last.detail_json, '$.call_uuid') AS call_uuid,
         first_row.id AS first_id, first_row.timestamp AS timestamp, last.kind AS kind,
         json_extract(last.detail_json, '$.state') AS state,
         row.model AS model, row.provider AS provider,
         CASE WHEN EXISTS (SELECT 1 FROM json_each(last.detail_json, '$.unknown') WHERE value = 'input_tokens')
              THEN NULL ELSE row.input_tokens END AS input_tokens,
         CASE WHEN EXISTS (SELECT 1 FROM json_each(last.detail_json, '$.unknown') WHERE value = 'output_tokens')
              THEN NULL ELSE row.output_tokens END AS output_tokens,
         CASE WHEN EXISTS (SELECT 1 FROM json_each(last.detail_json, '$.unknown') WHERE value = 'cost_usd')
              THEN NULL ELSE row.cost_usd END AS cost_usd,
         row.human_action AS human_action, row.workspace_id AS workspace_id, row.session_id AS session_id,
         row.persona AS persona, row.tools_called AS tools_called, row.id AS last_id
  FROM (SELECT json_extract(detail_json, '$.call_uuid') AS call_uuid, min(seq) AS first_seq, max(seq) AS last_seq
        FROM ai_log_chain WHERE json_extract(detail_json, '$.call_uuid') IS NOT NULL
        GROUP BY json_extract(detail_json, '$.call_uuid')) AS calls
  JOIN ai_log_chain AS first ON first.seq = calls.first_seq
  JOIN ai_interactions AS first_row ON first_row.id = first.interaction_id
  JOIN ai_log_chain AS last ON last.seq = calls.last_seq
  JOIN ai_interactions AS row ON row.id = last.interaction_id;

-- Layers 9 and 10: traces and evolution ---------------------------------------------------------------------
CREATE TABLE execution_traces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT,
  persona_id TEXT,
  workspace_id TEXT,
  model TEXT,
  task_shape TEXT,
  outcome TEXT NOT NULL DEFAULT 'pending'
    CHECK (outcome IN ('success','corrected','abandoned','verified','pending')),
  trace_json TEXT NOT NULL DEFAULT '{}',
  cost_usd REAL NOT NULL DEFAULT 0,
  duration_ms INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  finalized_at TEXT
);
CREATE TABLE evolution_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_uuid TEXT NOT NULL UNIQUE,
  target_kind TEXT NOT NULL,
  target_name TEXT,
  baseline_text TEXT NOT NULL,
  winner_text TEXT NOT NULL,
  winner_schema_json TEXT,
  delta_accuracy REAL NOT NULL DEFAULT 0,
  gate_verdict TEXT NOT NULL DEFAULT 'pass' CHECK (gate_verdict IN ('pass','fail')),
  gate_reasons_json TEXT NOT NULL DEFAULT '[]',
  status TEXT NOT NULL DEFAULT 'proposed'
    CHECK (status IN ('proposed','accepted','rejected','deployed','failed')),
  artifacts_json TEXT,
  user_note TEXT,
  failure_reason TEXT,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  decided_at TEXT,
  deployed_at TEXT
);
CREATE TABLE embedding_usage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL DEFAULT 'owner',
  year_month TEXT NOT NULL,
  provider TEXT NOT NULL DEFAULT '',
  count INTEGER NOT NULL DEFAULT 0,
  UNIQUE (user_id, year_month, provider)
);

-- The third seed: semantic notes, links, episodes and the agent stores ----------------------------------------
CREATE TABLE frame_notes (
  frame_id INTEGER PRIMARY KEY REFERENCES memory_frames(id) ON DELETE CASCADE,
  agent_id TEXT,
  summary TEXT NOT NULL DEFAULT '',
  tags TEXT NOT NULL DEFAULT '',
  strength REAL NOT NULL DEFAULT 1.0,
  strength_at TEXT
);
CREATE VIRTUAL TABLE semantic_fts USING fts5(content, summary, tags, tokenize='porter unicode61');
INSERT INTO semantic_fts(semantic_fts, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER frame_notes_fts_insert AFTER INSERT ON frame_notes BEGIN
  INSERT INTO semantic_fts (rowid, content, summary, tags)
  VALUES (NEW.frame_id, (SELECT content FROM memory_frames WHERE id = NEW.frame_id), NEW.summary, NEW.tags);
END;
CREATE TRIGGER frame_notes_fts_update AFTER UPDATE OF summary, tags ON frame_notes BEGIN
  UPDATE semantic_fts SET summary = NEW.summary, tags = NEW.tags WHERE rowid = NEW.frame_id;
END;
CREATE TRIGGER frame_notes_fts_content AFTER UPDATE OF content ON memory_frames
WHEN EXISTS (SELECT 1 FROM frame_notes WHERE frame_id = NEW.id) BEGIN
  UPDATE semantic_fts SET content = NEW.content WHERE rowid = NEW.id;
END;
CREATE TRIGGER frame_notes_fts_delete AFTER DELETE ON frame_notes BEGIN
  DELETE FROM semantic_fts WHERE rowid = OLD.frame_id;
END;
CREATE TABLE zettel_links (
  source_id INTEGER NOT NULL REFERENCES memory_frames(id) ON DELETE CASCADE,
  target_id INTEGER NOT NULL REFERENCES memory_frames(id) ON DELETE CASCADE,
  relation TEXT NOT NULL,
  strength REAL NOT NULL DEFAULT 1.0,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  PRIMARY KEY (source_id, target_id, relation)
) WITHOUT ROWID;
CREATE INDEX zettel_links_target ON zettel_links (target_id);
CREATE TABLE episodes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('daily','snapshot')),
  day TEXT NOT NULL,
  gop_id TEXT REFERENCES sessions(gop_id),
  content TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now'))
);
CREATE TABLE agent_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  agent_id TEXT,
  gop_id TEXT REFERENCES sessions(gop_id),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  payload TEXT NOT NULL DEFAULT '{"version":1}'
);
CREATE TABLE agent_debriefs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  agent_id TEXT,
  gop_id TEXT REFERENCES sessions(gop_id),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  payload TEXT NOT NULL DEFAULT '{"version":1}'
);
CREATE TABLE agent_plans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  agent_id TEXT,
  gop_id TEXT REFERENCES sessions(gop_id),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  payload TEXT NOT NULL DEFAULT '{"version":1}'
);
CREATE TABLE agent_experiences (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  agent_id TEXT,
  gop_id TEXT REFERENCES sessions(gop_id),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  payload TEXT NOT NULL DEFAULT '{"version":1}'
);
CREATE TABLE calibration (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  agent_id TEXT,
  gop_id TEXT REFERENCES sessions(gop_id),
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  updated_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  payload TEXT NOT NULL DEFAULT '{"version":1}'
);

-- Imports, long work, undo ---------------------------------------------------------------------------------
CREATE TABLE import_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parent_id INTEGER REFERENCES import_runs(id),
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL DEFAULT '',
  fingerprint TEXT NOT NULL DEFAULT '',
  options TEXT NOT NULL DEFAULT '{}',
  state TEXT NOT NULL CHECK (state IN ('running','paused','finished','cancelled','failed','interrupted','undone')),
  counts TEXT NOT NULL DEFAULT '{}',
  seconds REAL NOT NULL DEFAULT 0,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  error TEXT NOT NULL DEFAULT ''
);
CREATE TABLE import_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES import_runs(id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  item_id TEXT,
  title TEXT NOT NULL DEFAULT '',
  session TEXT REFERENCES sessions(gop_id) ON DELETE SET NULL,
  state TEXT NOT NULL CHECK (state IN ('partial','new','updated','unchanged','skipped','failed')),
  reason TEXT NOT NULL DEFAULT '',
  hash BLOB,
  messages INTEGER NOT NULL DEFAULT 0,
  UNIQUE (run_id, ordinal)
);
CREATE INDEX import_items_session ON import_items (session) WHERE session IS NOT NULL;
-- Which run vouches for which archived message: undo removes only what no other run claims.
CREATE TABLE import_claims (
  run_id INTEGER NOT NULL REFERENCES import_runs(id) ON DELETE CASCADE,
  message_id INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
  PRIMARY KEY (run_id, message_id)
) WITHOUT ROWID;
CREATE INDEX import_claims_message ON import_claims (message_id);
CREATE TABLE suppressions (
  source TEXT NOT NULL,
  key_hash BLOB NOT NULL,
  PRIMARY KEY (source, key_hash)
) WITHOUT ROWID;
CREATE TABLE duplicate_groups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  frame_id INTEGER NOT NULL REFERENCES memory_frames(id) ON DELETE CASCADE,
  other_frame_id INTEGER REFERENCES memory_frames(id) ON DELETE CASCADE,
  reason TEXT NOT NULL CHECK (reason IN ('normalized','cosine','cross_mind')),
  score REAL NOT NULL DEFAULT 1.0,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open','merged','different')),
  created_at TEXT NOT NULL,
  UNIQUE (frame_id, other_frame_id, reason)
);
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('embedding','cognify','mentions')),
  frame_id INTEGER NOT NULL REFERENCES memory_frames(id) ON DELETE CASCADE,
  created_at TEXT NOT NULL
);
CREATE INDEX outbox_frame ON outbox (frame_id);
CREATE INDEX outbox_kind ON outbox (kind);
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting','running','paused','done','failed','cancelled')),
  cursor TEXT NOT NULL DEFAULT '{}',
  payload TEXT NOT NULL DEFAULT '{}',
  progress TEXT NOT NULL DEFAULT '{"done":0,"total":0}',
  owner TEXT,
  heartbeat TEXT,
  error TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX jobs_state ON jobs (state, kind);
CREATE TABLE changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  label TEXT NOT NULL,
  inverse TEXT NOT NULL,
  at TEXT NOT NULL,
  undone_at TEXT
);
