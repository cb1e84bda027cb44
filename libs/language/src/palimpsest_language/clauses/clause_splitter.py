"""Splits a message into sentences and their clauses, in either language."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.clauses.brackets import balance_brackets, drop_places_inside_brackets
from palimpsest_language.clauses.chinese import find_chinese_boundaries, strip_list_number
from palimpsest_language.clauses.clause import Clause
from palimpsest_language.clauses.english import find_english_boundaries
from palimpsest_language.clauses.sentences import (
    MAXIMUM_SENTENCE_CHARACTERS,
    SENTENCE_CACHE_SIZE,
    split_sentences,
)

_QUESTION_MARK = re.compile(r"[?？][\"'”’」）)!！?？~～\W]*$")
_TAG_QUESTION = re.compile(
    (
        r"[,，]\s*(?:remember|right|ok(?:ay)?|yeah|you know|eh|huh|see|haha|对吧|是吧|好吧|记得吧"
        r"|哈)\s*[?？]+\W*$"
    ),
    re.IGNORECASE,
)
"""A tag question: it asks for agreement, and the words before it are a statement."""
_AROUND = " \t\n,，;；.。!！?？:：、…~～—–-()（）\"“”'‘’`*"
_LINK_BEHIND = re.compile(r"(?:[\s,;]+(?:and|but|so|or|then|because|plus))+[\s,;]*$", re.IGNORECASE)
"""A conjunction at the end; it belongs to the next clause."""


def split_clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of a text, in order; code, quoted lines and long sentences are skipped."""
    for sentence in split_sentences(text):
        if len(sentence) <= MAXIMUM_SENTENCE_CHARACTERS:
            yield from _clauses(sentence)


@lru_cache(maxsize=SENTENCE_CACHE_SIZE)
def _clauses(sentence: str) -> tuple[Clause, ...]:
    return tuple(_apart(sentence))


def _apart(sentence: str) -> Iterator[Clause]:
    boundaries = find_chinese_boundaries if has_chinese(sentence) else find_english_boundaries
    asks = _QUESTION_MARK.search(sentence) and not _TAG_QUESTION.search(sentence)
    starts = [0, *drop_places_inside_brackets(sentence, boundaries(sentence)), len(sentence)]
    found = []
    for low, high in pairwise(starts):
        text = strip_list_number(_LINK_BEHIND.sub("", sentence[low:high]), sentence)
        stripped = text.strip(_AROUND)
        if stripped:
            start = low + text.index(stripped)
            begin, end = balance_brackets(sentence, start, start + len(stripped)) or (
                start,
                start + len(stripped),
            )
            found.append((sentence[begin:end], begin))
    for place, (stripped, start) in enumerate(found):
        last = place == len(found) - 1
        yield Clause(stripped, sentence, start, asks=bool(asks) and last, opens=place == 0)
