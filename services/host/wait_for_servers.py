"""Waits at the start for external servers."""

import asyncio
from collections.abc import Awaitable, Callable

from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.error_classification import describe_error, is_transient

_BACKOFF = Backoff(first_seconds=0.5, maximum_seconds=15)

_ADVICE = "in another terminal `PALIMPSEST_MODE=server palimpsest doctor` says what is away"


async def wait_for_server(
    reach: Callable[[], Awaitable[None]],
    *,
    say: Callable[[str], None],
    backoff: Backoff = _BACKOFF,
) -> None:
    """Return when `reach` does. While the server is away, say so and try again.

    Raises:
        Exception: an error of `reach` that waiting does not cure.
    """
    failures = 0
    while True:
        try:
            return await reach()
        except Exception as error:
            if not is_transient(error):
                raise
            failures += 1
            delay = backoff.delay(failures)
            say(f"waiting: {describe_error(error)}; trying again in {delay:g} s")
            if failures == 1:
                say(_ADVICE)
        await asyncio.sleep(delay)
