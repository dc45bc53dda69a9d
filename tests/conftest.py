"""Before any test module is imported: no window on a screen, and never the data folder of whoever runs the tests."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# An example may take as long as a busy machine needs; whole tests have a limit of their own.
settings.register_profile("busy", deadline=None)
settings.load_profile("busy")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Child processes inherit it too. A test that wants its own folder sets the variable or passes --data-dir.
os.environ["HIVE_MIND_DATA_DIR"] = tempfile.mkdtemp(prefix="hive-mind-tests-")
# No model is loaded in tests that are not about it; those that are give their engine an encoder, or name a folder.
os.environ["HIVE_MIND_EMBEDDER_DIR"] = "none"
# Nobody's key store is touched: here the system has none, as on a bare Debian. Tests about keys bring their own.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"


@pytest.fixture(scope="session")
def search_model() -> Path:
    """The folder of the bundled model, built now if it is not there. Skips where its parts cannot be downloaded."""
    root = Path(__file__).resolve().parents[1]
    script = root / "packaging" / "models" / "provide.py"
    done = subprocess.run([sys.executable, script, "--strict"], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(done.stdout.strip().splitlines()[-1])
    return root / "resources" / "models" / "minilm"
