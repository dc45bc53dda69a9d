"""`log`, `verify-log` and `report` from the command line, with their exit codes and documents.

Covers: log_commands.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from pypdf import PdfReader
from tests.core.gateway.plain_log import without_guards
from tests.core.sidecar.conftest import Sidecar

from hivemind.paths import resource_path

RECORD = ("log", "record", "--model", "north-1", "--provider", "North")


def test_an_agent_records_its_own_call(sidecar: Sidecar) -> None:
    told = ["--input-tokens", "12", "--output-tokens", "3", "--cost", "0.25", "--tools", '["search"]']
    said = sidecar(
        *RECORD, *told, "--human-action", "approved", "--persona", "writer", "--input", "asked", "--output", "said"
    )
    assert said.code == 0
    assert said.document == {"interaction_id": 3, "seq": 3}
    [one] = sidecar("log", "list").document["interactions"]
    assert (one["model"], one["state"], one["cost_usd"], one["human_action"]) == (
        "north-1",
        "finished",
        0.25,
        "approved",
    )
    assert sidecar(*RECORD).code == 0
    assert [one["cost_usd"] for one in sidecar("log", "list").document["interactions"]] == [0.25, None]
    assert "cost unknown" in sidecar("log", "list", plain=True).out


def test_days_of_a_list_are_included(sidecar: Sidecar) -> None:
    sidecar(*RECORD)
    [one] = sidecar("log", "list").document["interactions"]
    today = one["timestamp"][:10]
    assert len(sidecar("log", "list", "--from", today, "--to", today).document["interactions"]) == 1
    assert sidecar("log", "list", "--to", "2020").document["interactions"] == []
    assert sidecar("log", "list", "--from", "2999").document["interactions"] == []
    refused = sidecar("log", "list", "--from", "soon")
    assert (refused.code, refused.error["code"]) == (2, "invalid_date")


@pytest.mark.parametrize(
    "wrong", [("--tools", "search"), ("--tools", "[1]"), ("--input-tokens", "-1"), ("--cost", "nan")]
)
def test_what_cannot_be_recorded(sidecar: Sidecar, wrong: tuple[str, str]) -> None:
    assert sidecar(*RECORD, *wrong).code == 2
    assert sidecar("log", "list").document["interactions"] == []


def test_a_sound_log_that_nobody_signs_has_a_gap(sidecar: Sidecar) -> None:
    sidecar(*RECORD)
    said = sidecar("verify-log")
    assert (said.code, said.document["verdict"], said.document["findings"]) == (11, "intact with gaps", [])
    assert said.document["entries"] == 3
    assert sidecar("verify-log").document["entries"] == 3, "looking leaves no entry"
    assert "RESULT  INTACT WITH GAPS" in sidecar("verify-log", plain=True).out


def test_program_and_script_say_the_same_of_a_file(sidecar: Sidecar, data_dir: Path, tmp_path: Path) -> None:
    sidecar(*RECORD, "--input", "asked")
    mind = tmp_path / "elsewhere.mind"
    shutil.copy(data_dir / "minds" / "personal.mind", mind)
    anchors = next((data_dir / "anchors").glob("*.log"))
    for expected in (11, 10):
        said = sidecar("verify-log", str(mind), "--anchor", str(anchors))
        script = [
            sys.executable,
            "-I",
            str(resource_path("verifier", "verify_log.py")),
            str(mind),
            "--anchor",
            str(anchors),
        ]
        told = subprocess.run([*script, "--json"], capture_output=True, text=True, check=False)
        assert (said.code, told.returncode) == (expected, expected)
        assert said.document.keys() == json.loads(told.stdout).keys()
        assert said.document["head"] == json.loads(told.stdout)["head"]
        connection = apsw.Connection(str(mind))
        without_guards(connection, lambda c: c.execute("UPDATE ai_interactions SET model = 'x' WHERE id = 2") and None)
        connection.close()


def test_what_cannot_be_verified_is_no_verdict(sidecar: Sidecar, tmp_path: Path) -> None:
    (tmp_path / "letter.mind").write_text("Dear Mara")
    letter, none, anchors = (str(tmp_path / name) for name in ("letter.mind", "none.mind", "no.log"))
    for words in ([letter], [none], ["--anchor", anchors], ["--pubkey", "abc"]):
        said = sidecar("verify-log", *words)
        assert said.code == 3
        assert said.error["title"]


def test_another_key_is_tampering(sidecar: Sidecar, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("ab" * 32 + "\n")
    assert sidecar("verify-log", "--pubkey", str(tmp_path / "key")).code == 10


def test_a_report(sidecar: Sidecar, tmp_path: Path) -> None:
    sidecar(*RECORD, "--input", "a secret question")
    out, package = tmp_path / "r.pdf", tmp_path / "e.zip"
    said = sidecar("report", "--out", str(out), "--package", str(package), "--leave-out", "harvest")
    assert said.code == 0
    document = said.document
    assert (document["path"], document["package"]) == (str(out), str(package))
    assert [one["article"] for one in document["checks"]] == ["12", "14", "19", "26(5)", "26(6)", "50"]
    reader = PdfReader(out)
    text = " ".join(page.extract_text() for page in reader.pages)
    assert len(reader.pages) == document["pages"]
    assert document["log_head"] in text
    assert "Left out by whoever made this report" in text
    assert "a secret question" not in text
    assert package.stat().st_size > 50_000
    assert sidecar("report", "--out", str(out)).error["code"] == "file_in_the_way"
    assert sidecar("report", "--out", str(tmp_path / "other.pdf"), "--leave-out", "checks").code == 2
