"""Cut a text short at the end of a sentence, in English and Chinese."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

_ENDS = re.compile(
    r"[。！？!?…]+[”’」』）)\"']*"
    # A full stop ends a sentence only if a new one may follow, and not after a title or an initial.
    r"|(?<!\b[A-Z])(?<!\b[DMSJ]r)(?<!\bM[st])(?<!\bSt)(?<!\bMrs)(?<!\bProf)(?<!\b[ei]\.[ge])"
    r"\.[”’)\"']*(?=\s+[^a-z\s]|\s*$)"
    r"|[^\S\n]*\n"
)
_WORD_ENDS = re.compile(r"(?<=\S)(?=\s)|(?<=[\u3040-\u9fff])(?=\S)")

_POINTS = " \n,;:、，；："
"""Characters removed before an ellipsis."""


def truncate_text(text: str, fits: Callable[[str], bool]) -> str:
    """Return the whole text if it fits, else as many of its first sentences as fit.

    If the first sentence is too long, it is cut after a word, with an ellipsis. If not even a word
    fits, the result is empty.
    """
    return truncate_to_sentences(text, fits) or _longest(
        [end.start() for end in _WORD_ENDS.finditer(text)],
        lambda end: f"{text[:end].rstrip(_POINTS)}…",
        fits,
    )


def truncate_to_sentences(text: str, fits: Callable[[str], bool]) -> str:
    """Return the whole text if it fits, else as many of its first sentences as fit; possibly none."""
    if fits(text):
        return text
    ends = [end.end() for end in _ENDS.finditer(text)]
    return _longest(ends, lambda end: text[:end].rstrip(), fits)


def _longest(
    ends: Sequence[int], beginning: Callable[[int], str], fits: Callable[[str], bool]
) -> str:
    # A longer text takes at most a token or two less, so bisection finds how many sentences fit.
    fitting = bisect_right(ends, 0, key=lambda end: 0 if fits(beginning(end)) else 1)
    while fitting and not fits(beginning(ends[fitting - 1])):
        fitting -= 1
    return beginning(ends[fitting - 1]) if fitting else ""
