"""A call that took nothing is as if it had not been made, whenever that can be written down."""

from palimpsest.model.clock import Clock
from palimpsest.model.errors import TransientError
from palimpsest.model.usage import ModelCall
from palimpsest_server.models.attempt_context import RequestAttempt, bind_attempt
from palimpsest_server.models.call_accounting import CallAccounting, CallUsage
from palimpsest_server.models.language_model import ModelTask, TokenUsage
from palimpsest_server.stores.usage import InMemoryUsage


class Away(InMemoryUsage):
    """A database that can be away."""

    away = False

    async def withdraw(self, call: ModelCall) -> None:
        if self.away:
            raise TransientError("the database is away")
        await super().withdraw(call)


async def test_what_took_nothing_is_not_counted_though_that_was_noted_late(clock: Clock) -> None:
    calls = Away()
    accounting = CallAccounting(calls, clock=clock)
    estimate = CallUsage(usage=TokenUsage(input_tokens=5, output_tokens=5), cost_millionths=1)
    with bind_attempt(RequestAttempt("window", "lease", None, 0)):
        call = await accounting.begin(
            user_id="ann", task=ModelTask.EXTRACTION, model="m", estimate=estimate
        )
    calls.away = True
    nothing = CallUsage(usage=TokenUsage(), cost_millionths=0, failure="refused")
    await accounting.end(call, nothing)
    calls.away = False
    await accounting.catch_up()
    today = clock().date()
    assert await calls.rows(since=today, until=today) == []
    assert await calls.unannounced(limit=9) == []
