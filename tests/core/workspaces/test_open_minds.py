"""Open minds: one opening for all who ask, and a failed one may be tried again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hivemind.errors import NotAMind, WorkspaceNotFound
from hivemind.mind import Mind
from hivemind.paths import DataDir
from hivemind.workspaces import OpenMinds


class Opener:
    def __init__(self, data: DataDir) -> None:
        self.data, self.calls = data, 0

    def __call__(self, workspace: str, create: bool) -> Mind:
        self.calls += 1
        return Mind.open(self.data.mind(workspace), workspace, create=create)


@pytest.fixture
def opener(tmp_path: Path) -> Opener:
    data = DataDir(tmp_path)
    data.prepare()
    return Opener(data)


def test_many_ask_and_one_opens(opener: Opener):
    async def work() -> None:
        minds = OpenMinds(opener.data, opener)
        found = await asyncio.gather(*(minds.get("personal") for _ in range(20)))
        assert len({id(mind) for mind in found}) == 1
        assert [mind.workspace for mind in minds.list_open()] == ["personal"]
        await minds.close_all()
        assert minds.list_open() == []

    asyncio.run(work())
    assert opener.calls == 1


def test_giving_up_does_not_stop_the_others(opener: Opener):
    async def work() -> None:
        minds = OpenMinds(opener.data, opener)
        first = asyncio.ensure_future(minds.get("personal"))
        second = asyncio.ensure_future(minds.get("personal"))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).workspace == "personal"
        await minds.close_all()

    asyncio.run(work())


def test_only_the_personal_mind_is_made_unasked(opener: Opener):
    async def work() -> None:
        minds = OpenMinds(opener.data, opener)
        with pytest.raises(WorkspaceNotFound):
            await minds.get("work")
        await minds.get("work", create=True)
        await minds.close("work")
        assert (await minds.get("work")).workspace == "work"
        await minds.close_all()

    asyncio.run(work())


def test_a_file_that_could_not_be_opened_is_tried_again(opener: Opener):
    async def work() -> None:
        minds = OpenMinds(opener.data, opener)
        file = opener.data.mind("personal")
        file.write_bytes(b"not a mind at all, only words" * 100)
        with pytest.raises(NotAMind):
            await minds.get("personal")
        file.unlink()
        assert (await minds.get("personal")).workspace == "personal"
        await minds.close_all()

    asyncio.run(work())
