"""Close connections to Kafka in bounded time, whatever state Kafka is in."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from palimpsest_server.delivery.error_classification import describe_error, describe_failure

CLOSING_SECONDS = 3.0
"""Longest time for closing a connection."""

_log = structlog.get_logger("palimpsest.bus")


async def close_within(
    service: str, close: Callable[[], Awaitable[None]], seconds: float = CLOSING_SECONDS
) -> None:
    """Close one connection; log a failure and go on, because the others must be closed as well."""
    try:
        async with asyncio.timeout(seconds):
            await close()
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        # The cancellation is not ours: aiokafka lets out how its own tasks ended when Kafka went away first.
        _log.debug("leaving Kafka", service=service, error=describe_error(error))
    except Exception as error:  # noqa: BLE001 - see above
        _log.warning("leaving Kafka", service=service, **describe_failure(error))
