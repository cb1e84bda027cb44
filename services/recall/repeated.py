"""What the contents say that were read, in the terms by which repetitions are known."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from palimpsest.domain.ranking.said_again import Says, denies
from palimpsest.providers.sparse import sparse_encoder
from services.recall.asking import Question
from services.recall.reading import Read

LONGEST_CHARACTERS = 300
"""What says more is no mere repetition, and would take long to be taken apart."""

_ALIKE = 0.6
"""Of the words of the shorter of two: with fewer in common neither repeats the other."""

_PARTICLES_BELOW = 4
_WORD = re.compile(r"[a-z0-9]+|[^\x00-\x7f\W]+")


def says_of(read: Read, question: Question) -> tuple[dict[str, Says], frozenset[int]]:
    """What may repeat another says, and the terms of the question, which count for neither.

    Taking a content apart costs a tenth of a millisecond, so only those are that share
    words with another; of the others nothing is to be told. A summary repeats by its nature.
    """
    contents = {one.id: one.content for one in read.memories.values()}
    contents |= {one.id: one.searched_text for one in read.turns.values()}
    short = {one: text for one, text in contents.items() if len(text) <= LONGEST_CHARACTERS}
    says = {one: _says(short[one]) for one in alike(short, question.request.query)}
    return says, frozenset(question.vectors.sparse.indices)


def alike(contents: Mapping[str, str], query: str) -> frozenset[str]:
    asked = frozenset(_pieces(query))
    words = [(one, frozenset(_pieces(text)) - asked) for one, text in contents.items()]
    found: set[str] = set()
    for place, (one, own) in enumerate(words):
        for other, others in words[:place]:
            if len(own & others) >= _ALIKE * min(len(own), len(others)):
                found |= {one, other}
    return frozenset(found)


def _pieces(text: str) -> Iterator[str]:
    """Words, of Latin ones those that are not mostly particles; of other scripts each character."""
    for word in _WORD.findall(text.lower()):
        if not word.isascii():
            yield from word
        elif len(word) >= _PARTICLES_BELOW:
            yield word


@lru_cache(maxsize=8_192)
def _says(content: str) -> Says:
    return Says(sparse_encoder().rarities(content).words, denies(content))
