"""Visibility: what a reader may see, and for which time."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import HELD_STATUSES, Memory, Status
from palimpsest.model.memory_times import is_held_between
from palimpsest.model.scope import Scope
from palimpsest.model.user import UserState
from palimpsest_language.question_intents.question_times import TimeSpan, lies_in_spans

CURRENT_STATUSES = frozenset({Status.ACTIVE})
PAST_STATUSES = CURRENT_STATUSES | {Status.SUPERSEDED}
"""Statuses that may be shown: for a question about now, and for one about the past."""


@dataclass(frozen=True, kw_only=True)
class Visibility:
    scopes: tuple[Scope, ...]
    kinds: frozenset[Kind] | None = None
    memory_ids: frozenset[str] | None = None
    """The only memories that may be shown; None for all."""
    now: datetime
    as_of: datetime | None = None
    """Moment that the question is about; None for now."""
    past: bool = False
    """True if the question asks for what no longer holds."""
    state: UserState = field(default_factory=UserState)
    """State of the user, with turns that are erased or withheld although they may still be stored."""
    since: datetime | None = None
    until: datetime | None = None
    within: tuple[TimeSpan, ...] = ()
    """Times to which the answer is limited; empty for none."""
    then: tuple[TimeSpan, ...] = ()
    """Past times that the question is about: memories that held in one of them are shown too."""
    question: str = ""
    """The question, as normalised by `bare`: a message that says just that is not shown."""

    def above(self, quoted: frozenset[str]) -> "Visibility":
        """Return the visibility that shows these turns although they are withheld: a memory that holds quotes them."""
        if self.state.withheld.isdisjoint(quoted):
            return self
        withheld = self.state.withheld - quoted
        return replace(self, state=self.state.model_copy(update={"withheld": withheld}))

    @property
    def statuses(self) -> frozenset[Status]:
        if self.as_of is not None:
            return HELD_STATUSES
        return PAST_STATUSES if self.past or self.then else CURRENT_STATUSES

    @property
    def looks_back(self) -> bool:
        """True if past memories come first: the question asks for the past, or for a time that is over."""
        return self.past or bool(self.then)

    def held_then(self, memory: Memory) -> bool:
        """Return whether a memory held in a past time that the question is about."""
        return any(is_held_between(memory, *map(_moment, span)) for span in self.then)

    def in_time(self, moment: datetime) -> bool:
        """Return whether a moment lies in the times that the answer is limited to."""
        if self.within and not lies_in_spans(int(moment.timestamp()), self.within):
            return False
        return (self.since is None or self.since <= moment) and (
            self.until is None or moment < self.until
        )


def _moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
