"""Where things are: the data folder, each mind's file, the bundled resources."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

import hivemind

APP_NAME = "Hive-Mind"
MIND_SUFFIX = ".mind"
PERSONAL = "personal"


def app_version() -> str:
    """The version of this installation."""
    return hivemind.__version__


def default_data_dir() -> Path:
    """`HIVE_MIND_DATA_DIR`, else the platform's user-data folder."""
    override = os.environ.get("HIVE_MIND_DATA_DIR")
    return Path(override).expanduser() if override else Path(platformdirs.user_data_dir(APP_NAME, appauthor=False))


def resource_path(*parts: str) -> Path:
    """A bundled resource: beside the frozen program, else in the source tree's `resources/`."""
    bundle = getattr(sys, "_MEIPASS", None)
    root = Path(bundle) if bundle else Path(__file__).resolve().parents[2]
    return root.joinpath("resources", *parts)


@dataclass(frozen=True, slots=True)
class DataDir:
    """Names of everything below one data folder. Makes folders only when asked (`prepare`)."""

    root: Path

    @property
    def minds(self) -> Path:
        return self.root / "minds"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def anchors(self) -> Path:
        return self.root / "anchors"

    @property
    def erasures(self) -> Path:
        """Receipts of what was erased."""
        return self.root / "erasures"

    @property
    def spool(self) -> Path:
        return self.root / "spool"

    @property
    def install_db(self) -> Path:
        return self.root / "install.db"

    @property
    def settings_file(self) -> Path:
        return self.root / "settings.json"

    @property
    def endpoints_file(self) -> Path:
        return self.root / "endpoints.json"

    @property
    def prices_file(self) -> Path:
        return self.root / "prices.json"

    def mind(self, workspace: str) -> Path:
        """The file of a workspace. The id must already have passed `workspaces.guard`."""
        return self.minds / f"{workspace}{MIND_SUFFIX}"

    def prepare(self) -> None:
        """Make the folders, readable by the owner only. Raises OSError when the place cannot be written."""
        for folder in (self.root, self.minds, self.backups, self.spool):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if sys.platform != "win32":
            self.root.chmod(0o700)
