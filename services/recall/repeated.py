"""What the contents say that were read, in the terms by which repetitions are known."""

from palimpsest.domain.ranking.read import Read
from palimpsest.domain.ranking.said_again import Says, says

LONGEST_CHARACTERS = 300
"""What says more is no mere repetition."""


def says_of(read: Read) -> dict[str, Says]:
    """Of memories and turns; a summary repeats by its nature."""
    contents = {one.id: one.content for one in read.memories.values()}
    contents |= {one.id: one.searched_text for one in read.turns.values()}
    return {
        identity: says(content)
        for identity, content in contents.items()
        if len(content) <= LONGEST_CHARACTERS
    }
