"""Calls of language models: stored before they begin, ended once, and then announced."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from palimpsest.model.usage import ModelCall, ModelCallState, UsageRow, group_usage

LOST_CALL_FAILURE = "lost"
"""Failure of a call whose end was never written, because its process died."""

ANONYMOUS_CALL_FIELDS = {"user_id": None, "agent_id": None, "request_id": None}
"""Fields that are cleared when the call's user has everything erased."""


@dataclass(frozen=True, kw_only=True)
class CallPageQuery:
    """A query for a page of the calls of one user."""

    user_id: str
    agent_id: str | None
    epoch: int
    """Calls of epochs below this one are left out."""
    since: date
    until: date
    """The last day, included."""
    limit: int
    behind: str | None
    """The id of the call behind which the page begins; None for the first page."""

    def holds(self, call: ModelCall) -> bool:
        """Return whether a call is one of those asked for, on whatever page."""
        return (
            call.user_id == self.user_id
            and self.agent_id in (None, call.agent_id)
            and call.epoch >= self.epoch
            and self.since <= call.day <= self.until
        )


class UsageReader(Protocol):
    async def rows(
        self,
        *,
        since: date,
        until: date,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[UsageRow]:
        """Return sums of the calls that ended on these days, both included; of all users if none is given."""
        ...

    async def page(self, asked: CallPageQuery) -> list[ModelCall]:
        """Return calls of a user that ended, latest begun first."""
        ...


class UsageStore(UsageReader, Protocol):
    async def begin(self, call: ModelCall) -> None:
        """Store a call that is about to be made, with its estimated use; a repetition changes nothing."""
        ...

    async def end(self, calls: Sequence[ModelCall]) -> None:
        """Replace the estimates by what the calls used. A call that has ended already stays unchanged."""
        ...

    async def withdraw(self, call: ModelCall) -> None:
        """Delete a call that used nothing."""
        ...

    async def end_lost(self, *, begun_before: datetime) -> int:
        """End calls begun before `begun_before`, counted as estimated; return how many."""
        ...

    async def unannounced(self, *, limit: int) -> list[ModelCall]:
        """Return calls that ended and were not announced, earliest begun first."""
        ...

    async def mark_announced(self, ids: Sequence[str]) -> None: ...

    async def make_nameless(self, user_id: str, *, before_epoch: int) -> None:
        """Clear the user from their calls of epochs below `before_epoch`, which are then not announced."""
        ...


@dataclass
class _Kept:
    call: ModelCall
    state: ModelCallState = ModelCallState.BEGUN


class InMemoryUsage:
    """The twin for tests."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    async def begin(self, call: ModelCall) -> None:
        self._kept.setdefault(call.id, _Kept(call))

    async def end(self, calls: Sequence[ModelCall]) -> None:
        for call in calls:
            kept = self._kept.get(call.id)
            if kept is not None and kept.state is ModelCallState.BEGUN:
                whose = kept.call.model_dump(include={"user_id", "agent_id", "request_id"})
                kept.call = call.model_copy(update=whose)
                kept.state = ModelCallState.ENDED

    async def withdraw(self, call: ModelCall) -> None:
        if call.id in self._kept and self._kept[call.id].state is ModelCallState.BEGUN:
            del self._kept[call.id]

    async def end_lost(self, *, begun_before: datetime) -> int:
        lost = [
            kept for kept in self._in(ModelCallState.BEGUN) if kept.call.begun_at < begun_before
        ]
        for kept in lost:
            kept.call = kept.call.model_copy(
                update={"failure": LOST_CALL_FAILURE, "estimated": True}
            )
            kept.state = ModelCallState.ENDED
        return len(lost)

    async def unannounced(self, *, limit: int) -> list[ModelCall]:
        calls = [kept.call for kept in self._in(ModelCallState.ENDED)]
        return sorted(calls, key=lambda call: call.begun_at)[:limit]

    async def mark_announced(self, ids: Sequence[str]) -> None:
        for kept in self._in(ModelCallState.ENDED):
            if kept.call.id in ids:
                kept.state = ModelCallState.ANNOUNCED

    async def make_nameless(self, user_id: str, *, before_epoch: int) -> None:
        for kept in self._kept.values():
            if kept.call.user_id == user_id and kept.call.epoch < before_epoch:
                kept.call = kept.call.model_copy(update=ANONYMOUS_CALL_FIELDS)

    async def rows(
        self,
        *,
        since: date,
        until: date,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[UsageRow]:
        return group_usage(
            kept.call
            for kept in self._in(ModelCallState.ENDED, ModelCallState.ANNOUNCED)
            if since <= kept.call.day <= until
            and user_id in (None, kept.call.user_id)
            and agent_id in (None, kept.call.agent_id)
        )

    async def page(self, asked: CallPageQuery) -> list[ModelCall]:
        ended = self._in(ModelCallState.ENDED, ModelCallState.ANNOUNCED)
        calls = sorted(
            (kept.call for kept in ended if asked.holds(kept.call)),
            key=lambda call: (call.begun_at, call.id),
            reverse=True,
        )
        ids = [call.id for call in calls]
        start = ids.index(asked.behind) + 1 if asked.behind in ids else 0
        return calls[start : start + asked.limit]

    def _in(self, *states: ModelCallState) -> list[_Kept]:
        return [kept for kept in self._kept.values() if kept.state in states]
