"""The evidence package: one ZIP with the report, its data, a signature, the anchors and what checks them."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from hivemind.compliance.printing import Volume
from hivemind.domain.audit_report import AuditReport
from hivemind.paths import resource_path

#: What stands before the 32 bytes of an Ed25519 key in its public form (RFC 8410).
_KEY_HEAD = bytes.fromhex("302a300506032b6570032100")


def write_package(
    target: Path,
    report: AuditReport,
    data: bytes,
    volumes: Sequence[Volume],
    signature: tuple[str, bytes] | None,
    anchors: bytes,
) -> None:
    """Write the ZIP as a new file. The same report gives the same bytes. Raises OSError."""
    files = {volume.name(report.id): volume.data for volume in volumes}
    files["report.json"] = data
    if signature is not None:
        files["report.json.sig"] = signature[1]
        files["log-key.pem"] = _pem(signature[0])
    if anchors:
        files[f"{report.subject.uuid}.log"] = anchors
    files["verify_log.py"] = resource_path("verifier", "verify_log.py").read_bytes()
    files["README.txt"] = _readme(report, sorted(files), signed=signature is not None).encode()
    sums = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    files["SHA256SUMS"] = sums.encode()
    made = datetime.fromisoformat(report.generated)
    with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as package:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{report.id}/{name}", made.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            package.writestr(entry, files[name])


def _pem(public: str) -> bytes:
    body = base64.b64encode(_KEY_HEAD + bytes.fromhex(public)).decode("ascii")
    return f"-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n".encode("ascii")


def _readme(report: AuditReport, names: Sequence[str], *, signed: bool) -> str:
    mind, uuid = report.subject.workspace, report.subject.uuid
    signer = f" --pubkey {report.integrity.signer}" if report.integrity.signer else ""
    lines = [
        f"Evidence package {report.id}, made {report.generated} by {report.tool.name} {report.tool.version}.",
        "",
        "It holds results of technical checks. Its limits stand on page 1 of the report.",
        f"The log itself is not in it: ask for a copy of {mind}.mind, which also holds what was remembered.",
        "",
        *(f"  {name}" for name in names),
        "  SHA256SUMS",
        "",
        "To check that no file here was changed since:",
        "  sha256sum -c SHA256SUMS",
        "To check the log against its anchors (Python 3.9 or newer):",
        f"  python3 -I verify_log.py {mind}.mind --anchor {uuid}.log{signer}",
        "  Exit code 0 intact, 10 tampered, 11 intact with gaps, 3 cannot verify.",
    ]
    if signed:
        lines += [
            "To check who signed the data file (OpenSSL 3):",
            "  openssl pkeyutl -verify -pubin -inkey log-key.pem -rawin -in report.json -sigfile report.json.sig",
            "  Compare log-key.pem with a copy you received another way: whoever makes a package can also make a key.",
        ]
    else:
        lines += ["The data file is not signed: this computer has no place where a signing key is kept."]
    lines += ["", "To draw the sample again: the method and the seed stand in the report's section on it.", ""]
    return "\n".join(lines)
