"""One guard before each model: budgets, pauses, the breaker, the time allowed, and what it cost."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from time import perf_counter
from typing import Any

import structlog

from palimpsest.domain.budgets import Spent
from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import PalimpsestError, PermanentError, TransientError
from palimpsest.domain.usage import ModelCall
from palimpsest.providers.models.accounting import Accounting, Used
from palimpsest.providers.models.breaker import Breaker, BreakerState, BreakerTimes
from palimpsest.providers.models.budgets import Budgets, Reservation
from palimpsest.providers.models.failures import (
    BREAKING,
    BreakerOpen,
    BudgetOf,
    BudgetSpent,
    NotNow,
    RateLimited,
    TimedOut,
    spent_by,
)
from palimpsest.providers.models.language_model import (
    Completion,
    LanguageModel,
    Prompt,
    Task,
    Usage,
)
from palimpsest.providers.models.metrics import ModelMetrics
from palimpsest.providers.models.prices import ModelPrices, estimated, estimated_tokens

AFTER_FAILED_TRIAL_SECONDS = 600.0
"""A request that found the server still away lets others try: it may be what breaks it."""

CUT_OFF = "cut_off"
"""The failure of a call whose answer nobody waited for."""

Flaw = Callable[[Completion], str | None]
"""Why an answer is of no use; None where it is."""

_log = structlog.get_logger("palimpsest.models")


@dataclass(frozen=True, kw_only=True)
class Allowance:
    """What one call may take."""

    output_tokens: int
    seconds: float


class GuardedModel:
    """All calls to one model, of whichever task."""

    def __init__(
        self,
        model: LanguageModel,
        *,
        prices: ModelPrices,
        budgets: Budgets,
        allowance: Allowance,
        breaker: BreakerTimes,
        metrics: ModelMetrics,
        clock: Clock,
        accounting: Accounting | None = None,
    ) -> None:
        """`accounting` is for calls that somebody may be charged for."""
        self._model = model
        self._prices = prices
        self._budgets = budgets
        self._allowance = allowance
        self._breaker = Breaker(breaker)
        self._metrics = metrics
        self._clock = clock
        self._accounting = accounting
        self._paused_by: NotNow = RateLimited(f"{model.vendor} wants to be left alone")
        self._told: dict[BudgetOf, date] = {}
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
        self, prompt: Prompt[Any], *, task: Task, user_id: str, flaw: Flaw = lambda _: None
    ) -> Completion:
        """One call, at this user's expense. An answer with a flaw is charged as a failed one.

        Raises:
            NotNow: the server is to be left alone, or a budget is spent.
            TransientError: the call failed.
            PermanentError: the prompt was refused.
        """
        if held := self.held():
            self._metrics.held.labels(self.vendor, task, held.reason).inc()
            raise held
        trying = self._breaker.begin()
        try:
            estimate = estimated(prompt, maximum_output_tokens=self._allowance.output_tokens)
            reservation = await self._reserved(user_id, estimate, task)
            return await self._call(prompt, task, reservation, estimate, flaw, trying=trying)
        finally:
            self._breaker.ended(trying=trying)
            self._show_breaker()

    def held(self) -> NotNow | None:
        """Why no call is to be made now, whoever's; None where one may be."""
        now = self._clock()
        if pause := self._breaker.pause(now):
            return self._paused_by.again(pause.total_seconds())
        if wait := self._breaker.wait(now):
            return BreakerOpen(
                f"{self.vendor} is broken and left alone", retry_after_seconds=wait.total_seconds()
            )
        return None

    def room(self) -> int | None:
        """How many calls may begin now; None is any number."""
        if self.held():
            return 0
        return None if self._breaker.state is BreakerState.CLOSED else 1

    async def _call(
        self,
        prompt: Prompt[Any],
        task: Task,
        reservation: Reservation,
        estimate: Usage,
        flaw: Flaw,
        *,
        trying: bool,
    ) -> Completion:
        started = perf_counter()
        used = self._used(Usage())
        begun: ModelCall | None = None
        try:
            begun = await self._begun(reservation.user_id, task, estimate)
            # Cut off by whoever asks, the vendor has the prompt and goes on: that may be charged.
            used = self._used(estimate, failure=CUT_OFF, estimated=True)
            completion = await self._within_time(prompt)
            used = self._used(
                _counted(completion, estimate),
                failure=flaw(completion),
                estimated=not completion.usage.tokens,
            )
        except (TransientError, PermanentError) as error:
            used = self._used(spent_by(error, estimate), failure=error.reason, estimated=True)
            self._metrics.failed(self.vendor, task, error.reason)
            raise self._judged(error, trying=trying) from None
        finally:
            self._metrics.duration.labels(self.vendor, task).observe(perf_counter() - started)
            await self._settle(reservation, begun, used, task)
        self._breaker.succeeded()
        return completion

    async def _within_time(self, prompt: Prompt[Any]) -> Completion:
        """The clients' time-outs are for each read: an answer that drips in has none."""
        try:
            async with asyncio.timeout(self._allowance.seconds):
                return await self._model.complete(
                    prompt, maximum_output_tokens=self._allowance.output_tokens
                )
        except TimeoutError:
            raise TimedOut(f"{self.vendor} did not answer in time") from None

    def _judged(self, error: TransientError | PermanentError, *, trying: bool) -> PalimpsestError:
        """What this failure says of the server, and the error for whoever asked."""
        now = self._clock()
        if isinstance(error, NotNow):
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

    def _pause(self, error: NotNow) -> None:
        until = self._clock() + timedelta(seconds=error.retry_after_seconds or 0.0)
        self._paused_by = error
        self._breaker.pause_until(until)
        self._metrics.paused_until.labels(self.vendor, self._model.name).set(until.timestamp())

    async def _reserved(self, user_id: str, estimate: Usage, task: Task) -> Reservation:
        now = self._clock()
        try:
            return await self._budgets.reserve(user_id, self._amount(estimate), now=now)
        except BudgetSpent as error:
            self._metrics.waits(task, error.of)
            self._tell(error, now)
            if error.of is BudgetOf.DEPLOYMENT:
                # Nobody else need ask.
                self._pause(error)
            raise

    def _tell(self, error: BudgetSpent, now: datetime) -> None:
        """Once a day and budget: thousands of requests may wait for the same."""
        if self._told.get(error.of) != now.date():
            self._told[error.of] = now.date()
            _log.warning("requests wait", model=self.name, error=str(error))

    async def _begun(self, user_id: str, task: Task, estimate: Usage) -> ModelCall | None:
        if self._accounting is None:
            return None
        return await self._accounting.begin(
            user_id=user_id,
            task=task,
            model=self.name,
            estimate=self._used(estimate, estimated=True),
        )

    async def _settle(
        self, reservation: Reservation, begun: ModelCall | None, used: Used, task: Task
    ) -> None:
        self._metrics.used(self.vendor, task, used.usage, used.cost_millionths)
        if self._accounting is not None:
            await self._accounting.end(begun, used)
        try:
            await self._budgets.settle(reservation, self._amount(used.usage))
        except Exception as error:  # noqa: BLE001 - the estimate stays counted; the answer stands
            _log.warning("what was spent could not be corrected", error=type(error).__name__)

    def _used(self, usage: Usage, *, failure: str | None = None, estimated: bool = False) -> Used:
        return Used(
            usage=usage,
            cost_millionths=self._prices.millionths(usage),
            failure=failure,
            estimated=estimated,
        )

    def _amount(self, usage: Usage) -> Spent:
        return Spent(tokens=usage.tokens, millionths=self._prices.millionths(usage))

    def _show_breaker(self) -> None:
        self._metrics.stands(self.vendor, self._model.name, self._breaker.state)


def _counted(completion: Completion, estimate: Usage) -> Usage:
    """The vendor's count; ours, where a server keeps none."""
    if completion.usage.tokens:
        return completion.usage
    return Usage(
        input_tokens=estimate.input_tokens, output_tokens=estimated_tokens(completion.text)
    )
