"""Requests to keep something off the record: it stays in the conversation, unremembered."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from palimpsest_language.audiences import names_other_agents
from palimpsest_language.off_the_record.request_patterns import FoundRequest, RequestPattern
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.rule_tables import forget_when_switched, note_match
from palimpsest_language.vocabulary.simplified_characters import simplify_characters

_REQUESTS = (
    RequestPattern("off_the_record/english_requests"),
    RequestPattern("off_the_record/chinese_requests"),
)
_PHRASES = read_phrases("off_the_record/request_phrases")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_CLAUSE_END = re.compile(
    r"[.!?,;](?=\s|$)|[。！？，；\n]|\s(?:[-–—]|please|pls|thanks|because|since|ok|okay)(?=\W|$)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w")
_NEAR = 12


class WithholdingTarget(NamedTuple):
    """The other messages of the same person that a request is about."""

    before: bool = False
    """True for the message before: “don’t remember that” without content of its own."""
    after: bool = False
    """True for the next message: “don’t save this next thing”."""
    about: str = ""
    """The named content; the message before is meant if it says the same."""
    alone: bool = False
    """True if nothing else is said."""


class _Asked(NamedTuple):
    until: int
    """The position where recordable text begins again."""
    reach: WithholdingTarget


def extract_recordable_text(text: str) -> str:
    """Return the part of a message that may be remembered: the text behind a request.

    It is empty if the message begins with a request about what follows. Without a request it is the
    whole message.
    """
    asked = _asked(text)
    return text if asked is None else text[asked.until :]


def asks_not_to_remember(text: str) -> bool:
    return _asked(text) is not None


def find_withholding_target(text: str) -> WithholdingTarget:
    """Return the other messages that the request is about."""
    asked = _asked(text)
    return WithholdingTarget() if asked is None else asked.reach


@forget_when_switched
@lru_cache(maxsize=4096)
def _asked(text: str) -> _Asked | None:
    text = simplify_characters(text)
    asks = sorted(_find_requests(text))
    return None if not asks else _Asked(_until(text, asks), _reach(text, asks))


def _find_requests(text: str) -> Iterator[tuple[int, int]]:
    for pattern in _REQUESTS:
        for request in pattern.find_all(text):
            if not (
                _is_about_files(text, request)
                or _is_about_lessons(text, request)
                or _is_about_other_agents(text, request)
            ):
                note_match(request.rule)
                yield request.start, request.end


def _is_about_files(text: str, request: FoundRequest) -> bool:
    words = text[request.start : request.end]
    if _says(words, "of_memory"):
        return False
    before = text[max(0, request.start - _NEAR) : request.start]
    return _says(words, "about_files") or _says(before, "a_file")


def _is_about_other_agents(text: str, request: FoundRequest) -> bool:
    """Tell whether it is a secret from other assistants, which the one spoken to may remember."""
    is_secrecy = _says(text[request.start : request.end], "of_secrecy")
    return is_secrecy and names_other_agents(text)


def _is_about_lessons(text: str, request: FoundRequest) -> bool:
    before = text[max(0, request.start - _NEAR) : request.start]
    behind = text[request.end :]
    about = _says(before, "lessons_before") or _says(behind, "lessons_behind")
    return about and not _says(text, "secret")


def _until(text: str, asks: list[tuple[int, int]]) -> int:
    start, end = asks[-1]
    begins = _SENTENCE_END.search(text[:start].strip()) is None and not _says(
        text[:start], "slipped"
    )
    closing = _SENTENCE_END.search(text, end)
    until = closing.end() if closing else len(text)
    words = _words(text, (start, end))
    is_ahead = _says(words, "ahead") or (begins and _says(words, "points_ahead"))
    return len(text) if is_ahead else until


def _reach(text: str, asks: list[tuple[int, int]]) -> WithholdingTarget:
    first, last = asks[0], asks[-1]
    lead, tail = text[: first[0]], text[last[1] :]
    between = "".join(text[end:start] for (_, end), (start, _) in pairwise(asks))
    announced = _PHRASES["announces"].sub("", lead)
    is_announced, led_in = announced != lead, _is_nothing(announced)
    is_ahead = any(_says(_words(text, each), "ahead") for each in asks)
    follows = _is_nothing(_PHRASES["reason"].sub("", tail))
    about = _about(text, first)
    back = _says(lead, "slipped") or (
        _says(text[slice(*first)], "back") and not tail.lstrip().startswith((":", "："))
    )
    ahead = is_ahead or (is_announced and led_in)
    return WithholdingTarget(
        before=led_in and not ahead and not about and (follows or back),
        after=ahead and follows,
        about=about if led_in and not ahead else "",
        alone=led_in and follows and _is_nothing(between) and not is_announced,
    )


def _says(words: str, sign: str) -> bool:
    return _PHRASES[sign].search(words) is not None


def _words(text: str, ask: tuple[int, int]) -> str:
    """Yield a request with the colon behind it, which points ahead if nothing follows."""
    start, end = ask
    return text[start : end + 2] if text[end:].strip() in {":", "："} else text[start:end]


def _about(text: str, ask: tuple[int, int]) -> str:
    """Return the words behind “don’t remember that”, up to the end of the clause."""
    start, end = ask
    for match in _PHRASES["own"].finditer(text, start):
        if match.start() > end or _PHRASES["spoke"].search(text[match.end() :]):
            continue
        closing = _CLAUSE_END.search(text, match.end())
        return text[match.end() : closing.start() if closing else len(text)]
    return ""


def _is_nothing(text: str) -> bool:
    """Tell whether only words like "oh wait, please" are left."""
    return _WORD.search(_PHRASES["filler"].sub("", text)) is None
