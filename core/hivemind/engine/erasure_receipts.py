"""Receipts of erasures as files in the data folder: numbers and codes, never what was erased."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hivemind.domain.erasure import ErasureReceipt, ErasureState, Residue
from hivemind.errors import FileInTheWay, ReadOnlyPlace


def document(receipt: ErasureReceipt) -> dict[str, Any]:
    """As JSON: what the command line prints and the file holds."""
    told = asdict(receipt)
    return told | {"state": str(receipt.state), "residue_total": receipt.residue.total if receipt.residue else None}


def keep(folder: Path, receipt: ErasureReceipt) -> None:
    """Write it, for the owner only, in the place of an earlier one of the same erasure. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / f"{receipt.uuid}.json"
    unfinished = file.with_suffix(".new")
    unfinished.write_text(json.dumps(document(receipt), indent=1), "utf-8")
    unfinished.chmod(0o600)
    unfinished.replace(file)


def write(file: Path, receipt: ErasureReceipt) -> None:
    """Into a new file. Raises FileInTheWay, ReadOnlyPlace."""
    try:
        with file.open("x", encoding="utf-8") as stream:
            json.dump(document(receipt), stream, indent=1)
    except FileExistsError as fault:
        raise FileInTheWay(details=file.name) from fault
    except OSError as fault:
        raise ReadOnlyPlace("The receipt could not be written there", details=type(fault).__name__) from fault


def find(folder: Path, uuid: str) -> ErasureReceipt | None:
    """The receipt kept of an erasure; None when there is none that can be read."""
    try:
        told = json.loads((folder / f"{uuid}.json").read_text("utf-8"))
        return _receipt(told)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def list_all(folder: Path, workspace: str) -> list[ErasureReceipt]:
    """Of one mind, newest first."""
    files = folder.glob("*.json") if folder.is_dir() else ()
    found = [receipt for file in files if (receipt := find(folder, file.stem)) is not None]
    return sorted((one for one in found if one.workspace == workspace), key=lambda one: one.at, reverse=True)


def _receipt(told: dict[str, Any]) -> ErasureReceipt:
    told.pop("residue_total", None)
    residue = None if told["residue"] is None else Residue(**told["residue"])
    lists = {name: tuple(told[name]) for name in ("waiting_for", "outside", "beyond_reach")}
    return ErasureReceipt(**(told | lists | {"state": ErasureState(told["state"]), "residue": residue}))
