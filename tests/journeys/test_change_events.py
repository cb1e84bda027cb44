"""Changes are told as they happen, and a watcher that comes back goes on where it was."""

import asyncio
from contextlib import aclosing

import pytest

from palimpsest.api.change_events import ChangeEventType
from tests.support.journeys.running import RunningPalimpsest

pytestmark = pytest.mark.embedded


async def test_a_watcher_is_told_of_changes_and_goes_on_where_it_was(
    palimpsest: RunningPalimpsest,
) -> None:
    async with palimpsest.client() as client, asyncio.timeout(60):
        async with aclosing(client.watch(user_id="iris", content=True, after="0.0.0")) as changes:
            await client.remember("Iris keeps bees", user_id="iris")
            created = await anext(changes)
        assert (created.type, created.data.content) == (
            ChangeEventType.MEMORY_CREATED,
            "Iris keeps bees",
        )
        assert created.data.id is not None
        await client.forget(created.data.id, user_id="iris")
        async with aclosing(client.watch(user_id="iris", after=created.position)) as changes:
            forgotten = await anext(changes)
        assert (forgotten.type, forgotten.data.content) == (ChangeEventType.MEMORY_FORGOTTEN, None)
        assert forgotten.data.id == created.data.id
