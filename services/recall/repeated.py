"""What the contents say that were read, in the terms by which repetitions are known."""

from functools import lru_cache

from palimpsest.domain.ranking.said_again import Says, denies
from palimpsest.providers.sparse import sparse_encoder
from services.recall.reading import Read

LONGEST_CHARACTERS = 300
"""What says more is no mere repetition, and would take long to be taken apart."""


def says_of(read: Read) -> dict[str, Says]:
    """Of memories and turns; a summary repeats by its nature."""
    contents = {one.id: one.content for one in read.memories.values()}
    contents |= {one.id: one.searched_text for one in read.turns.values()}
    return {
        identity: _says(content)
        for identity, content in contents.items()
        if len(content) <= LONGEST_CHARACTERS
    }


@lru_cache(maxsize=8_192)
def _says(content: str) -> Says:
    return Says(sparse_encoder().rarities(content).words, denies(content))
