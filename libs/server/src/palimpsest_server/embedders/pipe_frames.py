"""Messages over a pipe: four bytes of length, then that many bytes of JSON."""

import asyncio
import json
import struct
from typing import IO, Any

_LENGTH = struct.Struct(">I")


def pack_frame(message: Any) -> bytes:
    body = json.dumps(message).encode("ascii")
    return _LENGTH.pack(len(body)) + body


def read_frame(stream: IO[bytes]) -> Any:
    """Read the next message.

    Raises:
        EOFError: the other side has closed the pipe.
    """
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return json.loads(_exactly(stream, length))


async def receive_frame(stream: asyncio.StreamReader) -> Any:
    """Receive the next message.

    Raises:
        asyncio.IncompleteReadError: the other side has closed the pipe.
    """
    (length,) = _LENGTH.unpack(await stream.readexactly(_LENGTH.size))
    return json.loads(await stream.readexactly(length))


def _exactly(stream: IO[bytes], size: int) -> bytes:
    chunk = stream.read(size)
    if len(chunk) < size:
        raise EOFError
    return chunk
