"""Marks on one memory in 32, by which the embedded database cuts its lists into windows.

The id alone decides which memories are marked. So every process marks the same ones, a repeated write
changes nothing, and a mark goes with its memory.
"""

from zlib import crc32

from palimpsest_server.stores.mongo.database import Document

MEMORIES_PER_MARK = 32

WINDOW_MARK = "window_mark"
"""The field of the mark. It holds the user's id, and is missing in other memories."""


def build_window_mark(memory_id: str, user_id: str) -> Document:
    """Return the field of a memory that is marked, else no field."""
    is_marked = crc32(memory_id.encode()) % MEMORIES_PER_MARK == 0
    return {WINDOW_MARK: user_id} if is_marked else {}
