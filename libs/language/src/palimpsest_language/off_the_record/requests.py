"""Requests to keep something off the record.

It stays in the conversation, and nothing is made of it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from palimpsest_language.off_the_record import chinese, english
from palimpsest_language.vocabulary.simplified_characters import simplify_characters

_WORDS_OF = (english, chinese)
_POINTS_AHEAD = re.compile(r"\bthis\b|\bthese\b|这", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_NEAR = 12
_WORD = re.compile(r"\w")
_OF_MEMORY = re.compile(r"记忆|密码")
_SPOKE = re.compile(
    (
        r"I(?:['’]ve| have)?(?: just| ever| only| already| even)* "
        r"(?:said|told|mentioned|wrote|brought)\b"
    ),
    re.IGNORECASE,
)
_FILLER = re.compile(
    rf"(?<![a-z'’])(?:{english.FILLERS})(?![a-z'’])|{chinese.FILLERS}", re.IGNORECASE
)


class WithholdingTarget(NamedTuple):
    """Which other messages of whoever asks a request is about."""

    before: bool = False
    """The message before: “don't remember that” means nothing in its own message."""
    after: bool = False
    """The one that comes next: “don't save this next thing”."""
    about: str = ""
    """What it names itself: the one before is meant if it says the same."""
    alone: bool = False
    """Whether nothing else is said."""


class _Asked(NamedTuple):
    until: int
    """Where what may be remembered begins again."""
    reach: WithholdingTarget


def extract_recordable_text(text: str) -> str:
    """The part of a message that may be remembered: what was said after asking that it be not.

    Nothing where it begins with that and points ahead; all of it where nobody asks.
    """
    asked = _asked(text)
    return text if asked is None else text[asked.until :]


def asks_not_to_remember(text: str) -> bool:
    return _asked(text) is not None


def find_withholding_target(text: str) -> WithholdingTarget:
    """Return what the message asks about other messages: of itself `on_the_record` tells."""
    asked = _asked(text)
    return WithholdingTarget() if asked is None else asked.reach


@lru_cache(maxsize=4096)
def _asked(text: str) -> _Asked | None:
    text = simplify_characters(text)
    lowered = text.lower()
    asks = sorted(
        ask for words in _WORDS_OF for ask in _asks(words.ASKED, words.HINTS, text, lowered)
    )
    return None if not asks else _Asked(_until(text, asks), _reach(text, asks))


def _asks(
    asked: re.Pattern[str], hints: tuple[str, ...], text: str, lowered: str
) -> Iterator[tuple[int, int]]:
    if any(hint in lowered for hint in hints):
        for match in asked.finditer(text):
            if not (_is_about_files(text, match) or _is_about_lessons(text, match)):
                yield match.span()


def _is_about_files(text: str, match: re.Match[str]) -> bool:
    words, start = match.group(), match.start()
    if _OF_MEMORY.search(words):
        return False
    before = text[max(0, start - _NEAR) : start]
    return bool(chinese.ABOUT_FILES.search(words) or chinese.A_FILE.search(before))


def _is_about_lessons(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _NEAR) : match.start()]
    about = chinese.LESSONS_BEFORE.search(before) or chinese.LESSONS_BEHIND.match(text, match.end())
    return about is not None and chinese.SECRET.search(text) is None


def _until(text: str, asks: list[tuple[int, int]]) -> int:
    start, end = asks[-1]
    begins = _SENTENCE_END.search(text[:start].strip()) is None and not _any(
        text[:start], "SLIPPED"
    )
    closing = _SENTENCE_END.search(text, end)
    until = closing.end() if closing else len(text)
    words = _words(text, (start, end))
    is_ahead = _any(words, "AHEAD")
    return len(text) if is_ahead or (begins and _POINTS_AHEAD.search(words)) else until


def _reach(text: str, asks: list[tuple[int, int]]) -> WithholdingTarget:
    first, last = asks[0], asks[-1]
    lead, tail = text[: first[0]], text[last[1] :]
    between = "".join(text[end:start] for (_, end), (start, _) in pairwise(asks))
    announced = _without(lead, "ANNOUNCES")
    is_announced, led_in = announced != lead, _is_nothing(announced)
    is_ahead = any(_any(_words(text, each), "AHEAD") for each in asks)
    follows = _is_nothing(_without(tail, "REASON"))
    about = _about(text, first)
    back = _any(lead, "SLIPPED") or (
        _any(text[slice(*first)], "BACK") and not tail.lstrip().startswith((":", "："))
    )
    ahead = is_ahead or (is_announced and led_in)
    return WithholdingTarget(
        before=led_in and not ahead and not about and (follows or back),
        after=ahead and follows,
        about=about if led_in and not ahead else "",
        alone=led_in and follows and _is_nothing(between) and not is_announced,
    )


def _words(text: str, ask: tuple[int, int]) -> str:
    """A request with the colon behind it, which points ahead where nothing follows."""
    start, end = ask
    return text[start : end + 2] if text[end:].strip() in {":", "："} else text[start:end]


def _about(text: str, ask: tuple[int, int]) -> str:
    """Return what stands behind “don't remember that”, up to the end of its sentence."""
    start, end = ask
    for words in _WORDS_OF:
        for match in words.OWN.finditer(text, start, len(text)):
            if match.start() > end or _SPOKE.match(text, match.end()):
                continue
            closing = _SENTENCE_END.search(text, match.end())
            return text[match.end() : closing.start() if closing else len(text)]
    return ""


def _any(words: str, what: str) -> bool:
    return any(getattr(each, what).search(words) for each in _WORDS_OF)


def _without(text: str, what: str) -> str:
    for each in _WORDS_OF:
        text = getattr(each, what).sub("", text)
    return text


def _is_nothing(text: str) -> bool:
    """Tell whether only "oh wait, please" and the like are left."""
    return _WORD.search(_FILLER.sub("", text)) is None
