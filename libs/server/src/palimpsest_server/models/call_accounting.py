"""Write down every call made for a user before it is made, and its use after it.

If the process dies in between, the estimate is counted later, because the vendor may have charged the
call. A call counts once, even if it is redelivered or repeated: its id comes from the attempt in the
ledger.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import structlog

from palimpsest.model.clock import Clock
from palimpsest.model.usage import ModelCall
from palimpsest_server.error_places import locate_error
from palimpsest_server.models.attempt_context import get_current_attempt
from palimpsest_server.models.language_model import ModelTask, TokenUsage

_log = structlog.get_logger("palimpsest.models")


class ModelCallLog(Protocol):
    """A log of calls; see `stores.usage`."""

    async def begin(self, call: ModelCall) -> None: ...

    async def end(self, calls: Sequence[ModelCall]) -> None: ...

    async def withdraw(self, call: ModelCall) -> None: ...


@dataclass(frozen=True, kw_only=True)
class CallUsage:
    """The usage of one call."""

    usage: TokenUsage
    cost_millionths: int
    failure: str | None = None
    estimated: bool = False


class CallAccounting:
    def __init__(self, calls: ModelCallLog, *, clock: Clock) -> None:
        self._calls = calls
        self._clock = clock
        self._late: list[ModelCall] = []
        self._told: Callable[[], None] = lambda: None

    def on_ended(self, told: Callable[[], None]) -> None:
        """Register a function that is called whenever a call has ended."""
        self._told = told

    async def begin(
        self, *, user_id: str, task: ModelTask, model: str, estimate: CallUsage
    ) -> ModelCall | None:
        """Write down that a call is about to be made; return None if nobody is to be charged."""
        attempt = get_current_attempt()
        if attempt is None:
            return None
        call = _with(
            ModelCall(
                id=attempt.next_call(),
                user_id=user_id,
                agent_id=attempt.agent_id,
                epoch=attempt.epoch,
                request_id=attempt.request_id,
                task=task,
                model=model,
                begun_at=self._clock(),
                input_tokens=0,
                output_tokens=0,
                cost_millionths=0,
            ),
            estimate,
        )
        await self._calls.begin(call)
        return call

    async def end(self, call: ModelCall | None, used: CallUsage) -> None:
        """Write down a call's use. A failed call that used nothing is deleted."""
        if call is None:
            return
        ended = _with(call, used)
        try:
            if _took_nothing(ended):
                await self._calls.withdraw(call)
                return
            await self._calls.end([ended])
        except Exception as error:  # noqa: BLE001 - the answer stands; `catch_up` writes it
            self._late.append(ended)
            _log.warning(
                "what a call took is written down later",
                error=type(error).__name__,
                at=locate_error(error),
            )
        self._told()

    async def catch_up(self) -> None:
        """Write down ended calls that the store did not take before. Raises the store's errors."""
        late = list(self._late)
        for call in filter(_took_nothing, late):
            await self._calls.withdraw(call)
        await self._calls.end([call for call in late if not _took_nothing(call)])
        del self._late[: len(late)]


def _took_nothing(ended: ModelCall) -> bool:
    return ended.failure is not None and not (ended.input_tokens or ended.output_tokens)


def _with(call: ModelCall, used: CallUsage) -> ModelCall:
    return call.model_copy(
        update={
            "input_tokens": used.usage.input_tokens,
            "cached_input_tokens": used.usage.cached_input_tokens,
            "output_tokens": used.usage.output_tokens,
            "cost_millionths": used.cost_millionths,
            "failure": used.failure,
            "estimated": used.estimated,
        }
    )
