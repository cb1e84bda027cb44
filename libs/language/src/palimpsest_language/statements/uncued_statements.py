"""Statements that no sign gives away: about the speaker or theirs, or with a number or a name."""

import re
from functools import lru_cache

from palimpsest_language.facts.chinese.places import names_place
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.plans.english import find_cancelled_plan
from palimpsest_language.rule_tables import forget_when_switched

_CONTENT_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+#%'’-]*|[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z][\w.+#-]*")
"""MJ Studio 用 Nuxt 4: few words, and each of them a name."""
_PHRASES = read_phrases("statements/uncued_statements")
_ABOUT_SPEAKER = _PHRASES["about_speaker"]
_VERB = _PHRASES["verb"]
_NARRATES = _PHRASES["narrates"]
_NARRATES_CHINESE = _PHRASES["narrates_chinese"]
_DEED_ALONE = _PHRASES["deed_alone"]
_SPEAKER_DOES = _PHRASES["speaker_does"]
_POINTS_AT = _PHRASES["points_at"]
_OWN = _PHRASES["own"]
_NAMES_OR_COUNTS = _PHRASES["names_or_counts"]
_LASTS = _PHRASES["lasts"]
_OF_A_THING = _PHRASES["of_a_thing"]
_OF_A_THING_CHINESE = _PHRASES["of_a_thing_chinese"]
_ORDINAL = _PHRASES["ordinal"]
_LASTING = _PHRASES["lasting"]
_THING_FIRST = _PHRASES["thing_first"]
_DONE_TO_SPEAKER = _PHRASES["done_to_speaker"]
_NUMBER = re.compile(
    r"\d|[一二两三四五六七八九十百千半]+(?:个|份|位|人|次|天|小时|分钟|秒|周|月|年|成|倍|万|百|千"
    r"|分之|条|台|家)"
)


_LEAST_WORDS = 3
_LEAST_CHARACTERS_OF_SPEAKER = 4
_LEAST_CHARACTERS_OF_A_THING = 6


def count_words(text: str) -> int:
    """Latin words and Chinese characters."""
    return len(_CONTENT_WORD.findall(text))


def count_numbers(text: str) -> int:
    return len(_NUMBER.findall(text))


@forget_when_switched
@lru_cache(maxsize=256)
def is_about_speaker(text: str) -> bool:
    return _ABOUT_SPEAKER.search(text) is not None


def is_speaker_action(text: str) -> bool:
    """It begins with "I" or "we" and a verb."""
    match = _SPEAKER_DOES.search(text)
    return match is not None and match.start() == 0


def is_action_without_subject(text: str) -> bool:
    """It begins with what was done, and leaves out who did it."""
    return _DEED_ALONE.search(text) is not None


def depends_on_conversation(text: str) -> bool:
    """Return what "I" or "we" do to something that only the talk names.

    No name, no number, no person.
    """
    if not _POINTS_AT.search(text) or _NAMES_OR_COUNTS.search(text):
        return False
    return _OWN.search(text) is None


def is_uncued_statement(
    text: str, *, of_somebody: bool, pronoun: str | None, chinese: bool
) -> bool:
    """Tell whether a clause without any sign is a statement.

    `of_somebody`: it is about a person who is known.
    """
    about = of_somebody or is_about_speaker(text)
    if chinese:
        about = about and (of_somebody or is_about_speaker(_DONE_TO_SPEAKER.sub("", text)))
        return _states_in_chinese(text, about=about, telling=of_somebody, pronoun=pronoun)
    return _states_in_english(text, about=about or pronoun is not None)


def _states_in_chinese(text: str, *, about: bool, telling: bool, pronoun: str | None) -> bool:
    named = about or len(_LATIN_WORD.findall(text)) > 1
    least = _LEAST_CHARACTERS_OF_SPEAKER if named else _LEAST_CHARACTERS_OF_A_THING
    if count_words(text) < least or (
        _NARRATES_CHINESE.search(text) and not _NAMES_OR_COUNTS.search(text)
    ):
        return False
    if not (about or pronoun) and not _is_of_a_thing(text):
        return False
    return telling or bool(_LASTS.search(text) or _NAMES_OR_COUNTS.search(text))


def has_thing_as_subject(text: str) -> bool:
    """今天食堂的红烧肉, CI: something is said of it, rather than of what somebody did."""
    return _THING_FIRST.search(text) is not None


def _is_of_a_thing(text: str) -> bool:
    return _OF_A_THING_CHINESE.search(text) is not None and has_lasting_reference(text)


def has_lasting_reference(text: str) -> bool:
    """Tell whether a statement has a name, number or place: nobody asks later for 人在心不在."""
    if _LASTING.search(text) or names_place(text):
        return True
    return _NAMES_OR_COUNTS.search(_ORDINAL.sub("", text)) is not None


def _states_in_english(text: str, *, about: bool) -> bool:
    if find_cancelled_plan(text) is not None:
        return True
    if count_words(text) < _LEAST_WORDS or (
        _NARRATES.search(text) and not _NAMES_OR_COUNTS.search(text)
    ):
        return False
    if _SPEAKER_DOES.search(text) or _DEED_ALONE.search(text):
        return True
    pattern = _VERB if about else _OF_A_THING
    return pattern.search(text) is not None
