"""Raw turns: stored before anything follows from them, numbered in their sessions, read by scope."""

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

    async def of_user_by_ids(self, user_id: str, ids: Sequence[str]) -> list[Turn]:
        """Return turns of a user by id, whatever their agent and project, in no order."""
        ...

    async def around(
        self, scopes: Sequence[Scope], places: Sequence[tuple[str, int]]
    ) -> list[Turn]:
        """Return the turns at exactly these places: session id and sequence number."""
        ...

    async def latest(self, session: SessionKey, limit: int) -> list[Turn]:
        """Return the last `limit` numbered turns of a session, oldest first."""
        ...


class ConfirmedTurnPage(NamedTuple):
    scopes: Mapping[str, Scope]
    """Scopes by turn id; a page other than the last may have none."""
    last: str | None
    """Id after which the next page begins; None at the end."""


class ConfirmedTurns(Protocol):
    """Reads the turns of all users that were searchable once, for repair tasks."""

    async def confirmed(self, *, after: str | None) -> ConfirmedTurnPage:
        """Return the page of such turns after the id `after`."""
        ...

    async def by_ids(self, ids: Collection[str]) -> Sequence[Turn]:
        """Return numbered turns by id that are not withheld."""
        ...


@dataclass(frozen=True)
class TurnPlacement:
    """A turn with its sequence number."""

    turn: Turn
    accepted: bool
    """True if the turn is stored already, without a number."""
    behind_end: str | None = None
    """Request that ends the session just before this turn; stored together with the number."""


class TurnStore(TurnReader, Outbox[Turn], Protocol):
    """Turns with sequence numbers 1, 2, 3 and so on within a session, without a gap.

    The session usually records that its turns are published, for all turns up to a number
    at once. The turn itself stays in the state stored until it is confirmed.
    """

    async def accept(
        self, turns: Sequence[Turn], *, now: datetime
    ) -> Mapping[str, OutboxEntry[Turn]]:
        """Store turns that have no number yet, and return the entries of those stored before.

        The caller compares a stored turn with the new one: an equal turn is a duplicate, any other a
        conflict.
        """
        ...

    async def place(self, placements: Sequence[TurnPlacement], *, now: datetime) -> bool:
        """Store these turns at their numbers, in order.

        Return False if another owner was first: a number is taken, or a turn has a number. Then the turns
        before it in the order are stored, and the caller reads again and continues from there.
        """
        ...

    async def withhold(self, ids: Sequence[str]) -> None:
        """Mark turns as withheld: nothing is remembered of them from now on. Their text stays."""
        ...

    async def unnumbered(self) -> Sequence[Turn]:
        """Return accepted turns that have no number yet, in the order of arrival."""
        ...

    async def count_unnumbered(self, session: SessionKey) -> int:
        """Count the turns of one session that have no number yet."""
        ...

    async def last_sequences(self, sessions: Sequence[SessionKey]) -> Mapping[SessionKey, int]:
        """Return the highest number taken in each session; 0 if none is."""
        ...

    async def received_before(self, moment: datetime, *, limit: int) -> Sequence[Turn]:
        """Return at most `limit` numbered turns that were received before the moment."""
        ...

    async def remove(self, ids: Sequence[str]) -> None:
        """Delete turns; unknown ids are no error."""
        ...

    async def stretch(self, session: SessionKey, *, after: int, limit: int) -> Sequence[Turn]:
        """Return the numbered turns of a session after this number, in order."""
        ...

    async def of_agent(self, user_id: str, agent_id: str | None) -> Sequence[Turn]:
        """Return all numbered turns of a user with one agent, or with none, session by session."""
        ...
