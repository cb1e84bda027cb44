"""A rule of redaction: where a secret may stand, and whether what stands there is one."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from palimpsest_language.redaction.policy import SecretKind

MAXIMUM_JUDGED_CHARACTERS = 128

CONTEXT_CHARACTERS = 40
"""Characters before a number in which the words that name it are looked for."""

_REMAINDER = re.compile(r"[^\s\"'`“”‘’「」『』，。；、！？\u3400-\u9fff]*+")
_QUOTED_REMAINDER = re.compile(r"[^\"'`”’」』\n\\]*+")

_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[A-Za-z]")

SecretMeasure = Callable[[str, str], int]
"""How much of a candidate, from its start, is secret: 0 for none of it.

Given at most MAXIMUM_JUDGED_CHARACTERS of the candidate, and a few characters
that follow it.
"""


def measure_whole(candidate: str, _following: str) -> int:
    return len(candidate)


@dataclass(frozen=True, kw_only=True)
class SecretRule:
    """`pattern` has a group `secret`, or that and one named `quoted`: the candidate is either.

    A candidate goes on, past what is judged of it, to the end of its word or
    quotation. `hints` are in lower case: a text with none of them need not be
    searched at all, which is what nearly every message is spared by.
    """

    kind: SecretKind
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    measure: SecretMeasure = measure_whole

    def stretches(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of each secret, in order, none overlapping."""
        position = 0
        while match := self.pattern.search(text, position):
            start, end = match.span("secret")
            quoted = start < 0
            if quoted:
                start, end = match.span("quoted")
            judged = text[start : min(end, start + MAXIMUM_JUDGED_CHARACTERS)]
            length = self.measure(judged, text[end : end + 16])
            if length == 0:
                # A value that was refused may itself begin the next candidate;
                # a token that was refused is one piece.
                position = start if start > match.start() else end
                continue
            if length < len(judged):
                position = start + length
            elif end - start == MAXIMUM_JUDGED_CHARACTERS:
                position = _end_of(_QUOTED_REMAINDER if quoted else _REMAINDER, text, end)
            else:
                position = end
            yield start, position


def _end_of(remainder: re.Pattern[str], text: str, position: int) -> int:
    match = remainder.match(text, position)
    return match.end() if match else position


def is_random_looking(candidate: str) -> bool:
    """Tell whether a text has letters and digits, as generated ones do and written ones rarely."""
    return _DIGIT.search(candidate) is not None and _LETTER.search(candidate) is not None


def measure_random_looking(candidate: str, _following: str) -> int:
    return len(candidate) if is_random_looking(candidate) else 0


def has_words_before(words: re.Pattern[str], text: str, start: int) -> bool:
    return words.search(text, max(0, start - CONTEXT_CHARACTERS), start) is not None
