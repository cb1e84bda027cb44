"""The actions of simulated users: all are known before anything is played."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Self

from palimpsest.model.kinds import Kind
from palimpsest.model.user import Language


class StatementForm(StrEnum):
    """The form in which a user makes statements."""

    PLAIN = "plain"
    """In sentences, to be understood."""
    REMEMBERED = "remembered"
    """As `RememberRequested`, with subject, attribute and value."""


class UserActionType(StrEnum):
    STATE = "state"
    """Of an attribute of which nothing was said yet, or of one more of several values."""
    CHANGE = "change"
    """Another value, as such."""
    CONTRADICT = "contradict"
    """Another value, as if there had been none: what was said last holds."""
    LATE = "late"
    """A value of earlier days, heard of only now: it holds between what was said before and after."""
    REPEAT = "repeat"
    STOP = "stop"
    """One of several values holds no longer."""
    TELL = "tell"
    """Something that is about no attribute."""
    TELL_AGAIN = "tell_again"
    FORGET = "forget"
    """A command about what an earlier act said; no message."""
    CHAT = "chat"


@dataclass(frozen=True, kw_only=True)
class SimulatedUser:
    user_id: str
    language: Language
    form: StatementForm


@dataclass(frozen=True)
class KnowableItem:
    """One thing that can be known of a user; `attribute` is None if it is just told."""

    user_id: str
    attribute: str | None
    value: str


@dataclass(frozen=True, kw_only=True)
class UserAction:
    """One message, or one command."""

    id: str
    person: SimulatedUser
    doing: UserActionType
    day: date
    """On which it reaches the product."""
    occurred_at: datetime
    """On that day, but for what is late."""
    text: str = ""
    attribute: str | None = None
    value: str | None = None
    kind: Kind = Kind.FACT
    importance: float | None = None
    """Said by the user; None leaves it to the kind."""

    @property
    def item(self) -> KnowableItem | None:
        """The item that the action is about."""
        if self.value is None:
            return None
        return KnowableItem(self.person.user_id, self.attribute, self.value)


@dataclass(frozen=True)
class SimulatedYear:
    """All actions, in the order in which they reach the product."""

    people: Sequence[SimulatedUser]
    days: Sequence[date]
    acts: Sequence[UserAction]

    def of(self, form: StatementForm) -> Self:
        """Return the actions of users who make statements in this form, on all days."""
        return replace(
            self,
            people=[person for person in self.people if person.form is form],
            acts=[act for act in self.acts if act.person.form is form],
        )

    @property
    def messages(self) -> int:
        return sum(act.doing is not UserActionType.FORGET for act in self.acts)
