"""How much of the disk Hive-Mind uses and for what, measured."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from hivemind.domain.upkeep import StorageFacts
from hivemind.engine.context import Context
from hivemind.engine.model_service import ModelService
from hivemind.mind.sizes import bytes_per_kind

#: Kind of the bytes that are not in the file itself yet.
JOURNAL = "journal"


class StorageService:
    """Reads sizes; changes nothing."""

    def __init__(self, context: Context, models: ModelService) -> None:
        self._context = context
        self._models = models

    async def facts(self, workspace: str) -> StorageFacts:
        """Of one mind by kind, and of everything beside it. Reads the mind's whole file once."""
        mind = await self._context.mind(workspace)
        kinds = await mind.read(lambda tx: bytes_per_kind(tx.connection))
        model = (await self._models.place()).path
        return await asyncio.to_thread(self._beside, workspace, mind.path, kinds, model)

    def _beside(self, workspace: str, path: Path, kinds: dict[str, int], model: str) -> StorageFacts:
        data = self._context.data
        own = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))]
        mind = sum(_size(file) for file in own)
        # What was written lately stands in the journal beside the file and takes room until it is merged.
        journal = mind - sum(kinds.values())
        kinds = {**kinds, JOURNAL: journal} if journal > 0 else kinds
        minds, backups, everything = _folder(data.minds), _folder(data.backups), _folder(data.root)
        return StorageFacts(
            workspace=workspace,
            mind=mind,
            kinds=tuple(sorted(kinds.items(), key=lambda pair: -pair[1])),
            backups=backups,
            other_minds=max(0, minds - mind),
            model=_folder(Path(model)) if model else 0,
            rest=max(0, everything - minds - backups),
            free=shutil.disk_usage(data.root).free,
        )


def _folder(place: Path) -> int:
    return sum(_size(file) for file in place.rglob("*")) if place.is_dir() else 0


def _size(file: Path) -> int:
    """0 for what is not there or goes away just now."""
    try:
        return file.stat().st_size if file.is_file() and not file.is_symlink() else 0
    except OSError:
        return 0
