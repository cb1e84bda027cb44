"""A vendor's server of which a test decides every byte: chunks as they are sent, gaps, and early ends."""

import asyncio
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic_core import from_json

Chunk = bytes | asyncio.Event | Literal["dies"]
"""Bytes to send, an event to wait for, or the end of the connection."""

DIES: Chunk = "dies"


@dataclass(frozen=True, kw_only=True)
class UpstreamAnswer:
    chunks: Sequence[Chunk] = ()
    """An event among them is waited for."""
    status: int = 200
    media_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)

    def gzipped(self) -> "UpstreamAnswer":
        """Each chunk compressed for itself, as servers that flush do."""
        packer = zlib.compressobj(wbits=31)
        packed: list[Chunk] = []
        for chunk in self.chunks:
            assert isinstance(chunk, bytes)
            packed.append(packer.compress(chunk) + packer.flush(zlib.Z_SYNC_FLUSH))
        packed.append(packer.flush())
        headers = {**self.headers, "content-encoding": "gzip"}
        return UpstreamAnswer(
            chunks=packed, status=self.status, media_type=self.media_type, headers=headers
        )


@dataclass(frozen=True)
class UpstreamRequest:
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return from_json(self.body)


class ChatUpstream:
    """Answers by its script, the last answer again and again. Keeps all that it was asked."""

    def __init__(self) -> None:
        self.url = ""
        self.script: list[UpstreamAnswer] = []
        self.asked: list[UpstreamRequest] = []
        self.client_left = asyncio.Event()
        self.serving: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            request = await _read_request(reader)
            for work in (self._answer(request, writer), self._watch(reader)):
                self.serving.add(asyncio.create_task(work))

    async def _watch(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            await reader.read()
        self.client_left.set()

    async def _answer(self, request: UpstreamRequest, writer: asyncio.StreamWriter) -> None:
        self.asked.append(request)
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        head = {
            "content-type": answer.media_type,
            "transfer-encoding": "chunked",
            "connection": "close",
            **answer.headers,
        }
        lines = [f"HTTP/1.1 {answer.status} As Told", *(f"{k}: {v}" for k, v in head.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        for chunk in answer.chunks:
            if isinstance(chunk, asyncio.Event):
                await chunk.wait()
            elif chunk == DIES:
                writer.transport.abort()
                return
            else:
                assert isinstance(chunk, bytes)
                writer.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        writer.write(b"0\r\n\r\n")
        writer.close()


async def _read_request(reader: asyncio.StreamReader) -> UpstreamRequest:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.split(": ", 1) for line in head[1:] if line)
    headers = {name.lower(): value for name, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return UpstreamRequest(head[0].split(" ")[1], headers, body)


@asynccontextmanager
async def chat_upstream() -> AsyncIterator[ChatUpstream]:
    upstream = ChatUpstream()
    server = await asyncio.start_server(upstream.serve, "127.0.0.1", 0, limit=2**26)
    port = server.sockets[0].getsockname()[1]
    upstream.url = f"http://127.0.0.1:{port}"
    try:
        yield upstream
    finally:
        server.close()
        for task in upstream.serving:
            task.cancel()
