"""Completeness: whether a clause says enough to be kept."""

import re

from palimpsest.model.kind_properties import Wording
from palimpsest.model.kinds import Kind
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.statements.kind_classifier import is_exact_to_day, is_upcoming
from palimpsest_language.statements.uncued_statements import count_words, is_speaker_action
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from palimpsest_language.time_expressions.time_removal import remove_time_words

_PHRASES = read_phrases("statements/completeness")
_SHORT_ORDER = _PHRASES["short_order"]
_POINTS = _PHRASES["points"]
_WHEN_ALONE = _PHRASES["when_alone"]
_POINTS_ALONE = _PHRASES["points_alone"]
_FROM_NOW_ON = _PHRASES["from_now_on"]
_NOT_TO_FORGET = _PHRASES["not_to_forget"]
_LISTED = _PHRASES["listed"]
_WRITES_DOWN = _PHRASES["writes_down"]
_BARE = _PHRASES["bare"]


def is_dated_task(core: str, time: TimeExpression | None, said: UtteranceTime) -> bool:
    """Tell whether a clause names a task and its day; "from ten on" names no task."""
    if time is None or not is_upcoming(time, said) or not is_exact_to_day(time):
        return False
    return count_words(remove_time_words(core, time)) > 1


def min_statement_words(kind: Kind, core: str, *, chinese: bool) -> int:
    """Return the least words, or Chinese characters, of a statement of its own."""
    if chinese:
        return 3 if kind is Kind.DECISION else 4
    if kind is Kind.FEEDBACK:
        return 2
    if is_speaker_action(core):
        return 6 if kind is Kind.FACT and _POINTS_ALONE.search(core) else 2
    return 5 if _POINTS.search(core) else 3 if _SHORT_ORDER.search(core) else 2


def is_lasting_request(kind: Kind | None, core: str, coming: TimeExpression | None) -> bool:
    """Tell whether a request is for later, or to be written down."""
    if kind is Kind.ACTION_ITEM and _LISTED.search(core):
        return True
    if kind is Kind.ACTION_ITEM and _NOT_TO_FORGET.search(core):
        return True
    if kind is not None and kind.has(Wording.WISH) and _FROM_NOW_ON.search(core):
        return True
    if coming is None or not is_exact_to_day(coming):
        return False
    if kind is Kind.EVENT:
        return _WRITES_DOWN.search(core) is not None
    return kind is not None and kind.has(Wording.ERRAND)


_LEAST_OF_A_DECISION = 2


def is_decision_without_object(words: str) -> bool:
    """Tell whether a decision lacks its object: 就这个数, 不折腾, "agreed, let's do that"."""
    left = _BARE.sub(" ", words)
    return count_words(left) < _LEAST_OF_A_DECISION and not re.search(r"[A-Za-z0-9]", left)


def is_bare_promise(core: str, kind: Kind, time: TimeExpression | None) -> bool:
    """Tell whether a promise says when, but not what: 周四下班前给到."""
    if kind is not Kind.ACTION_ITEM or time is None:
        return False
    return len(_WHEN_ALONE.sub("", remove_time_words(core, time))) < 2
