"""Clauses not worth keeping: the weather, what is soon over, what only the talk could name."""

import re

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("statements/small_talk")
_ENGLISH_SMALL_TALK = _PHRASES["english_small_talk"]
_OF_NOTHING = _PHRASES["of_nothing"]
_CHINESE_SMALL_TALK = _PHRASES["chinese_small_talk"]
_AGENDA = _PHRASES["agenda"]
_PASSING = _PHRASES["passing"]
_MOMENTS = read_phrases("statements/passing_moments")["passing"]
_COMMA = re.compile(r"[，,；;]|\band (?=(?:the user|they|I|my|we|it)\b)")


def is_agenda(text: str) -> bool:
    """Return what is to be talked about, and not yet what was said of it: 今天要有结论."""
    return _AGENDA.search(text) is not None


def is_taste_without_object(text: str) -> bool:
    """A taste for what only the talk itself could name: "I don't buy it"."""
    return _OF_NOTHING.search(text) is not None


def is_small_talk(text: str, *, chinese: bool) -> bool:
    return bool((_CHINESE_SMALL_TALK if chinese else _ENGLISH_SMALL_TALK).search(text))


def is_passing(text: str) -> bool:
    """The weather, the traffic and the hunger of a day, with a number or without: soon over."""
    if is_moment(text):
        return True
    parts = [part for part in _COMMA.split(text.strip()) if part]
    if parts == [text]:
        return False
    return bool(parts) and all(is_moment(part.strip()) for part in parts)


def is_moment(text: str, *, opens: bool = True) -> bool:
    """Tell whether words say one such thing; `opens` if they stand before all else."""
    if opens and _PASSING.search(text) is not None:
        return True
    return any(opens or not phrase.columns.get("opens") for phrase, _ in _MOMENTS.find_each(text))
