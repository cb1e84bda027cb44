"""The ground truth: from the users' actions alone, never from what the product made of them."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.model.user import Language
from palimpsest_lab.simulation.sentence_data import load_sentences
from palimpsest_lab.simulation.user_actions import KnowableItem, UserAction, UserActionType

SINGLE_VALUE_ATTRIBUTES = frozenset(load_sentences(Language.ENGLISH).single)
"""Attributes with one value at a time, as the author of the sentences saw it."""


@dataclass
class SingleValueTimeline:
    """The statements of a single-valued attribute: the last before a moment holds at it."""

    statements: list[tuple[datetime, str]] = field(default_factory=list)

    def at(self, moment: datetime) -> str | None:
        number = bisect_right(self.statements, moment, key=lambda one: one[0])
        return self.statements[number - 1][1] if number else None

    def turns(self) -> Iterator[datetime]:
        """The moments at which another value begins."""
        before = None
        for moment, value in self.statements:
            if value != before:
                yield moment
            before = value


@dataclass
class ValuePeriod:
    """The period in which one of several values holds."""

    since: datetime
    until: datetime | None = None

    def at(self, moment: datetime) -> bool:
        return self.since <= moment and (self.until is None or moment < self.until)


@dataclass
class GroundTruth:
    """The truth about everybody after some actions.

    Keys are user and attribute, or the item itself.
    """

    lines: dict[tuple[str, str], SingleValueTimeline] = field(default_factory=dict)
    several: dict[KnowableItem, ValuePeriod] = field(default_factory=dict)
    told: dict[KnowableItem, UserAction] = field(default_factory=dict)
    """By the act that told it first."""
    forgotten: set[KnowableItem] = field(default_factory=set)
    """By command of their user."""

    @classmethod
    def after(cls, acts: Iterable[UserAction]) -> "GroundTruth":
        truth = cls()
        for act in acts:
            truth.take(act)
        for line in truth.lines.values():
            line.statements.sort(key=lambda one: one[0])
        return truth

    def take(self, act: UserAction) -> None:
        item = act.item
        if item is None:
            return
        if act.doing is UserActionType.FORGET:
            self.forgotten.add(item)
        elif item.attribute is None:
            self.told.setdefault(item, act)
        elif item.attribute in SINGLE_VALUE_ATTRIBUTES:
            line = self.lines.setdefault((item.user_id, item.attribute), SingleValueTimeline())
            line.statements.append((act.occurred_at, item.value))
        elif act.doing is UserActionType.STOP:
            self.several[item].until = act.occurred_at
        else:
            self.several.setdefault(item, ValuePeriod(since=act.occurred_at))

    def holds(self, item: KnowableItem, at: datetime) -> bool:
        """Return whether an item is true at the moment. A forgotten item is never true."""
        if item in self.forgotten:
            return False
        if item.attribute is None:
            return item in self.told
        if item.attribute in SINGLE_VALUE_ATTRIBUTES:
            line = self.lines.get((item.user_id, item.attribute))
            return line is not None and line.at(at) == item.value
        return item in self.several and self.several[item].at(at)

    def holding(self, at: datetime) -> list[KnowableItem]:
        """Return everything that is true at the moment."""
        lines = (
            KnowableItem(user_id, attribute, value)
            for (user_id, attribute), line in self.lines.items()
            if (value := line.at(at)) is not None
        )
        return [item for item in (*lines, *self.several, *self.told) if self.holds(item, at)]
