"""What a statement says is off, by its name: "cancelled the Tucson trip", "doesn't go to choir anymore".

A plan is named by words that tell it from all else ("Tucson") and by what sort of thing it is
("trip"); a habit by words alone. "Cancelled the trip" names nothing in particular, and what
somebody may cancel, or others did, is not off. Words alone decide, and English ones.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from palimpsest.domain.evolution.wording import gist

_ALIKE = """
    trip flight fly flies travel vacation holiday getaway cruise visit journey tour go going goes drive driving travelling leave leaving train stay head weekend
    | appointment booking reservation session consultation checkup | dinner lunch brunch breakfast meal
    | party celebration | meeting call interview | class lesson course | concert gig
"""
_OF_THEIR_OWN = """
    wedding recital show date membership subscription rehearsal practice race marathon camp surgery operation game match
    tournament conference workshop viewing barbecue bbq picnic hike playdate ceremony move
    dentist vet hairdresser barber plumber electrician physio therapist babysitter
"""
_IN_GENERAL = """
    a an the my our their his her its this that these those user they them to with for in on at of and from by next last
    week month year today tomorrow tonight day morning evening afternoon monday tuesday wednesday thursday friday
    saturday sunday whole entire big little new family work job everything something plan plans idea all any
"""


def _stems(text: str) -> frozenset[str]:
    return frozenset(gist(text).split())


TRAVELS = _stems(_ALIKE.split("|", maxsplit=1)[0])
_SORTS = {
    **{stem: _stems(sort) for sort in _ALIKE.split("|") for stem in _stems(sort)},
    **{stem: frozenset({stem}) for stem in _stems(_OF_THEIR_OWN)},
}
_GENERAL = _stems(_IN_GENERAL)
_NAMES_ITSELF = _stems("dentist vet hairdresser barber plumber electrician physio therapist")

_WHO = r"(?:the user|user|I|we|they)"
_LATELY = r"(?:(?:has|have|had|just|finally|already|also|sadly|both|now|then|actually|recently) )*"
_THING = r"(?P<thing>[\w'’-]+(?: [\w'’-]+){0,5}?)"
_TILL = (
    r"(?=$|[,.;!:(]| (?:because|since|so|as|and|but|which|after|when|due|though|yesterday|today|last"
    r"|any ?more|after all|for (?:good|now)|this (?:morning|week))\b)"
)
_IS_OFF = r"(?:now )?(?:off|cancell?ed|called off|scrapped|not happening)"
_OR_ELSE = r"(?=$|[,.;!]| (?:now|after all|because|since|so|and|but|by|due|this)\b)"
_GOING_TO = r"(?:going|flying|travell?ing|driving|heading) to"
_PLANS = (
    rf"^(?:{_WHO} )?{_LATELY}(?:cancell?ed|called off|scrapped|pulled out of|backed out of|bailed on) {_THING}{_TILL}",
    rf"^{_WHO} {_LATELY}(?:had to|decided to|has to|have to) (?:cancel|call off|scrap|pull out of) {_THING}{_TILL}",
    rf"^{_THING} (?:is|was|got|has been|had to be) {_IS_OFF}{_OR_ELSE}",
)
_TRAVEL = (
    rf"^{_WHO} (?:is not|are not|isn['’]t|aren['’]t|won['’]t be) {_GOING_TO} {_THING} (?:any ?more|after all)\b",
    rf"^{_WHO} (?:is|are) no longer {_GOING_TO} {_THING}{_TILL}",
)
_HABITS = (
    rf"^{_WHO} (?:does(?:n['’]t| not)|do(?:n['’]t| not)) (?:really )?(?:go to|do|attend|sing in|play in) {_THING} (?:any ?more|any longer)\b",
    rf"^{_WHO} no longer (?:goes? to|does|do|attends?|sings? in|plays? in) {_THING}{_TILL}",
    rf"^{_WHO} {_LATELY}(?:quit|dropped out of|stopped (?:going to|doing|attending)|gave up|given up) {_THING}{_TILL}",
)
_UNCERTAIN = re.compile(
    r"\b(?:may|might|maybe|perhaps|could|would|should|if|unless|almost|nearly|never|thinking|considering|"
    r"want(?:s|ed)? to|hop(?:es|ing))\b|\?",
    re.IGNORECASE,
)


def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_PLAN_IS_OFF, _TRAVEL_IS_OFF = _compiled(_PLANS), _compiled(_TRAVEL)
_HABIT_IS_OFF = _compiled(_HABITS)


class Off(NamedTuple):
    """What is off: stems that it is named by, and of what sort it is; a habit is of none."""

    names: frozenset[str]
    sort: frozenset[str]

    @property
    def is_habit(self) -> bool:
        return not self.sort


@lru_cache(maxsize=4096)
def named_as_off(content: str, subject: str | None = None) -> Off | None:
    """What the content says is off. `subject`: whose words they are, where not the user's."""
    said = without_subject(content, subject)
    if _UNCERTAIN.search(said):
        return None
    for patterns, sort in ((_HABIT_IS_OFF, frozenset[str]()), (_TRAVEL_IS_OFF, TRAVELS)):
        if (thing := _thing(patterns, said)) is not None:
            names = _stems(thing) - _GENERAL
            return Off(names, sort) if names else None
    if (thing := _thing(_PLAN_IS_OFF, said)) is None:
        return None
    stems = _stems(thing)
    sort = frozenset[str]().union(*(_SORTS.get(stem, ()) for stem in stems))
    names = (stems - _GENERAL - _SORTS.keys()) or (stems & _NAMES_ITSELF)
    return Off(names, sort) if names and sort else None


def without_subject(content: str, subject: str | None) -> str:
    """With whoever it is said of named alike."""
    if subject in (None, "", "user"):
        return content
    return re.sub(rf"^{re.escape(subject or '')}(?=['’\s])", "the user", content)


@lru_cache(maxsize=4096)
def names_in(content: str) -> frozenset[str]:
    """Stems by which a plan or a habit may be named: none that half of all are of."""
    kept = (stem for stem in gist(content).split() if len(stem) > 2 and stem.isalpha())
    return frozenset(kept) - _GENERAL - (_SORTS.keys() - _NAMES_ITSELF)


def _thing(patterns: tuple[re.Pattern[str], ...], said: str) -> str | None:
    found = (pattern.search(said) for pattern in patterns)
    return next((match["thing"] for match in found if match is not None), None)
