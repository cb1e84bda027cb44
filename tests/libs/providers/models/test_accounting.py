"""A call that took nothing is as if it had not been made, whenever that can be written down."""

from palimpsest.domain.clock import Clock
from palimpsest.domain.errors import TransientError
from palimpsest.domain.usage import ModelCall
from palimpsest.providers.models.accounting import Accounting, Used
from palimpsest.providers.models.attempts import Attempt, attempting
from palimpsest.providers.models.language_model import Task, Usage
from palimpsest.stores.usage import InMemoryUsage


class Away(InMemoryUsage):
    """A database that can be away."""

    away = False

    async def withdraw(self, call: ModelCall) -> None:
        if self.away:
            raise TransientError("the database is away")
        await super().withdraw(call)


async def test_what_took_nothing_is_not_counted_though_that_was_noted_late(clock: Clock) -> None:
    calls = Away()
    accounting = Accounting(calls, clock=clock)
    estimate = Used(usage=Usage(input_tokens=5, output_tokens=5), cost_millionths=1)
    with attempting(Attempt("window", "lease", None, 0)):
        call = await accounting.begin(
            user_id="ann", task=Task.EXTRACTION, model="m", estimate=estimate
        )
    calls.away = True
    nothing = Used(usage=Usage(), cost_millionths=0, failure="refused")
    await accounting.end(call, nothing)
    calls.away = False
    await accounting.catch_up()
    today = clock().date()
    assert await calls.rows(since=today, until=today) == []
    assert await calls.unannounced(limit=9) == []
