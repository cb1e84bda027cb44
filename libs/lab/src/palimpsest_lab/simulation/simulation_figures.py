"""The figures of a simulated year, in counts."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime


@dataclass
class YesCounts:
    """The number of inspections, and of those with the answer yes."""

    asked: int = 0
    yes: int = 0

    def take(self, answer: bool) -> None:  # noqa: FBT001 - it is what is counted
        self.asked += 1
        self.yes += answer

    @property
    def share(self) -> float | None:
        """0 to 1; None where nothing was asked."""
        return self.yes / self.asked if self.asked else None


@dataclass(frozen=True)
class SimulationMistake:
    """One mistake of the product, for finding its cause."""

    what: str
    user_id: str
    attribute: str | None
    so: str
    """What is so, or what it is about."""
    held: str = ""
    at: datetime | None = None


@dataclass
class SimulationFigures:
    """The figures of all users who make their statements in one form."""

    current: dict[str, YesCounts] = field(default_factory=dict)
    """Right answers about now: of `single` values, of `several` values, and of what was `told`."""
    as_of: dict[str, YesCounts] = field(default_factory=dict)
    wrongly_retired: YesCounts = field(default_factory=YesCounts)
    """Of what is so and was known, what is held no more though no rule lets it go."""
    near_duplicates: YesCounts = field(default_factory=YesCounts)
    """Of active memories, those that say only what others say."""
    outdated_beside: YesCounts = field(default_factory=YesCounts)
    """Of single values asked for, where one that no longer holds is held as well."""
    forgotten_kept: YesCounts = field(default_factory=YesCounts)
    """Of what was forgotten by command, what is held all the same."""
    exact_duplicates: int = 0
    """Active memories in the very words of another one of their user."""
    mistakes: list[SimulationMistake] = field(default_factory=list)
    """In the order in which they were found."""


def sum_counts(counts: Collection[YesCounts]) -> YesCounts:
    return YesCounts(sum(count.asked for count in counts), sum(count.yes for count in counts))
