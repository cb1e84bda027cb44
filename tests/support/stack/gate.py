"""Stands between one process and MongoDB, and can hold back one write that is on its way.

What is held is the bytes of a real write: whoever sent them can be stopped with
the write neither done nor undone, and the write arrives whenever the test says.
"""

import asyncio
from contextlib import suppress
from struct import pack
from typing import Self
from urllib.parse import urlsplit

_PIECE_BYTES = 64 * 1024


class Held:
    """One write: caught on its way, let through later, answered by the server."""

    def __init__(self, command: str, collection: str) -> None:
        # A command begins with its own name and the collection's, as BSON has them.
        name = collection.encode() + b"\0"
        self._mark = b"\x02" + command.encode() + b"\0" + pack("<i", len(name)) + name
        self.caught = asyncio.Event()
        self.released = asyncio.Event()
        self.answered = asyncio.Event()

    def is_in(self, piece: bytes) -> bool:
        return self._mark in piece


class WriteGate:
    """A way to MongoDB for one process. To be entered."""

    def __init__(self, mongodb_url: str) -> None:
        self._there = urlsplit(mongodb_url)
        self._server: asyncio.Server | None = None
        self._waiting_for: Held | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    @property
    def url(self) -> str:
        assert self._server is not None
        login = self._there.netloc.rpartition("@")[0]
        here = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        query = f"{self._there.query}&directConnection=true".lstrip("&")
        return self._there._replace(
            netloc=f"{login}@{here}" if login else here, path=self._there.path or "/", query=query
        ).geturl()

    def hold_next(self, command: str, collection: str) -> Held:
        """Have the next such write held back until it is released."""
        self._waiting_for = Held(command, collection)
        return self._waiting_for

    async def _carry(
        self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter
    ) -> None:
        from_server, to_server = await asyncio.open_connection(
            self._there.hostname, self._there.port
        )
        held: list[Held] = []

        async def questions() -> None:
            while piece := await from_client.read(_PIECE_BYTES):
                if (caught := self._caught(piece)) is not None:
                    held.append(caught)
                    caught.caught.set()
                    await caught.released.wait()
                to_server.write(piece)
                await to_server.drain()
            to_server.close()

        async def answers() -> None:
            while piece := await from_server.read(_PIECE_BYTES):
                to_client.write(piece)
                for one in held:
                    one.answered.set()
                await to_client.drain()
            to_client.close()

        with suppress(ConnectionError):
            await asyncio.gather(questions(), answers())

    def _caught(self, piece: bytes) -> Held | None:
        held = self._waiting_for
        if held is None or not held.is_in(piece):
            return None
        self._waiting_for = None
        return held
