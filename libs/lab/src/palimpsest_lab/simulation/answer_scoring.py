"""Score the product's memories of a user against the ground truth. No I/O."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from palimpsest.model.memory import Memory, Status
from palimpsest_lab.simulation import asked_items
from palimpsest_lab.simulation.ground_truth import GroundTruth
from palimpsest_lab.simulation.memory_claims import find_memory_claims
from palimpsest_lab.simulation.retirement_rules import is_retirable
from palimpsest_lab.simulation.simulation_figures import (
    SimulationFigures,
    SimulationMistake,
    YesCounts,
)
from palimpsest_lab.simulation.user_actions import KnowableItem, SimulatedUser, UserAction

NO_VALUE = "nothing"


@dataclass(frozen=True, kw_only=True)
class ProductAnswers:
    """The product's answers about one user."""

    person: SimulatedUser
    now: datetime
    everything: Sequence[Memory]
    """In every status."""
    as_of: Mapping[datetime, Sequence[Memory]] = field(default_factory=dict)
    """What is listed as having held at each of these moments."""

    @property
    def active(self) -> list[Memory]:
        """The memories that hold now."""
        return [
            memory
            for memory in self.everything
            if memory.status is Status.ACTIVE
            and memory.valid_at(self.now)
            and (memory.expires_at is None or memory.expires_at > self.now)
        ]


class AnswerScorer:
    """Counts what one user's answers are worth. `acts` are all there are, by id."""

    def __init__(
        self,
        held: ProductAnswers,
        truth: GroundTruth,
        acts: Mapping[str, UserAction],
        figures: SimulationFigures,
    ) -> None:
        self._held = held
        self._truth = truth
        self._acts = acts
        self._figures = figures
        self._claims: dict[str, frozenset[KnowableItem]] = {}
        self._active = held.active
        self._named = self._together(self._active)
        self._ever = self._together(held.everything)

    def judge(self) -> None:
        """Judge every answer, once."""
        self._judge_moment(self._figures.current, self._held.now, self._active)
        self._judge_told()
        for moment, memories in self._held.as_of.items():
            self._judge_moment(self._figures.as_of, moment, memories)
        self._judge_retirements()
        self._judge_forgotten()
        self._judge_outdated()
        self._judge_duplicates()

    def _judge_moment(
        self, counts: dict[str, YesCounts], at: datetime, memories: Sequence[Memory]
    ) -> None:
        named = self._together(memories)
        past = at != self._held.now
        single = counts.setdefault("single", YesCounts())
        for item in asked_items.list_single_values(self._truth, self._held.person, at):
            if not (past and self._changes_near(item, at)):
                answer = self._first(memories, item.attribute)
                right = answer == {item.value}
                single.take(right)
                self._note(not right, "single", item, " ".join(sorted(answer)) or NO_VALUE, at)
        several = counts.setdefault("several", YesCounts())
        for item, is_so in asked_items.list_multiple_values(self._truth, self._held.person, at):
            if not (past and self._changes_near(item, at)):
                # That it is no more can only be told by who knew it: silence is no answer.
                right = item in named if is_so else item in self._ever - named
                several.take(right)
                held = "held" if item in named else "ended" if item in self._ever else NO_VALUE
                self._note(not right, "several" if is_so else "several, ended", item, held, at)

    def _judge_told(self) -> None:
        told = self._figures.current.setdefault("told", YesCounts())
        for item in asked_items.list_told_items(self._truth, self._held.person, self._held.now):
            told.take(item in self._named)
            self._note(item not in self._named, "told", item, self._why_not(item))

    def _judge_retirements(self) -> None:
        for item in self._truth.holding(self._held.now):
            told = self._truth.told.get(item)
            may_go = told is not None and is_retirable(told, self._held.now)
            if self._mine(item) and item in self._ever and not may_go:
                gone = item not in self._named
                self._figures.wrongly_retired.take(gone)
                self._note(gone, "wrongly retired", item, self._why_not(item))

    def _judge_forgotten(self) -> None:
        for item in filter(self._mine, self._truth.forgotten & self._ever):
            self._figures.forgotten_kept.take(item in self._named)
            self._note(item in self._named, "forgotten and kept", item)

    def _judge_outdated(self) -> None:
        for item in asked_items.list_single_values(self._truth, self._held.person, self._held.now):
            beside = [
                knowable_item.value
                for knowable_item in self._named
                if knowable_item.attribute == item.attribute and knowable_item.value != item.value
            ]
            self._figures.outdated_beside.take(bool(beside))
            self._note(bool(beside), "outdated beside", item, ", ".join(sorted(beside)))

    def _judge_duplicates(self) -> None:
        known: set[KnowableItem] = set()
        for memory in sorted(self._active, key=lambda one: (one.recorded_at, one.id)):
            items = self._by(memory)
            if items:
                again = items <= known
                self._figures.near_duplicates.take(again)
                for item in items:
                    self._note(again, "near duplicate", item, memory.content)
                known |= items
        contents = Counter(" ".join(one.content.split()).casefold() for one in self._active)
        self._figures.exact_duplicates += sum(times - 1 for times in contents.values())

    def _mine(self, item: KnowableItem) -> bool:
        return item.user_id == self._held.person.user_id

    def _changes_near(self, item: KnowableItem, at: datetime) -> bool:
        return asked_items.is_changing_near(self._truth, self._held.person, item, at)

    def _by(self, memory: Memory) -> frozenset[KnowableItem]:
        if memory.id not in self._claims:
            self._claims[memory.id] = find_memory_claims(memory, self._acts)
        return self._claims[memory.id]

    def _together(self, memories: Iterable[Memory]) -> frozenset[KnowableItem]:
        return frozenset(item for memory in memories for item in self._by(memory))

    def _first(self, memories: Sequence[Memory], attribute: str | None) -> set[str]:
        """Return what the first memories say of the attribute.

        Recent before old, confident before doubtful.
        """
        about = [
            memory
            for memory in memories
            if any(item.attribute == attribute for item in self._by(memory))
        ]
        if not about:
            return set()
        first = max(about, key=lambda memory: (memory.valid_from, memory.confidence))
        return {item.value for item in self._by(first) if item.attribute == attribute}

    def _why_not(self, item: KnowableItem) -> str:
        """Describe the status of memories that once said so."""
        standing = {
            f"{memory.status}: {memory.status_reason}"
            for memory in self._held.everything
            if item in self._by(memory)
        }
        return ", ".join(sorted(standing)) or NO_VALUE

    def _note(
        self,
        wrong: bool,  # noqa: FBT001 - whether there is anything to note
        what: str,
        item: KnowableItem,
        held: str = "",
        at: datetime | None = None,
    ) -> None:
        if wrong:
            self._figures.mistakes.append(
                SimulationMistake(what, item.user_id, item.attribute, item.value, held, at)
            )
