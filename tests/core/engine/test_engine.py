"""What loading the engine costs: kits that a start does not need come in at their first use."""

from __future__ import annotations

import subprocess
import sys

#: The HTTP client, the SDK, the key store, signatures, the report, YAML, guesses at encodings, the model's runtime.
LATER = (
    "httpx2", "httpcore2", "openai", "keyring", "cryptography", "weasyprint", "jinja2", "pypdf", "frontmatter", "yaml",
    "charset_normalizer", "numpy", "onnxruntime", "tokenizers",
)  # fmt: skip


def loaded_by(statement: str) -> set[str]:
    """Top names of the modules that a fresh interpreter holds after a statement."""
    script = f"{statement}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    return set(done.stdout.split())


def test_loading_the_engine_loads_no_kit_that_a_start_does_not_need() -> None:
    assert loaded_by("import hivemind.engine").isdisjoint(LATER)


def test_the_command_line_loads_none_either() -> None:
    assert loaded_by("import hivemind.sidecar.app").isdisjoint(LATER)


def test_each_of_them_would_be_seen() -> None:
    """The names are right: what brings them in does load them."""
    used = "hivemind.net.client.transport", "hivemind.gateway.signing; hivemind.gateway.signing.SigningKey.generate()"
    found = loaded_by("; ".join(f"import {one}" for one in used))
    assert {"httpx2", "httpcore2", "cryptography"} <= found
