"""Parts of sentences that leave the statement: what is soon over, and questions behind it.

“Ugh, it's pouring and I'm starving, so I passed my driving test” tells of a test alone. A question
that follows a statement behind a comma becomes a sentence of its own, as it would otherwise make
the whole sentence one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.rule_tables import forget_when_switched
from palimpsest_language.statements.questions_and_requests import is_question
from palimpsest_language.statements.small_talk import is_moment

_PHRASES = read_phrases("statements/passing_moments")
_ASKED_BEHIND = _PHRASES["asked_behind"]
_GREETING = _PHRASES["greeting"]
_MOST_CHARACTERS = 1_500
"""Longer messages are texts rather than talk."""
_MARK = re.compile(
    r"\s*(?:,(?!\d)|[，;；…~～]+|[。！？!?\n]+|\.+(?=\s|$)|—+|\s-+\s)[\s，,。.！!～~]*"
    r"|\s+(?=(?:and|but|so)\s+(?:I|it|the|my|we|from)\b)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[。！？!?\n]|\.")
_ASKS = re.compile(r"[?？]")
_AROUND = re.compile(r"^[^\w]+|[^\w%℃°]+$")
_LASTS = re.compile(
    r"\b(?:if|when(?:ever)?|every|each|always|usually|often|unless|never)\b"
    r"|如果|要是|只要|每[天次周年到逢]|总是?|经常|老是|平时|一[到吃喝碰紧受]|容易|的时候|因为",
    re.IGNORECASE,
)
"""Words of what goes on or depends on something: its parts belong together."""
_SAYS_OF_ITS_OWN = re.compile(
    r"^(?:(?:and|but|so) )?(?:I|it|we|the|my|just|please|ignore|feeling|starving|got|what a)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Part:
    text: str
    mark: str
    opens: bool
    """True for the first part of its sentence."""
    sentence: str

    @property
    def ends(self) -> bool:
        return not self.mark or _ENDS.search(self.mark) is not None


def leave_passing_out(text: str) -> str:
    """Return a message without what is soon over, and with its last questions apart."""
    if len(text) > _MOST_CHARACTERS:
        return text
    kept: list[str] = []
    greeting: list[str] = []
    is_within = False
    for part in _parts(text):
        if not is_within and _GREETING.search(_AROUND.sub("", part.text)):
            greeting += [part.text, part.mark]
            continue
        if _is_left_out(part, first=not is_within):
            if is_within:
                kept[-1] = part.mark if part.ends else "\n"
            greeting, is_within = [], False
            continue
        if is_within and part.ends and _is_asked(part.text):
            kept[-1] = "\n"
        kept += [*greeting, part.text, part.mark]
        greeting, is_within = [], not part.ends
    kept += greeting
    return "".join(kept)


def _parts(text: str) -> Iterator[_Part]:
    start = sentence_start = 0
    marks = [*_MARK.finditer(text), None]
    ends = [
        mark.end() if mark else len(text)
        for mark in marks
        if mark is None or _ENDS.search(mark.group())
    ]
    for mark in marks:
        stop = mark.start() if mark else len(text)
        closing = next(end for end in ends if end >= stop)
        sentence = text[sentence_start:closing]
        opens = start == sentence_start
        part = _Part(text[start:stop], mark.group() if mark else "", opens, sentence)
        if part.text or part.mark:
            yield part
        start = mark.end() if mark else len(text)
        if part.ends:
            sentence_start = start


def _is_left_out(part: _Part, *, first: bool) -> bool:
    words = _AROUND.sub("", part.text)
    if not words or _ASKS.search(part.mark):
        return False
    chinese = has_chinese(words)
    if not first:
        if _LASTS.search(part.sentence):
            return False
        if not chinese and _SAYS_OF_ITS_OWN.match(words) is None:
            return False
    return _is_soon_over(words, first=first)


@forget_when_switched
@lru_cache(maxsize=1024)
def _is_soon_over(words: str, *, first: bool) -> bool:
    return is_moment(words, opens=first)


def _is_asked(words: str) -> bool:
    plain = _AROUND.sub("", words)
    if has_chinese(plain):
        return is_question(plain, chinese=True)
    return _ASKED_BEHIND.search(plain) is not None
