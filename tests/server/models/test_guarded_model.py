"""What a call costs is counted before it and corrected after it, however it ends."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Protocol

import pytest
from prometheus_client import CollectorRegistry

from palimpsest_server.domain.budgets import Budget, ModelSpend
from palimpsest_server.models.budget_reservations import BudgetLimiter
from palimpsest_server.models.circuit_breaker import BreakerSettings
from palimpsest_server.models.guarded_model import CallAllowance, GuardedModel
from palimpsest_server.models.language_model import ModelCompletion, ModelTask, TokenUsage
from palimpsest_server.models.model_errors import BudgetExhausted, ModelServerError, ModelTimedOut
from palimpsest_server.models.model_metrics import ModelMetrics
from palimpsest_server.models.prices import FREE, ModelPrices, estimate_usage
from palimpsest_server.models.vendors import Vendor
from palimpsest_server.stores.spending import InMemorySpending
from tests.support.models.model_server import Fails, ModelServer, Says, Stalls, answers
from tests.support.server.models.answering import PARIS, QUESTION, model_at

PRICES = ModelPrices(input=1.0, cached_input=0.1, output=5.0)
OUTPUT_TOKENS = 100


class Clock(Protocol):
    def __call__(self) -> datetime: ...
    def advance(self, by: timedelta) -> None: ...


class Guarded:
    def __init__(self, server: ModelServer, clock: Clock, *, user: Budget, seconds: float) -> None:
        self.clock = clock
        self.spending = InMemorySpending()
        self.model = GuardedModel(
            model_at(server, Vendor.OPENAI, clock),
            prices=PRICES,
            budgets=BudgetLimiter(self.spending, each_user=user, deployment=Budget()),
            allowance=CallAllowance(output_tokens=OUTPUT_TOKENS, seconds=seconds),
            breaker=BreakerSettings(failures=5, open_seconds=30),
            metrics=ModelMetrics(CollectorRegistry()),
            clock=clock,
        )

    async def ask(self, user_id: str = "ana") -> ModelCompletion:
        return await self.model.complete(QUESTION, task=ModelTask.JUDGEMENT, user_id=user_id)

    async def spent(self, user_id: str | None = "ana") -> ModelSpend:
        return await self.spending.of(self.clock().date(), user_id)


@pytest.fixture
async def guarded(server: ModelServer, clock: Clock) -> AsyncIterator[Guarded]:
    guarded = Guarded(server, clock, user=Budget(), seconds=5)
    yield guarded
    await guarded.model.close()


ESTIMATE = estimate_usage(QUESTION, maximum_output_tokens=OUTPUT_TOKENS)


def test_a_price_is_of_a_million_tokens_and_knows_what_was_cached() -> None:
    usage = TokenUsage(input_tokens=1_000, cached_input_tokens=400, output_tokens=10)
    assert PRICES.millionths(usage) == 600 + 40 + 50
    assert ModelPrices(input=1.0, output=5.0).millionths(usage) == 1_050
    assert FREE.millionths(usage) == 0


async def test_a_call_under_way_counts_as_much_as_it_may_use(
    server: ModelServer, guarded: Guarded
) -> None:
    go = asyncio.Event()
    server.script.append(Stalls(go, answers(PARIS)))
    asking = asyncio.create_task(guarded.ask())
    await _under_way(server)
    assert (await guarded.spent()).tokens == ESTIMATE.tokens
    go.set()
    usage = (await asking).usage
    expected = ModelSpend(tokens=usage.tokens, millionths=PRICES.millionths(usage))
    assert await guarded.spent() == await guarded.spent(None) == expected


async def test_a_call_that_was_refused_costs_nothing(server: ModelServer, guarded: Guarded) -> None:
    server.script.append(Fails(500))
    with pytest.raises(ModelServerError):
        await guarded.ask()
    assert await guarded.spent() == await guarded.spent(None) == ModelSpend()


async def test_a_call_that_was_cut_off_counts_as_estimated(
    server: ModelServer, guarded: Guarded
) -> None:
    server.script.append(Stalls(asyncio.Event(), answers(PARIS)))
    asking = asyncio.create_task(guarded.ask())
    await _under_way(server)
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert (await guarded.spent()).tokens == ESTIMATE.tokens


async def test_an_answer_that_drips_in_has_its_time_like_any_other(
    server: ModelServer, clock: Clock
) -> None:
    guarded = Guarded(server, clock, user=Budget(), seconds=0.1)
    server.script.append(Says("{}", after_seconds=0.4))
    with pytest.raises(ModelTimedOut):
        await guarded.ask()
    assert (await guarded.spent()).tokens == ESTIMATE.input_tokens
    await guarded.model.close()


async def test_a_spent_budget_sends_nothing_until_the_day_is_over(
    server: ModelServer, clock: Clock
) -> None:
    guarded = Guarded(server, clock, user=Budget(tokens=1), seconds=5)
    server.otherwise = lambda _: answers(PARIS)
    await guarded.ask()
    with pytest.raises(BudgetExhausted) as caught:
        await guarded.ask()
    assert caught.value.retry_after_seconds == 15 * 60
    assert len(server.asked) == 1
    await guarded.ask("ben")
    clock.advance(timedelta(hours=14, minutes=29))
    with pytest.raises(BudgetExhausted) as caught:
        await guarded.ask()
    assert caught.value.retry_after_seconds == 60
    clock.advance(timedelta(minutes=1))
    await guarded.ask()
    await guarded.model.close()


async def test_an_answer_stands_even_if_its_cost_cannot_be_written_down(
    server: ModelServer, guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = asyncio.Event()
    server.script.append(Stalls(go, answers(PARIS)))
    asking = asyncio.create_task(guarded.ask())
    await _under_way(server)

    async def away(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(guarded.spending, "add", away)
    go.set()
    assert (await asking).text
    assert (await guarded.spent()).tokens == ESTIMATE.tokens


async def _under_way(server: ModelServer) -> None:
    async with asyncio.timeout(60):
        while not server.at_once:  # noqa: ASYNC110 - the server is another party
            await asyncio.sleep(0.002)
