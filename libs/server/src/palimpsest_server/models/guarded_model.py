"""The guard before each model: budgets, pauses, the circuit breaker, time limits, and costs."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from time import perf_counter
from typing import Any

import structlog

from palimpsest.model.clock import Clock
from palimpsest.model.errors import PalimpsestError, PermanentError, TransientError
from palimpsest.model.usage import ModelCall
from palimpsest_server.domain.budgets import ModelSpend
from palimpsest_server.error_places import locate_error
from palimpsest_server.models.budget_reservations import BudgetLimiter, BudgetReservation
from palimpsest_server.models.call_accounting import CallAccounting, CallUsage
from palimpsest_server.models.circuit_breaker import BreakerSettings, BreakerState, CircuitBreaker
from palimpsest_server.models.language_model import (
    LanguageModel,
    ModelCompletion,
    ModelTask,
    Prompt,
    TokenUsage,
)
from palimpsest_server.models.model_errors import (
    BREAKING,
    BreakerOpen,
    BudgetExhausted,
    BudgetOwner,
    ModelNotAvailable,
    ModelTimedOut,
    RateLimited,
    estimate_failed_usage,
)
from palimpsest_server.models.model_metrics import ModelMetrics
from palimpsest_server.models.prices import ModelPrices, estimate_tokens, estimate_usage

AFTER_FAILED_TRIAL_SECONDS = 600.0
"""Wait of a request that found the server still away, so that others try: it may be the cause itself."""

CUT_OFF = "cut_off"
"""Failure of a call that was cancelled before its answer came."""

CompletionCheck = Callable[[ModelCompletion], str | None]
"""Returns the flaw of an answer; None if the answer can be used."""

_log = structlog.get_logger("palimpsest.models")


@dataclass(frozen=True, kw_only=True)
class CallAllowance:
    """The allowance of one call."""

    output_tokens: int
    seconds: float


class GuardedModel:
    """Guards all calls to one model, for any task."""

    def __init__(
        self,
        model: LanguageModel,
        *,
        prices: ModelPrices,
        budgets: BudgetLimiter,
        allowance: CallAllowance,
        breaker: BreakerSettings,
        metrics: ModelMetrics,
        clock: Clock,
        accounting: CallAccounting | None = None,
    ) -> None:
        """`accounting` records the calls that somebody may be charged for."""
        self._model = model
        self._prices = prices
        self._budgets = budgets
        self._allowance = allowance
        self._breaker = CircuitBreaker(breaker)
        self._metrics = metrics
        self._clock = clock
        self._accounting = accounting
        self._paused_by: ModelNotAvailable = RateLimited(f"{model.vendor} wants to be left alone")
        self._told: dict[BudgetOwner, date] = {}
        self._show_breaker()

    @property
    def name(self) -> str:
        return f"{self._model.vendor}/{self._model.name}"

    @property
    def vendor(self) -> str:
        return self._model.vendor

    async def close(self) -> None:
        await self._model.close()

    async def complete(
        self,
        prompt: Prompt[Any],
        *,
        task: ModelTask,
        user_id: str,
        flaw: CompletionCheck = lambda _: None,
    ) -> ModelCompletion:
        """Make one call at this user's expense. A flawed answer is charged as a failed call.

        Raises:
            ModelNotAvailable: the server is left alone for now, or a budget is spent.
            TransientError: the call failed.
            PermanentError: the prompt was refused.
        """
        if held := self.held():
            self._metrics.held.labels(self.vendor, task, held.reason).inc()
            raise held
        trying = self._breaker.begin()
        try:
            estimate = estimate_usage(prompt, maximum_output_tokens=self._allowance.output_tokens)
            reservation = await self._reserved(user_id, estimate, task)
            return await self._call(prompt, task, reservation, estimate, flaw, trying=trying)
        finally:
            self._breaker.ended(trying=trying)
            self._show_breaker()

    def held(self) -> ModelNotAvailable | None:
        """Return why no call may be made now, for any user; None if a call may be made."""
        now = self._clock()
        if pause := self._breaker.pause(now):
            return self._paused_by.again(pause.total_seconds())
        if wait := self._breaker.wait(now):
            return BreakerOpen(
                f"{self.vendor} is broken and left alone", retry_after_seconds=wait.total_seconds()
            )
        return None

    def room(self) -> int | None:
        """Return how many calls may begin now; None is any number."""
        if self.held():
            return 0
        return None if self._breaker.state is BreakerState.CLOSED else 1

    async def _call(
        self,
        prompt: Prompt[Any],
        task: ModelTask,
        reservation: BudgetReservation,
        estimate: TokenUsage,
        flaw: CompletionCheck,
        *,
        trying: bool,
    ) -> ModelCompletion:
        started = perf_counter()
        used = self._used(TokenUsage())
        begun: ModelCall | None = None
        try:
            begun = await self._begun(reservation.user_id, task, estimate)
            # The vendor continues a cancelled call, and may charge for it.
            used = self._used(estimate, failure=CUT_OFF, estimated=True)
            completion = await self._within_time(prompt)
            used = self._used(
                _counted(completion, estimate),
                failure=flaw(completion),
                estimated=not completion.usage.tokens,
            )
        except (TransientError, PermanentError) as error:
            used = self._used(
                estimate_failed_usage(error, estimate), failure=error.reason, estimated=True
            )
            self._metrics.failed(self.vendor, task, error.reason)
            raise self._judged(error, trying=trying) from None
        finally:
            self._metrics.duration.labels(self.vendor, task).observe(perf_counter() - started)
            await self._settle(reservation, begun, used, task)
        self._breaker.succeeded()
        return completion

    async def _within_time(self, prompt: Prompt[Any]) -> ModelCompletion:
        """Limit the time of the whole answer, because the clients' time-outs apply to each read."""
        try:
            async with asyncio.timeout(self._allowance.seconds):
                return await self._model.complete(
                    prompt, maximum_output_tokens=self._allowance.output_tokens
                )
        except TimeoutError:
            raise ModelTimedOut(f"{self.vendor} did not answer in time") from None

    def _judged(self, error: TransientError | PermanentError, *, trying: bool) -> PalimpsestError:
        """Note the server's state after a failure, and return the error for the caller."""
        now = self._clock()
        if isinstance(error, ModelNotAvailable):
            self._breaker.succeeded()
            self._pause(error)
            _log.warning("a model is paused", model=self.name, error=str(error))
        elif isinstance(error, PermanentError):
            self._breaker.succeeded()
        elif isinstance(error, BREAKING):
            was_closed = self._breaker.state is BreakerState.CLOSED
            self._breaker.failed(now, trying=trying)
            if was_closed and self._breaker.state is BreakerState.OPEN:
                _log.warning("a model is left alone", model=self.name, error=str(error))
            if trying:
                return BreakerOpen(
                    f"{self.vendor} is still away: {error.reason}",
                    retry_after_seconds=AFTER_FAILED_TRIAL_SECONDS,
                )
        return error

    def _pause(self, error: ModelNotAvailable) -> None:
        until = self._clock() + timedelta(seconds=error.retry_after_seconds or 0.0)
        self._paused_by = error
        self._breaker.pause_until(until)
        self._metrics.paused_until.labels(self.vendor, self._model.name).set(until.timestamp())

    async def _reserved(
        self, user_id: str, estimate: TokenUsage, task: ModelTask
    ) -> BudgetReservation:
        now = self._clock()
        try:
            return await self._budgets.reserve(user_id, self._amount(estimate), now=now)
        except BudgetExhausted as error:
            self._metrics.waits(task, error.of)
            self._tell(error, now)
            if error.of is BudgetOwner.DEPLOYMENT:
                # The budget of all users is spent, so no other user's request need ask.
                self._pause(error)
            raise

    def _tell(self, error: BudgetExhausted, now: datetime) -> None:
        """Log once per day and budget, because thousands of requests may wait for the same budget."""
        if self._told.get(error.of) != now.date():
            self._told[error.of] = now.date()
            _log.warning("requests wait", model=self.name, error=str(error))

    async def _begun(self, user_id: str, task: ModelTask, estimate: TokenUsage) -> ModelCall | None:
        if self._accounting is None:
            return None
        return await self._accounting.begin(
            user_id=user_id,
            task=task,
            model=self.name,
            estimate=self._used(estimate, estimated=True),
        )

    async def _settle(
        self,
        reservation: BudgetReservation,
        begun: ModelCall | None,
        used: CallUsage,
        task: ModelTask,
    ) -> None:
        self._metrics.used(self.vendor, task, used.usage, used.cost_millionths)
        if self._accounting is not None:
            await self._accounting.end(begun, used)
        try:
            await self._budgets.settle(reservation, self._amount(used.usage))
        except Exception as error:  # noqa: BLE001 - the estimate stays counted; the answer stands
            _log.warning(
                "what was spent could not be corrected",
                error=type(error).__name__,
                at=locate_error(error),
            )

    def _used(
        self, usage: TokenUsage, *, failure: str | None = None, estimated: bool = False
    ) -> CallUsage:
        return CallUsage(
            usage=usage,
            cost_millionths=self._prices.millionths(usage),
            failure=failure,
            estimated=estimated,
        )

    def _amount(self, usage: TokenUsage) -> ModelSpend:
        return ModelSpend(tokens=usage.tokens, millionths=self._prices.millionths(usage))

    def _show_breaker(self) -> None:
        self._metrics.stands(self.vendor, self._model.name, self._breaker.state)


def _counted(completion: ModelCompletion, estimate: TokenUsage) -> TokenUsage:
    """Return the vendor's token count; the estimate if the server counts none."""
    if completion.usage.tokens:
        return completion.usage
    return TokenUsage(
        input_tokens=estimate.input_tokens, output_tokens=estimate_tokens(completion.text)
    )
