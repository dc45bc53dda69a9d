"""A real HTTP server on this computer that speaks OpenAI's interface for embeddings, well or as badly as it is told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tests.core.llm.scripted_service import status
from tests.samples.encoders import encoded

#: What a badly behaved one answers instead, from the request's body; None = the right answer.
Misdeed = Callable[[Any], bytes | None]


def vector_of(text: str, width: int) -> list[float]:
    """Words of one meaning give one vector (as `tests.samples.encoders`); not of unit length."""
    whole = encoded(text, "hosted").pooled.astype(np.float64)
    return [round(float(x), 6) for x in (whole[:width] if width <= 1024 else np.resize(whole, width)) * 3.0]


def answer_of(body: Any, width: int, **more: Any) -> bytes:
    texts = body["input"]
    data = [{"object": "embedding", "index": n, "embedding": vector_of(text, width)} for n, text in enumerate(texts)]
    tokens = sum(len(text) for text in texts)
    told = {"object": "list", "data": data, "model": body["model"], "usage": {"prompt_tokens": tokens}} | more
    return status(200, json.dumps(told).encode())


@dataclass
class EmbeddingServer:
    """`width`: numbers of a vector; `shortens`: whether it heeds `dimensions`. Keeps what it was asked."""

    width: int = 1024
    shortens: bool = False
    misdeed: Misdeed | None = None
    delay: float = 0.0
    port: int = 0
    heads: list[bytes] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)
    _server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def texts(self) -> list[str]:
        return [text for body in self.bodies for text in body["input"]]

    async def start(self) -> EmbeddingServer:
        """Begin to listen; where it listened before, if it did."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            (size,) = [
                int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
            ]
            body = json.loads(await reader.readexactly(size))
            self.heads.append(head)
            self.bodies.append(body)
            await asyncio.sleep(self.delay)
            writer.write((self.misdeed(body) if self.misdeed else None) or self._right(body))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _right(self, body: Any) -> bytes:
        asked = body.get("dimensions")
        if asked is not None and not self.shortens:
            return status(400, b'{"error": {"message": "unknown parameter"}}')
        return answer_of(body, asked or self.width)
