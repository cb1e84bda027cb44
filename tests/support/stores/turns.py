"""The in-memory twin of the turns."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from palimpsest.model.scope import Scope
from palimpsest.model.turn import Turn
from palimpsest_server.stores.outbox import InMemoryOutbox, OutboxEntry, OutboxState
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.turns import TurnPlacement


class InMemoryTurns(InMemoryOutbox[Turn]):
    async def by_ids(self, scopes: Sequence[Scope], ids: Sequence[str]) -> list[Turn]:
        wanted = set(ids)
        return [turn for turn in self._turns() if turn.id in wanted and turn.scope in scopes]

    async def of_user_by_ids(self, user_id: str, ids: Sequence[str]) -> list[Turn]:
        return [turn for turn in self._turns() if turn.id in ids and turn.user_id == user_id]

    async def around(
        self, scopes: Sequence[Scope], places: Sequence[tuple[str, int]]
    ) -> list[Turn]:
        return [
            turn
            for turn in self._turns()
            if (turn.session_id, turn.sequence) in places and turn.scope in scopes
        ]

    async def latest(self, session: SessionKey, limit: int) -> list[Turn]:
        numbered = sorted((turn for turn in self._of(session) if turn.sequence), key=_sequence)
        return numbered[-limit:] if limit else []

    async def accept(
        self, turns: Sequence[Turn], *, now: datetime
    ) -> Mapping[str, OutboxEntry[Turn]]:
        stood = {turn.id: self._kept[turn.id] for turn in turns if turn.id in self._kept}
        for turn in turns:
            self._kept.setdefault(turn.id, OutboxEntry(turn, OutboxState.STORED, now))
        return stood

    async def place(self, placements: Sequence[TurnPlacement], *, now: datetime) -> bool:
        everyone = True
        for placement in placements:
            turn, kept = placement.turn, self._kept.get(placement.turn.id)
            if placement.accepted and (kept is None or kept.item.sequence is not None):
                everyone = False
                continue
            if self._taken(turn) or (kept is not None and not placement.accepted):
                return False
            if kept is None:
                kept = OutboxEntry(turn, OutboxState.STORED, now)
            place = turn.model_dump(include={"sequence", "project_id", "in_fiction"})
            placed = kept.item.model_copy(update=place)
            self._kept[turn.id] = replace(kept, item=placed, behind_end=placement.behind_end)
        return everyone

    async def withhold(self, ids: Sequence[str]) -> None:
        for kept in [self._kept[each] for each in ids if each in self._kept]:
            marked = kept.item.model_copy(update={"withheld": True})
            self._kept[marked.id] = replace(kept, item=marked)

    async def unnumbered(self) -> Sequence[Turn]:
        return [
            kept.item
            for kept in self._kept.values()
            if kept.item.sequence is None and kept.state is OutboxState.STORED
        ]

    async def count_unnumbered(self, session: SessionKey) -> int:
        return sum(SessionKey.of(turn) == session for turn in await self.unnumbered())

    async def last_sequences(self, sessions: Sequence[SessionKey]) -> Mapping[SessionKey, int]:
        return {session: max(map(_sequence, self._of(session)), default=0) for session in sessions}

    async def received_before(self, moment: datetime, *, limit: int) -> Sequence[Turn]:
        old = [turn for turn in self._turns() if turn.sequence and turn.received_at < moment]
        return old[:limit]

    async def remove(self, ids: Sequence[str]) -> None:
        for each in ids:
            self._kept.pop(each, None)

    async def stretch(self, session: SessionKey, *, after: int, limit: int) -> Sequence[Turn]:
        behind = (turn for turn in self._of(session) if _sequence(turn) > after)
        return sorted(behind, key=_sequence)[:limit]

    async def of_agent(self, user_id: str, agent_id: str | None) -> Sequence[Turn]:
        own = [turn for turn in self._turns() if turn.sequence and turn.user_id == user_id]
        return sorted(
            (turn for turn in own if turn.agent_id == agent_id),
            key=lambda turn: (turn.session_id, _sequence(turn)),
        )

    def _turns(self) -> list[Turn]:
        return [kept.item for kept in self._kept.values()]

    def _of(self, session: SessionKey) -> list[Turn]:
        return [turn for turn in self._turns() if SessionKey.of(turn) == session]

    def _taken(self, turn: Turn) -> bool:
        return any(each.sequence == turn.sequence for each in self._of(SessionKey.of(turn)))


def _sequence(turn: Turn) -> int:
    return turn.sequence or 0
