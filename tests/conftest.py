"""Before any test module is imported: no window on a screen, and never the data folder of whoever runs the tests."""

from __future__ import annotations

import os
import tempfile

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Child processes inherit it too. A test that wants its own folder sets the variable or passes --data-dir.
os.environ["HIVE_MIND_DATA_DIR"] = tempfile.mkdtemp(prefix="hive-mind-tests-")
