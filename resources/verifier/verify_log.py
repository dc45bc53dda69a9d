#!/usr/bin/env python3
"""Checks the interaction log of a Hive-Mind file. Needs Python 3.9 or newer and nothing else; reads copies only.

    python3 verify_log.py work.mind [--anchor work.log] [--pubkey HEX] [--json]

Exit code: 0 intact, 10 tampered, 11 intact with gaps, 3 cannot verify. Any other code is no verdict.

It stands alone on purpose: it was written from the description of the format and shares no code with the program that
wrote the log, so the two can be held against each other.

What it checks: entries 1..n without a hole; each entry's SHA-256 over its rows and the hash before; every text against
its salted commitment; erased texts against their erasure entry; counters; the tables' guards against their
fingerprint; checkpoints against the chain and their Ed25519 signatures; and, with --anchor, that the log is the one
that was anchored. Without an anchor a log that was cut off at the end or written anew from the start looks whole.
"""

import argparse
import base64
import datetime
import hashlib
import hmac
import json
import os
import re
import shutil
import sqlite3
import sys
import tempfile

INTACT, TAMPERED, GAPS, CANNOT = 0, 10, 11, 3
KNOWN_TABLES = {"2056cb9d924ae7989ac3ee4d80a0b4dcc76cf76f6d6bfe9fa4d72ead4b3ce974"}
ROW = [
    "id",
    "timestamp",
    "workspace_id",
    "session_id",
    "model",
    "provider",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "tools_called",
    "human_action",
    "risk_context",
    "imported_from",
    "persona",
    "input_text",
    "output_text",
]
ENTRY = [
    "seq",
    "interaction_id",
    "entry_uuid",
    "kind",
    "actor",
    "epoch",
    "boot_id",
    "mono_ns",
    "app_version",
    "detail_json",
    "commits_json",
    "alg",
    "prev_hash",
]
STATES = {"started": "calls_started", "finished": "calls_finished", "failed": "calls_failed", "event": "events"}
CLOCK_SLACK = 2.0
UNCOVERED = 512


class Log:
    """One pass over the entries; findings are changes, gaps are what is missing and says so."""

    def __init__(self, db):
        self.db, self.findings, self.gaps = db, [], []
        self.entries, self.head, self.erased = 0, bytes(32), 0
        self.heads, self.states, self.keys, self.restores = {}, {}, [], []
        self.in_a_row = 0
        self.tables, self.mind, self.checkpoints = "", "", 0

    def bad(self, seq, text):
        self.findings.append({"seq": seq, "problem": text})

    def gap(self, seq, text):
        self.gaps.append({"seq": seq, "problem": text})

    def walk(self):
        epoch, last_row, last_seq, last_time, erasures, erased_by = 0, 0, 0, "", set(), []
        columns = [name for _, name, *_ in self.db.execute("PRAGMA table_info(ai_log_chain)")]
        rows = [name for _, name, *_ in self.db.execute("PRAGMA table_info(ai_interactions)")]
        if columns != [*ENTRY, "row_hash"] or rows != ROW:
            self.bad(None, "the log's tables have other columns than those that are hashed")
            return
        chain = self.db.execute("SELECT * FROM ai_log_chain ORDER BY seq").fetchall()
        for values in chain:
            entry, stored = dict(zip(ENTRY, values)), values[-1]
            seq = entry["seq"]
            self.entries += 1
            if seq != last_seq + 1:
                self.bad(last_seq + 1, "entries are missing before %s" % seq)
            if entry["prev_hash"] != self.head:
                self.bad(seq, "it does not follow on the entry before it")
            self.head = self.heads[seq] = stored
            last_seq = seq
            if entry["alg"] != "sha256-jcs-v1":
                self.bad(seq, "it is hashed in an unknown way")
            row = self.db.execute("SELECT * FROM ai_interactions WHERE id = ?", (entry["interaction_id"],)).fetchone()
            if row is None:
                self.bad(seq, "its row is missing")
            elif entry_hash(dict(zip(ROW, row)), entry) != stored:
                self.bad(seq, "it was changed after it was written")
            else:
                last_time = self.clock(seq, last_time, row[1])
            if entry["interaction_id"] <= last_row:
                self.bad(seq, "its row is older than the one before")
            last_row = entry["interaction_id"]
            kind, detail = entry["kind"], json.loads(entry["detail_json"])
            if entry["epoch"] != epoch + (kind == "restore"):
                self.bad(seq, "its epoch does not follow")
            epoch = entry["epoch"]
            self.states[detail["state"]] = self.states.get(detail["state"], 0) + 1
            self.facts(seq, kind, detail, erasures)
            self.texts(seq, entry["interaction_id"], json.loads(entry["commits_json"]), erased_by)
        for seq, by in erased_by:
            if by not in erasures or by <= seq:
                self.bad(seq, "its text is gone without an erasure entry")

    def clock(self, seq, last, now):
        if last and now < last:
            back = (moment(last) - moment(now)).total_seconds()
            if back > CLOCK_SLACK:
                self.gap(seq, "the clock went back by %.0f seconds" % back)
        return max(last, now)

    def facts(self, seq, kind, detail, erasures):
        if (seq == 1) != (kind == "genesis"):
            self.bad(seq, "a log begins with one genesis entry and has no other")
        if kind == "genesis":
            self.mind = detail["mind_uuid"]
        if kind in ("genesis", "migration") and "schema_hash" in detail:
            self.tables = detail["schema_hash"]
        if kind == "erasure":
            erasures.add(seq)
        if kind == "key_rotation":
            self.keys.append((seq, detail["key"], detail.get("by_previous")))
        if kind == "restore":
            # Erasing in a backup adds erasure entries to that copy alone, directly before its restore.
            self.restores.append((seq, int(detail.get("replaced_size") or 0), seq - self.in_a_row))
            self.gap(seq, "a backup was restored here")
        self.in_a_row = self.in_a_row + 1 if kind == "erasure" else 0
        if kind == "log_gap":
            self.gap(seq, "%s entries could not be written" % detail.get("missed"))

    def texts(self, seq, row, commits, erased_by):
        query = (
            "SELECT row.field, row.salt, row.body, row.state, row.erased_by_seq FROM ai_log_payload AS found"
            " JOIN ai_log_payload AS row ON row.rowid = found.rowid WHERE found.interaction_id = ?"
        )
        for field, salt, body, state, by in self.db.execute(query, (row,)).fetchall():
            expected = commits.pop(field, None)
            if expected is None:
                self.bad(seq, "a text was added to it")
            elif state == "erased":
                self.erased += 1
                erased_by.append((seq, by))
                if salt is not None or body is not None:
                    self.bad(seq, "a text is called erased and is still there")
            elif state != "present" or by is not None or not committed(expected, field, salt, body):
                self.bad(seq, "a text was changed")
        if commits:
            self.bad(seq, "a text is missing")

    def around(self):
        actual = tables_fingerprint(self.db)
        if actual != self.tables or actual not in KNOWN_TABLES:
            self.bad(None, "the log's tables or guards are not those it was made with")
        mind = self.db.execute("SELECT value FROM meta WHERE key = 'mind_uuid'").fetchone()
        if not self.entries:
            self.bad(None, "the log is empty")
        elif mind is None or mind[0] != self.mind:
            self.bad(1, "the log belongs to another mind")
        for table, key in (("ai_interactions", "id"), ("ai_log_payload", "interaction_id")):
            query = "SELECT count(*) FROM %s WHERE %s NOT IN (SELECT interaction_id FROM ai_log_chain)" % (table, key)
            if self.db.execute(query).fetchone()[0]:
                self.bad(None, "%s has rows without an entry" % table)
        expected = {STATES[state]: count for state, count in self.states.items() if state in STATES}
        expected["rows_written"] = self.entries
        if expected != dict(self.db.execute("SELECT k, v FROM ai_log_counters")):
            self.bad(None, "the counters do not agree with the entries")
        ended = self.states.get("finished", 0) + self.states.get("failed", 0)
        if self.states.get("started", 0) > ended:
            self.gap(None, "%d calls have no end" % (self.states["started"] - ended))

    def seals(self, pubkey):
        previous_key = None
        for seq, key, by_previous in self.keys:
            text = "hivemind/key-rotation/v1\n%s\n%s\n" % (self.mind, key)
            if previous_key and by_previous is None:
                self.gap(seq, "the key was replaced without the old one's signature")
            elif previous_key and not ed25519(bytes.fromhex(previous_key), text.encode(), bytes.fromhex(by_previous)):
                self.bad(seq, "the key was replaced by somebody without the old one")
            previous_key = key
        if pubkey and (not self.keys or self.keys[-1][1] != pubkey):
            self.bad(None, "the log is not signed with the key it was compared with")
        before, signed_to, unsigned = None, 0, 0
        for size, text in self.db.execute("SELECT size, note FROM ai_log_checkpoints ORDER BY size").fetchall():
            self.checkpoints += 1
            good, signed = self.checkpoint(size, text, before)
            before = hashlib.sha256(text.encode()).digest()
            if good and signed:
                signed_to = size
            elif good and any(seq <= size for seq, *_ in self.keys):
                unsigned += 1
        if not self.keys:
            self.gap(None, "the log is not signed")
            return
        if unsigned:
            self.gap(None, "%d checkpoints are not signed" % unsigned)
        if self.entries - signed_to > UNCOVERED:
            self.gap(signed_to, "no signed checkpoint covers what came after it")

    def checkpoint(self, size, text, before):
        """(it agrees, it is signed)"""
        if size not in self.heads:
            self.bad(size, "a checkpoint names an entry that is not there")
            return False, False
        prev = "-" if before is None else b64(before)
        time = next((line[5:] for line in text.split("\n")[4:5] if line.startswith("time ")), None)
        body = "hivemind.local/%s\n%d\n%s\nschema %s\ntime %s\nprev %s\n" % (
            self.mind,
            size,
            b64(self.heads[size]),
            b64(bytes.fromhex(self.tables)),
            time,
            prev,
        )
        rest = text[len(body) :]
        if time is None or not text.startswith(body) or not rest.startswith("\n"):
            self.bad(size, "the checkpoint does not agree with the chain")
            return False, False
        if rest == "\n":
            return True, False
        line = re.fullmatch("\n\u2014 (.*) ([A-Za-z0-9+/=]+)\n", rest)
        named = [key for seq, key, _ in self.keys if seq <= size]
        if line and named:
            public, raw = bytes.fromhex(named[-1]), decoded(line.group(2))
            key_id = hashlib.sha256(line.group(1).encode() + b"\n\x01" + public).digest()[:4]
            if len(raw) == 68 and b64(raw) == line.group(2) and raw[:4] == key_id:
                if ed25519(public, body.encode(), raw[4:]):
                    return True, True
        self.bad(size, "the checkpoint was not signed with the log's key")
        return False, False

    def anchors(self, file):
        with open(file, encoding="ascii", errors="replace") as stream:
            found = [re.fullmatch(r"([0-9]{1,18}) ([0-9a-f]{64}) [0-9TZ:.-]{24}", line.strip()) for line in stream]
        anchors = [(int(one.group(1)), one.group(2)) for one in found if one]
        fits = [size in self.heads and self.heads[size].hex() == head for size, head in anchors]
        for number, (size, _) in enumerate(anchors):
            if fits[number]:
                continue
            excused = False
            for seq, replaced, first in self.restores:
                since = [n for n, (other, _) in enumerate(anchors) if fits[n] and other >= seq]
                excused = excused or (first <= size <= replaced and number < (since[0] if since else len(anchors)))
            if not excused:
                self.bad(size, "an anchor knows %d entries with another head, the log has %d" % (size, self.entries))
        return len(anchors)


def entry_hash(row, entry):
    flat = {name: stored(value) for name, value in list(row.items()) + list(entry.items())}
    text = json.dumps(flat, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(b"hivemind/ai-log/row/v1\n" + text.encode("utf-8")).digest()


def stored(value):
    """A value with its storage class, so that 1 and 1.0, '' and NULL are told apart."""
    if isinstance(value, float):
        return {"typeof": "real", "value": value.hex()}
    if isinstance(value, bytes):
        return {"typeof": "blob", "value": value.hex()}
    if isinstance(value, int) and abs(value) > 2**53 - 1:
        return {"typeof": "integer", "value": str(value)}
    return value


def committed(expected, field, salt, body):
    if not isinstance(salt, bytes) or len(salt) != 32 or not isinstance(body, str):
        return False
    return hmac.new(salt, field.encode() + b"\0" + body.encode("utf-8"), "sha256").hexdigest() == expected


def tables_fingerprint(db):
    def belongs(name):
        name = (name or "").lower()
        return name.startswith(("ai_interactions", "ai_log_")) or name == "interactions"

    digest = hashlib.sha256()
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    for kind, name, table, sql in sorted((a, b, c, d or "") for a, b, c, d in rows):
        text = sql.lower()
        watches = text.startswith("create trigger") and ("ai_interactions" in text or "ai_log_" in text)
        if belongs(name) or belongs(table) or watches:
            for field in (kind, name, table, sql):
                data = field.encode("utf-8")
                digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def b64(raw):
    return base64.b64encode(raw).decode("ascii")


def decoded(text):
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


def moment(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")


# Ed25519 (RFC 8032), verification only: slow and plain, on Python's integers.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def ed25519(public, message, signature):
    """Whether the holder of the key signed the message."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, point = unpacked(public), unpacked(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or point is None or scalar >= L:
        return False
    hashed = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    left, right = times(scalar, BASE), added(point, times(hashed, key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def unpacked(raw):
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def added(one, other):
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = added(result, point)
        point = added(point, point)
        scalar >>= 1
    return result


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = unpacked(BASE_Y.to_bytes(32, "little"))


def check(file, anchor, pubkey):
    """The whole check on a copy of the file and its -wal; returns the report."""
    with tempfile.TemporaryDirectory(prefix="verify-log-") as folder:
        copy = os.path.join(folder, "copy.mind")
        shutil.copyfile(file, copy)
        if os.path.exists(file + "-wal"):
            shutil.copyfile(file + "-wal", copy + "-wal")
        db = sqlite3.connect(copy)
        try:
            db.execute("PRAGMA query_only = ON")
            log, anchored = Log(db), 0
            try:
                log.walk()
                log.around()
                log.seals(pubkey)
            except (sqlite3.Error, ValueError, TypeError, KeyError, AttributeError) as fault:
                if not has_log(db):
                    raise
                log.bad(None, "part of the log cannot be read (%s)" % type(fault).__name__)
            if anchor:
                anchored = log.anchors(anchor)
        finally:
            db.close()
    verdict = "tampered" if log.findings else "intact with gaps" if log.gaps else "intact"
    return {
        "verdict": verdict,
        "entries": log.entries,
        "head": log.head.hex() if log.entries else "",
        "erased": log.erased,
        "signer": log.keys[-1][1] if log.keys else "",
        "checkpoints": log.checkpoints,
        "anchors": anchored,
        "findings": log.findings,
        "gaps": log.gaps,
    }


def has_log(db):
    try:
        return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'ai_log_chain'").fetchone() is not None
    except sqlite3.Error:
        return False


def main(words=None):
    parser = argparse.ArgumentParser(description="Checks the interaction log of a Hive-Mind file.")
    parser.add_argument("mind")
    parser.add_argument("--anchor", help="the anchors of this mind, as you kept them")
    parser.add_argument("--pubkey", help="the key that must have signed: 64 hexadecimal digits")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(words)
    if asked.pubkey and not re.fullmatch("[0-9a-fA-F]{64}", asked.pubkey):
        print("The public key has 64 hexadecimal digits.", file=sys.stderr)
        return CANNOT
    try:
        report = check(asked.mind, asked.anchor, (asked.pubkey or "").lower())
    except (OSError, sqlite3.Error, ValueError, TypeError, KeyError, AttributeError) as fault:
        print("This file cannot be checked (%s)." % type(fault).__name__, file=sys.stderr)
        return CANNOT
    if asked.json:
        print(json.dumps(report, ensure_ascii=True, indent=2))
    else:
        for place, title in (("findings", "CHANGED"), ("gaps", "GAP")):
            for one in report[place]:
                print("%s  %s%s" % (title, "entry %s: " % one["seq"] if one["seq"] else "", one["problem"]))
        print("entries %(entries)d  head %(head)s  checkpoints %(checkpoints)d  anchors %(anchors)d" % report)
        print("RESULT  %s" % report["verdict"].upper())
    return {"intact": INTACT, "tampered": TAMPERED}.get(report["verdict"], GAPS)


if __name__ == "__main__":
    sys.exit(main())
