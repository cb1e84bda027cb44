"""Calls of language models: begun before they are made, ended once, and then announced."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from palimpsest.model.usage import ModelCall, ModelCallState, UsageRow, group_usage

LOST_CALL_FAILURE = "lost"
"""The failure of a call whose end nobody wrote down: the process died meanwhile."""

ANONYMOUS_CALL_FIELDS = {"user_id": None, "agent_id": None, "request_id": None}
"""What becomes of a call whose user had everything erased."""


class UsageReader(Protocol):
    async def rows(
        self,
        *,
        since: date,
        until: date,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> list[UsageRow]:
        """Calls that ended, of these days (both included), added up; of all users without one."""
        ...


class UsageStore(UsageReader, Protocol):
    async def begin(self, call: ModelCall) -> None:
        """Note a call that is about to be made, with what it may take. Twice is once."""
        ...

    async def end(self, calls: Sequence[ModelCall]) -> None:
        """Put what they took in the place of that. What has ended already stays as it ended."""
        ...

    async def withdraw(self, call: ModelCall) -> None:
        """Withdraw a call that took nothing, as if it had not been made."""
        ...

    async def end_lost(self, *, begun_before: datetime) -> int:
        """Calls that nobody will end are counted as estimated; how many these were."""
        ...

    async def unannounced(self, *, limit: int) -> list[ModelCall]:
        """Calls that ended and were not announced, those that began first first."""
        ...

    async def mark_announced(self, ids: Sequence[str]) -> None: ...

    async def make_nameless(self, user_id: str, *, before_epoch: int) -> None:
        """Calls of this user of an older epoch are nobody's from now on, and not announced."""
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

    def _in(self, *states: ModelCallState) -> list[_Kept]:
        return [kept for kept in self._kept.values() if kept.state in states]
