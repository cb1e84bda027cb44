"""Habits in Chinese, and their end: 烟我不抽了, 戒奶茶了, 不跑昆明那条线了. Pure.

“不抽了” of this evening ends no habit: what is only left out today, or said on the way to bed,
tells of one time.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.rule_tables import forget_when_switched, read_pieces

HABIT_VERBS = read_pieces("plans/chinese_habits")["VERBS"]
_VERB = f"[{HABIT_VERBS}]"
_PHRASES = read_phrases("plans/chinese_habits")
_FARTHEST = 6
"""The most characters between a verb and its object: 跑绵阳到昆明, 奶茶只喝三分糖."""


class AbandonedHabit(NamedTuple):
    """A habit that was given up."""

    what: str
    verb: str | None
    """The verb of the habit; None for any."""


@forget_when_switched
@lru_cache(maxsize=4096)
def find_abandoned_habit(content: str) -> AbandonedHabit | None:
    if _PHRASES["this_time"].search(content):
        return None
    for match in _PHRASES["given_up"].finditer(content):
        verb = match.groupdict().get("verb")
        what = _PHRASES["around_what"].sub("", match["what"]).removeprefix(verb or "")
        if not what or _PHRASES["no_thing"].search(what):
            continue
        if verb or len(what) > 1 or what in "烟酒":
            return AbandonedHabit(what, verb)
    return None


def is_habitual(content: str) -> bool:
    return _PHRASES["habitual"].search(content) is not None


def names_habit(habit: str, over: AbandonedHabit) -> bool:
    """Tell whether this is the given-up habit."""
    what, between = re.escape(over.what), rf"[^，,。；;]{{0,{_FARTHEST}}}?"
    if over.verb is None:
        return re.search(rf"{_VERB}{between}{what}|{what}{between}{_VERB}", habit) is not None
    if len(over.what) == 1:
        return over.verb + over.what in habit
    return re.search(rf"{over.verb}{between}{what}|{what}{between}{over.verb}", habit) is not None
