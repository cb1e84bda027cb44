"""From finds to what they stand for: read from MongoDB, and checked there."""

import asyncio
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from palimpsest.contracts.recall import Record
from palimpsest.domain.evolution.keys import attribute_keys_of
from palimpsest.domain.evolution.validity import HELD, held_at, held_between
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Accesses, Memory, Status
from palimpsest.domain.ranking.asked.attributes import Asked
from palimpsest.domain.ranking.asked_times import lies_in
from palimpsest.domain.ranking.fusion import Contender, Span
from palimpsest.domain.ranking.pool import Place
from palimpsest.domain.ranking.signs import says_nothing, signs_of_turn
from palimpsest.domain.ranking.the_question import is_the_question
from palimpsest.domain.scope import Namespace, Scope
from palimpsest.domain.summaries.summary import SessionSummary
from palimpsest.domain.summaries.telling import is_erased, is_untold
from palimpsest.domain.turn import Role, Turn
from palimpsest.domain.user import UserState
from palimpsest.stores.memories import MemoryReader
from palimpsest.stores.summaries import SummaryReader
from palimpsest.stores.turns import TurnReader
from services.recall.hot_set import HotSet

IS = frozenset({Status.ACTIVE})
WAS = IS | {Status.SUPERSEDED}
"""What may be shown: now, and where what was is asked for."""

SAYS_NOTHING = "says_nothing"

MOST_ASKED = 20
"""Memories of an attribute that a question asks for, of each namespace: some have many values."""

_TOLD = frozenset(
    {
        "not_active", "no_longer_valid", "not_valid_then", "said_later", "the_question",
        "other_kind", "other_time", SAYS_NOTHING,
    }
)  # fmt: skip
"""Reasons that may be told: of others' and of what was erased nothing is."""


@dataclass(frozen=True, kw_only=True)
class Sight:
    """What a reader may see, and when they look."""

    scopes: tuple[Scope, ...]
    kinds: frozenset[Kind] | None
    epoch: int
    now: datetime
    as_of: datetime | None = None
    """The moment that is asked about; None: now."""

    past: bool = False
    """Whether what no longer holds is asked for."""
    state: UserState = field(default_factory=UserState)
    """What of what was said is erased or withheld, though it may be there."""
    since: datetime | None = None
    until: datetime | None = None
    within: tuple[Span, ...] = ()
    """Only what lies in one of these; none: whenever."""
    then: tuple[Span, ...] = ()
    """Times that are over and are asked about: what held in one of them is shown too."""
    question: str = ""
    """The question, as `bare` leaves it: no message that says just that is shown."""

    def above(self, quoted: frozenset[str]) -> "Sight":
        """The same where these turns are shown all the same: what holds rests on them too."""
        if self.state.withheld.isdisjoint(quoted):
            return self
        withheld = self.state.withheld - quoted
        return replace(self, state=self.state.model_copy(update={"withheld": withheld}))

    @property
    def statuses(self) -> frozenset[Status]:
        if self.as_of is not None:
            return HELD
        return WAS if self.past or self.then else IS

    def held_then(self, memory: Memory) -> bool:
        """Whether it held in a time that is over and is asked about."""
        return any(held_between(memory, *map(_moment, span)) for span in self.then)


@dataclass(frozen=True)
class Read:
    """What stands in MongoDB and may be shown, by id."""

    memories: Mapping[str, Memory] = field(default_factory=dict)
    turns: Mapping[str, Turn] = field(default_factory=dict)
    summaries: Mapping[str, SessionSummary] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict)
    """What may be named and not shown, with why in a word."""
    successors: Mapping[str, str] = field(default_factory=dict)
    """Of those that turned out to be superseded: what took their place."""

    def __contains__(self, identity: str) -> bool:
        return identity in self.memories or identity in self.turns or identity in self.summaries

    def __or__(self, other: "Read") -> "Read":
        return Read(
            {**self.memories, **other.memories},
            {**self.turns, **other.turns},
            {**self.summaries, **other.summaries},
            {**self.hidden, **other.hidden},
            {**self.successors, **other.successors},
        )

    def contenders_beside(self, found: Container[str]) -> list[Contender]:
        """The turns that were not found, but stand beside one that was."""
        return [_said(turn) for turn in self.turns.values() if turn.id not in found]


class Reader:
    """One round trip: memories, turns, and the turns beside the best, all at once."""

    def __init__(
        self,
        memories: MemoryReader,
        turns: TurnReader,
        summaries: SummaryReader,
        dropped: Callable[[str], None],
        hot: HotSet | None = None,
    ) -> None:
        self._hot = hot
        self._summaries = summaries
        self._memories = memories
        self._turns = turns
        self._dropped = dropped

    async def read(
        self,
        found: Mapping[str, Record],
        beside: Sequence[Place],
        sight: Sight,
        *,
        versions: Mapping[str, int | None] | None = None,
    ) -> Read:
        """Those of these ids, and of the turns at these places, that may be shown.

        `versions`: as they are projected; what is at hand in that very version is not read.
        """
        memory_ids = [one for one, record in found.items() if record is Record.MEMORY]
        turn_ids = [one for one, record in found.items() if record is Record.TURN]
        summary_ids = [one for one, record in found.items() if record is Record.SUMMARY]
        memories, turns, neighbours, summaries = await asyncio.gather(
            self._memories_of(memory_ids, sight, versions or {}),
            self._turns_of(turn_ids, sight),
            self._turns_at(beside, sight),
            self._summaries_of(summary_ids, sight),
        )
        hidden = {memory.id: why_hidden(memory, sight) for memory in memories}
        hidden |= {turn.id: why_unsaid(turn, sight) for turn in [*turns, *neighbours]}
        hidden |= {summary.id: why_not_told(summary, sight) for summary in summaries}
        for why in hidden.values():
            if why not in {None, SAYS_NOTHING}:
                self._dropped(why)
        missing = len(memory_ids) - len(memories) + len(turn_ids) - len(turns)
        self._missing(missing + len(summary_ids) - len(summaries))
        return Read(
            memories={one.id: one for one in memories if hidden[one.id] is None},
            turns={one.id: one for one in [*turns, *neighbours] if hidden[one.id] is None},
            summaries={one.id: one for one in summaries if hidden[one.id] is None},
            hidden={one: why for one, why in hidden.items() if why in _TOLD},
            successors={
                one.id: one.superseded_by
                for one in memories
                if one.superseded_by is not None and one.status is Status.SUPERSEDED
            },
        )

    async def latest_summaries(self, sight: Sight, limit: int) -> list[SessionSummary]:
        """What was talked about last, the latest first."""
        most = limit + len(sight.state.not_told)
        found = await self._summaries.latest(sight.scopes, now=sight.now, limit=most)
        return [one for one in found if why_not_told(one, sight) is None][:limit]

    async def asked(self, asked: Asked | None, sight: Sight) -> list[Memory]:
        """The active memories of an attribute that is asked for, in as many reads as namespaces."""
        if asked is None:
            return []
        keys: dict[Namespace, list[str]] = {}
        for scope in sight.scopes:
            own = attribute_keys_of(scope, asked.subject, asked.attributes)
            keys.setdefault(scope.namespace, []).extend(own)
        found = await asyncio.gather(
            *(
                self._memories.active_with_attribute_keys(namespace, own, limit=MOST_ASKED)
                for namespace, own in keys.items()
            )
        )
        return [one for memories in found for one in memories if why_hidden(one, sight) is None]

    async def accesses(self, scopes: Sequence[Scope], ids: Sequence[str]) -> dict[str, Accesses]:
        """How often and when each was recalled; what never was is left out."""
        return await self._memories.accesses(scopes, ids)

    async def memories(self, scopes: Sequence[Scope], ids: Sequence[str]) -> list[Memory]:
        """Those of these ids in these scopes, whatever their status."""
        return await self._memories.by_ids(scopes, ids) if ids else []

    async def _memories_of(
        self, ids: Sequence[str], sight: Sight, versions: Mapping[str, int | None]
    ) -> list[Memory]:
        if not ids or self._hot is None:
            return await self.memories(sight.scopes, ids)
        projected = {one: versions.get(one) for one in ids}
        hot = self._hot.of(sight.scopes, projected, epoch=sight.epoch)
        rest = [one for one in ids if one not in hot]
        return [*hot.values(), *await self.memories(sight.scopes, rest)]

    async def _turns_of(self, ids: Sequence[str], sight: Sight) -> list[Turn]:
        return await self._turns.by_ids(sight.scopes, ids) if ids else []

    async def _turns_at(self, places: Sequence[Place], sight: Sight) -> list[Turn]:
        return await self._turns.around(sight.scopes, places) if places else []

    async def _summaries_of(self, ids: Sequence[str], sight: Sight) -> list[SessionSummary]:
        return await self._summaries.by_ids(sight.scopes, ids) if ids else []

    def _missing(self, count: int) -> None:
        for _ in range(count):
            self._dropped("not_in_scope")


def why_hidden(memory: Memory, sight: Sight) -> str | None:
    """Why a memory that was found is not shown, in a word; None when it is.

    One that begins only later is shown: a plan is worth knowing before its day.
    """
    if memory.scope not in sight.scopes:
        return "not_in_scope"
    if memory.epoch < sight.epoch:
        return "erased"
    if memory.status not in sight.statuses:
        return "not_active"
    if sight.kinds is not None and memory.kind not in sight.kinds:
        return "other_kind"
    if not _in_time(memory.occurred_at, sight):
        return "other_time"
    return _why_not_valid(memory, sight)


def _why_not_valid(memory: Memory, sight: Sight) -> str | None:
    if sight.as_of is not None:
        return None if held_at(memory, sight.as_of) else "not_valid_then"
    if sight.past or sight.held_then(memory):
        return None
    over = _over(memory.valid_until, sight) or _over(memory.expires_at, sight)
    return "no_longer_valid" if over or memory.status is Status.SUPERSEDED else None


def why_unsaid(turn: Turn, sight: Sight) -> str | None:
    """Why a turn that was found is not shown, in a word; None when it is."""
    if turn.scope not in sight.scopes:
        return "not_in_scope"
    if (taken := _taken(turn, sight)) is not None:
        return taken
    if sight.as_of is not None and turn.occurred_at > sight.as_of:
        return "said_later"
    if says_nothing(turn):
        return SAYS_NOTHING
    if turn.role is Role.USER and is_the_question(turn.own_text, sight.question):
        return "the_question"
    return None if _in_time(turn.occurred_at, sight) else "other_time"


def _taken(turn: Turn, sight: Sight) -> str | None:
    """Whether its user had it erased, or what was remembered of it forgotten."""
    if turn.epoch < sight.epoch or sight.state.is_going(turn.id, turn.scope):
        return "erased"
    return "forgotten" if turn.id in sight.state.withheld else None


def why_not_told(summary: SessionSummary, sight: Sight) -> str | None:
    """Why a summary that was found is not shown, in a word; None when it is."""
    if summary.scope not in sight.scopes:
        return "not_in_scope"
    if summary.epoch < sight.epoch or is_erased(summary, sight.state):
        return "erased"
    if is_untold(summary, sight.state):
        return "forgotten"
    if sight.as_of is not None and summary.ended_at > sight.as_of:
        return "said_later"
    if not _in_time(summary.ended_at, sight):
        return "other_time"
    return None if summary.counts(sight.now) else "no_longer_valid"


def _in_time(moment: datetime, sight: Sight) -> bool:
    if sight.within and not lies_in(int(moment.timestamp()), sight.within):
        return False
    return (sight.since is None or sight.since <= moment) and (
        sight.until is None or moment < sight.until
    )


def _moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _over(end: datetime | None, sight: Sight) -> bool:
    return end is not None and end <= sight.now


def _said(turn: Turn) -> Contender:
    return Contender(
        id=turn.id,
        signs=signs_of_turn(turn),
        place=None if turn.sequence is None else Place(turn.session_id, turn.sequence),
    )
