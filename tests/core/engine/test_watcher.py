"""What another process writes is told to this one within a second; its own news is not told twice."""

from __future__ import annotations

import asyncio

from hivemind.domain.frames import Access
from hivemind.events import Area, MindChanged
from hivemind.mind import Mind
from hivemind.mind.saving import FrameDraft, save


def test_news_from_another_process_arrives(driver):
    heard: list[MindChanged] = []
    driver.engine.events.subscribe(lambda event: heard.append(event) if isinstance(event, MindChanged) else None)
    frame = driver.run(lambda e: e.memory.save("ours", "personal")).frame
    driver.run(lambda _: asyncio.sleep(0.7))
    driver.run(lambda e: e.memory.used("personal", [Access(frame.id, "opened")]))
    driver.run(lambda e: e.harvest.interrupted("personal"))
    driver.run(lambda _: asyncio.sleep(0.7))
    assert [event.areas for event in heard[1:]] == [{Area.USE}]
    own = len(heard)
    # A second opening of the same file, as the sidecar would have it.
    other = Mind.open(driver.engine.data.mind("personal"), "personal")
    try:
        other.submit_write(lambda tx: save(tx, FrameDraft("theirs"))).result(10)
    finally:
        other.close()

    async def wait() -> None:
        while len(heard) == own:
            await asyncio.sleep(0.05)

    driver.run(lambda _: asyncio.wait_for(wait(), 5))
    assert heard[-1].workspace == "personal"
