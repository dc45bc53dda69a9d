"""A real HTTP server on this computer that speaks OpenAI's chat interface and misbehaves as it is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

STREAM_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


def chunk(text: str | None = None, *, finish: str | None = None, **more: Any) -> bytes:
    """One event of a stream."""
    delta: dict[str, Any] = {} if text is None else {"content": text}
    delta.update(more.pop("delta", {}))
    body = {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "small-1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        **more,
    }
    return b"data: " + json.dumps(body).encode() + b"\n\n"


USAGE = (
    b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"small-1","choices":[],'
    b'"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}\n\n'
)
DONE = b"data: [DONE]\n\n"
GOOD = STREAM_HEAD + chunk("The lemon ") + chunk("tree.") + chunk(finish="stop") + USAGE + DONE


def status(code: int, body: bytes = b'{"error": {"message": "no"}}', *headers: bytes) -> bytes:
    """An answer that is not a stream."""
    lines = [b"HTTP/1.1 %d X" % code, b"content-type: application/json", b"content-length: %d" % len(body), *headers]
    return b"\r\n".join([*lines, b"", body])


@dataclass
class ScriptedService:
    """Answers request after request from `script`; the last one is repeated. Keeps what it was asked."""

    script: list[bytes | Answer]
    port: int = 0
    heads: list[bytes] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            sizes = [
                int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
            ]
            body = await reader.readexactly(sizes[0] if sizes else 0)
            self.heads.append(head)
            self.bodies.append(json.loads(body) if body else None)
            answer = self.script[min(len(self.heads), len(self.script)) - 1]
            if isinstance(answer, bytes):
                writer.write(answer)
                await writer.drain()
            else:
                await answer(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def scripted(*script: bytes | Answer) -> AsyncIterator[ScriptedService]:
    """The service, while the block lasts."""
    service = ScriptedService(list(script))
    server = await asyncio.start_server(service.answer, "127.0.0.1", 0)
    service.port = server.sockets[0].getsockname()[1]
    try:
        yield service
    finally:
        server.close()
