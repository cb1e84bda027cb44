"""Raw turns: kept before anything follows from them, numbered in their sessions, read by scope."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from palimpsest.model.scope import Scope
from palimpsest.model.turn import Turn
from palimpsest_server.stores.outbox import Outbox, OutboxEntry
from palimpsest_server.stores.sessions import SessionKey


class TurnReader(Protocol):
    """Reads turns that live in exactly these scopes; None in a scope means none."""

    async def by_ids(self, scopes: Sequence[Scope], ids: Sequence[str]) -> list[Turn]:
        """Return turns by id that are in one of the scopes, in no order."""
        ...

    async def around(
        self, scopes: Sequence[Scope], places: Sequence[tuple[str, int]]
    ) -> list[Turn]:
        """The turns at exactly these places: session id and sequence number."""
        ...

    async def latest(self, session: SessionKey, limit: int) -> list[Turn]:
        """The last numbered turns of a session, the oldest first."""
        ...


class ConfirmedTurnPage(NamedTuple):
    scopes: Mapping[str, Scope]
    """Scopes by turn id; of a page that is not the last there may be none."""
    last: str | None
    """The id that the next page follows; None at the end."""


class ConfirmedTurns(Protocol):
    """Turns that were seen to be searchable once, of everybody, for whoever looks after them."""

    async def confirmed(self, *, after: str | None) -> ConfirmedTurnPage:
        """Return a page of such turns by id, those behind this id."""
        ...

    async def by_ids(self, ids: Collection[str]) -> Sequence[Turn]:
        """Return numbered turns by id that are not withheld."""
        ...


@dataclass(frozen=True)
class TurnPlacement:
    """A turn with its sequence number."""

    turn: Turn
    accepted: bool
    """Whether it is kept already, without a number."""
    behind_end: str | None = None
    """The request that ends its session just before it; kept with the number, at one go."""


class TurnStore(TurnReader, Outbox[Turn], Protocol):
    """Within a session the sequence numbers are 1, 2, 3 and so on, without a gap.

    That a turn is published is mostly said by its session, for all turns up
    to a number at once; the turn itself stays stored until it is confirmed.
    """

    async def accept(
        self, turns: Sequence[Turn], *, now: datetime
    ) -> Mapping[str, OutboxEntry[Turn]]:
        """Keep turns that have no number yet, and return those that were kept before.

        The caller compares what stood with what came: equal is a duplicate,
        else it is a conflict.
        """
        ...

    async def place(self, placements: Sequence[TurnPlacement], *, now: datetime) -> bool:
        """Keep these turns at their numbers, in order.

        False when another owner was there first: a number is taken or a turn
        has one. What came before it in the order is kept then, and the
        caller reads again what stands and goes on from there.
        """
        ...

    async def withhold(self, ids: Sequence[str]) -> None:
        """Mark turns as withheld: nothing is remembered of them any more. Their text stays."""
        ...

    async def unnumbered(self) -> Sequence[Turn]:
        """Return accepted turns that have no number yet, in the order of arrival."""
        ...

    async def count_unnumbered(self, session: SessionKey) -> int:
        """Count the turns of one session that have no number yet."""
        ...

    async def last_sequences(self, sessions: Sequence[SessionKey]) -> Mapping[SessionKey, int]:
        """The highest number taken in each of these sessions; 0 where none is."""
        ...

    async def received_before(self, moment: datetime, *, limit: int) -> Sequence[Turn]:
        """Return at most `limit` numbered turns that were received before the moment."""
        ...

    async def remove(self, ids: Sequence[str]) -> None:
        """Take these away; ids that are not there are no error."""
        ...

    async def stretch(self, session: SessionKey, *, after: int, limit: int) -> Sequence[Turn]:
        """The numbered turns of a session behind this number, in order."""
        ...

    async def of_agent(self, user_id: str, agent_id: str | None) -> Sequence[Turn]:
        """All numbered turns of a user with one agent, or with none; sessions one after another."""
        ...
