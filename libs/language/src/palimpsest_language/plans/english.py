"""Plans and habits as they are told in English, and what calls them off by their name. Pure.

A plan is named by words that tell it from all else ("Tucson") and by what sort of thing it is
("trip"); a habit by words alone. "Cancelled the trip" names nothing in particular, and what
somebody may cancel, or others did, is not off: "cancelled the Tucson trip" and "doesn't go to
choir anymore" end what holds all the words that name it and is of that sort.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.plans.plan_text import PLAN_KINDS, PlanEnding, PlanText
from palimpsest_language.rule_tables import forget_when_switched
from palimpsest_language.wording.normalization import extract_gist

MEANT_IN_WORDS = PLAN_KINDS

_ALIKE = """
    trip flight fly flies travel vacation holiday getaway cruise visit journey tour go going
    goes drive driving travelling leave leaving train stay head weekend
    | appointment booking reservation session consultation checkup
    | dinner lunch brunch breakfast meal
    | party celebration | meeting call interview | class lesson course | concert gig
"""
_OF_THEIR_OWN = """
    wedding recital show date membership subscription rehearsal practice race marathon camp surgery
    operation game match tournament conference workshop viewing barbecue bbq picnic hike playdate
    ceremony move dentist vet hairdresser barber plumber electrician physio therapist babysitter
"""
_IN_GENERAL = """
    a an the my our their his her its this that these those user they them to with for in on at of
    and from by next last week month year today tomorrow tonight day morning evening afternoon
    monday tuesday wednesday thursday friday saturday sunday whole entire big little new family
    work job everything something thing stuff plan plans idea all any deadline due
"""


_CODE = re.compile(r"\b(?=\w*[a-z])(?=\w*\d)(?!\d+(?:st|nd|rd|th|am|pm|h)\b)\w{2,}\b")
"""Codes such as AM2 and 10k, of which stemming would keep only the letters; 16th is none."""


def _stems(text: str) -> frozenset[str]:
    return frozenset(extract_gist(text).split()) | frozenset(_CODE.findall(text.casefold()))


TRAVEL_STEMS = _stems(_ALIKE.split("|", maxsplit=1)[0])
_SORTS = {
    **{stem: _stems(sort) for sort in _ALIKE.split("|") for stem in _stems(sort)},
    **{stem: frozenset({stem}) for stem in _stems(_OF_THEIR_OWN)},
}
_GENERAL = _stems(_IN_GENERAL)
_NAMES_ITSELF = _stems(
    "dentist vet hairdresser barber plumber electrician physio therapist surgery operation "
    "wedding recital"
)
"""Appointments that hardly anybody has two of at a time."""

_PHRASES = read_phrases("plans/english_plans")
_DOES, _OF_OTHERS = _PHRASES["does"], _PHRASES["of_others"]
_WORDS_OF_A_HABIT = 4
_OTHERS = re.compile(
    r"^(?:the user|they|my|our)?['’]?s? ?(?:\w+ )?(?:mom|mum|mother|dad|father|parents|wife"
    r"|husband|partner|girlfriend|boyfriend|sister|brother|son"
    r"|daughter|kids?|child|children|boss|manager|friends?|cousin|aunt|uncle|niece|nephew"
    r"|grand\w+|colleagues?|roommate|neighbou?r)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"(?-i:\b[A-Z])[\w-]+(?=['’]s\b)|\bfrom (?:the )?(?P<place>[A-Z][\w-]+)")
"""The owner or origin of a thing: "Ann's party" is not the user's."""


class PlanReference(NamedTuple):
    """An ended plan: the stems of its name, and its sort; a habit has no sort."""

    names: frozenset[str]
    sort: frozenset[str]

    @property
    def is_habit(self) -> bool:
        return not self.sort


@forget_when_switched
@lru_cache(maxsize=4096)
def find_cancelled_plan(content: str, subject: str | None = None) -> PlanReference | None:
    """Return the plan that the content says is off; None without one.

    `subject` is the subject of the content, if it is not the user.
    """
    said = _without_subject(content, subject)
    if _PHRASES["uncertain"].search(said):
        return None
    for sign, sort in (("habit_is_off", frozenset[str]()), ("travel_is_off", TRAVEL_STEMS)):
        if (thing := _thing(sign, said)) is not None:
            names = _stems(thing) - _GENERAL
            return PlanReference(names, sort) if names else None
    if (thing := _thing("plan_is_off", said)) is None:
        return None
    stems = _stems(thing)
    sort = frozenset[str]().union(*(_SORTS.get(stem, ()) for stem in stems))
    names = (stems - _GENERAL - _SORTS.keys()) or (stems & _NAMES_ITSELF)
    return PlanReference(names, sort) if names and sort else None


@forget_when_switched
@lru_cache(maxsize=4096)
def find_moved_plan(content: str, subject: str | None = None) -> PlanReference | None:
    """Return the plan that the content gives another time; None without one."""
    said = _without_subject(content, subject)
    if _PHRASES["uncertain"].search(said) or (thing := _thing("plan_is_moved", said)) is None:
        return None
    stems = _telling(_stems(thing))
    sort = frozenset[str]().union(*(_SORTS.get(stem, ()) for stem in stems))
    names = (stems - _SORTS.keys()) or (stems & _NAMES_ITSELF)
    return PlanReference(names, sort) if names else None


def ends_named(said: PlanText) -> dict[PlanEnding, frozenset[str]]:
    if (off := find_cancelled_plan(said.content, said.subject)) is not None:
        return {PlanEnding.GIVEN_UP if off.is_habit else PlanEnding.CALLED_OFF: _longest(off.names)}
    if (moved := find_moved_plan(said.content, said.subject)) is not None:
        return {PlanEnding.MOVED: _longest(moved.names)}
    return {}


def _longest(names: frozenset[str]) -> frozenset[str]:
    """Return the longest name, which is in the fewest plans; an ended plan has all names."""
    return frozenset({max(names, key=lambda name: (len(name), name))})


def means(ending: PlanEnding, end: PlanText, plan: PlanText) -> bool:
    if ending is PlanEnding.MOVED:
        moved = find_moved_plan(end.content, end.subject)
        return moved is not None and _is_moved(moved, end, plan)
    off = find_cancelled_plan(end.content, end.subject)
    if off is None:
        return False
    return _is_that_habit(off, plan) if ending is PlanEnding.GIVEN_UP else _is_that_plan(off, plan)


def names_of_plan(said: PlanText) -> frozenset[str]:
    """Return the stems by which a plan or a habit may be named."""
    return _names_in(_without_subject(said.content, said.subject))


def is_meant(content: str) -> bool:
    return _PHRASES["to_come"].search(content) is not None


def is_habit(said: PlanText) -> bool:
    return said.recurs or _DOES.search(_without_subject(said.content, said.subject)) is not None


def says_nothing_else(content: str) -> bool:
    return _PHRASES["more_to_say"].search(content) is None


def _is_that_plan(off: PlanReference, plan: PlanText) -> bool:
    stems = _stems(plan.content)
    if not off.names <= stems or stems.isdisjoint(off.sort) or _OF_OTHERS.search(plan.content):
        return False
    for other in _OTHERS.finditer(plan.content):
        whose = extract_gist(other["place"] or other[0])
        if (whose in off.names) if other["place"] else (whose not in off.names and whose):
            return False
    return True


def _is_moved(moved: PlanReference, end: PlanText, plan: PlanText) -> bool:
    """Tell whether a plan has all names of the moved one, and is nobody else's."""
    stems = _stems(plan.content)
    # “The launch is pushed to May” says nothing of the launch party.
    of_its_sort = not stems.isdisjoint(moved.sort) if moved.sort else stems.isdisjoint(_SORTS)
    if not moved.names <= stems or not of_its_sort:
        return False
    return not _OF_OTHERS.search(plan.content) or _OF_OTHERS.search(end.content) is not None


def _is_that_habit(off: PlanReference, habit: PlanText) -> bool:
    said = _without_subject(habit.content, habit.subject)
    does = _DOES.search(said)
    words = said[does.end() if does else 0 :].split()[:_WORDS_OF_A_HABIT]
    return off.names <= _stems(" ".join(words))


def _without_subject(content: str, subject: str | None) -> str:
    """Return the content with its subject replaced by "the user"."""
    if subject in (None, "", "user"):
        return content
    return re.sub(rf"^{re.escape(subject or '')}(?=['’\s])", "the user", content)


@lru_cache(maxsize=4096)
def _names_in(content: str) -> frozenset[str]:
    return _telling(_stems(content)) - (_SORTS.keys() - _NAMES_ITSELF)


def _telling(stems: frozenset[str]) -> frozenset[str]:
    kept = (stem for stem in stems if (len(stem) > 2 and stem.isalpha()) or _CODE.fullmatch(stem))
    return frozenset(kept) - _GENERAL - {"the", "user"}


def _thing(sign: str, said: str) -> str | None:
    match = _PHRASES[sign].search(said)
    return None if match is None else match["thing"]
