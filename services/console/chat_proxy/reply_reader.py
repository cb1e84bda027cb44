"""Reads the text of an answer while its bytes pass by."""

import zlib
from collections.abc import Callable

from pydantic_core import from_json

from services.console.chat_proxy.chat_dialects import ChatDialect

_MOST_HELD_BYTES = 8 * 1024 * 1024
"""The most bytes of an unstreamed answer, or of one event. Larger ones are passed on unread."""

READABLE_ENCODINGS = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})


class StreamedReplyReader:
    def __init__(self, dialect: ChatDialect, *, content_type: str, content_encoding: str) -> None:
        self._dialect = dialect
        self.is_stream = content_type.partition(";")[0].strip().lower() == "text/event-stream"
        self.is_over = False
        """True after the last event of a stream."""
        self._words: list[str] = []
        self._held = b""
        encoding = content_encoding.strip().lower()
        self._gave_up = encoding not in READABLE_ENCODINGS
        self._decode = _choose_decoder(encoding)

    def feed(self, chunk: bytes) -> None:
        """Read a chunk. Unreadable bytes end the reading, but not the answer."""
        if self._gave_up:
            return
        try:
            self._held += self._decode(chunk)
            if self.is_stream:
                *lines, self._held = self._held.split(b"\n")
                for line in lines:
                    self._read_line(line)
        except (zlib.error, ValueError, TypeError, AttributeError, KeyError):
            self._give_up()
        if len(self._held) > _MOST_HELD_BYTES:
            self._give_up()

    def read_words(self) -> str:
        """Return the text so far."""
        if self.is_stream or self._gave_up:
            return "".join(self._words)
        try:
            return self._dialect.read_answer(from_json(self._held))
        except (ValueError, TypeError, AttributeError, KeyError):
            return ""

    def _read_line(self, line: bytes) -> None:
        name, _, data = line.partition(b":")
        if name != b"data":
            return
        data = data.strip()
        if self._dialect.is_last(data):
            self.is_over = True
        elif data.startswith(b"{"):
            self._words.append(self._dialect.read_event(from_json(data)))

    def _give_up(self) -> None:
        self._gave_up, self._held = True, b""


def _choose_decoder(encoding: str) -> Callable[[bytes], bytes]:
    if encoding in {"", "identity"}:
        return bytes
    # With 32 added, zlib detects gzip and zlib by itself.
    return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress
