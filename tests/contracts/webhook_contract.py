"""The promises of every store of webhooks."""

from datetime import datetime, timedelta

import pytest

from palimpsest.api.change_events import ChangeEventType
from palimpsest.api.webhooks import DeliveryState
from palimpsest.model.errors import RecordNotFound
from palimpsest_server.stores.webhooks import WebhookStore
from tests.support.server.domain.consolidation.samples import day
from tests.support.server.domain.deliveries import delivery, known_webhook

SECOND = timedelta(seconds=1)
NOW = day(1)


async def due_ids(store: WebhookStore, now: datetime = NOW, limit: int = 10) -> list[str]:
    return [delivery.id for delivery in (await store.due("hook", now=now, limit=limit)).due]


class WebhookStoreContract:
    async def test_a_webhook_is_read_as_it_was_added_and_added_once(
        self, store: WebhookStore
    ) -> None:
        types = frozenset({ChangeEventType.MEMORY_CREATED, ChangeEventType.TODO_REMINDED})
        first = known_webhook("a", user_id="alice", types=types)
        second = known_webhook("b", created_at=day(2))
        for webhook in (second, first):
            assert await store.add(webhook) == webhook
        again = known_webhook("a", secret="another")
        assert await store.add(again) == first
        assert await store.list() == [first, second]

    async def test_only_the_fields_that_are_named_are_written(self, store: WebhookStore) -> None:
        known = await store.add(known_webhook())
        changed = known.model_copy(update={"enabled": False, "url": "https://example.org"})
        await store.write(changed, {"enabled"})
        assert await store.list() == [known.model_copy(update={"enabled": False})]
        await store.write(known_webhook("gone"), {"enabled"})
        assert len(await store.list()) == 1

    async def test_what_is_queued_through_never_goes_back(self, store: WebhookStore) -> None:
        await store.add(known_webhook())
        for moment in (day(3), day(2)):
            await store.queued(["hook"], moment)
        assert [webhook.queued_through for webhook in await store.list()] == [day(3)]

    async def test_one_holds_a_lease_until_it_is_over_or_given_back(
        self, store: WebhookStore
    ) -> None:
        await store.add(known_webhook())

        async def taken(holder: str, now: datetime = NOW) -> bool:
            return await store.lease("hook", holder, now=now, until=now + 9 * SECOND)

        assert [await taken("a"), await taken("b"), await taken("a")] == [True, False, True]
        assert await taken("b", NOW + 10 * SECOND)
        await store.release("hook", "a")
        assert not await taken("a", NOW + 10 * SECOND)
        await store.release("hook", "b")
        assert await taken("a", NOW + 10 * SECOND)
        assert not await store.lease("gone", "a", now=NOW, until=NOW)

    async def test_a_delivery_is_queued_once(self, store: WebhookStore) -> None:
        assert await store.queue([delivery(1), delivery(2)]) == 2
        assert await store.queue([delivery(2, due_at=day(9)), delivery(3)]) == 1
        assert await due_ids(store) == [delivery(each).id for each in (1, 2, 3)]

    async def test_what_is_due_is_read_and_the_first_of_each_record_due_or_not(
        self, store: WebhookStore
    ) -> None:
        late = delivery(4, due_at=NOW - SECOND)
        later = delivery(3, due_at=NOW + SECOND)
        other = delivery(5, memory="other", due_at=NOW + SECOND)
        elsewhere = delivery(6, webhook_id="another")
        delivered = delivery(7, state=DeliveryState.DELIVERED)
        await store.queue([delivery(1), delivery(2), later, late, other, elsewhere, delivered])
        assert await due_ids(store) == [late.id, delivery(1).id, delivery(2).id]
        assert await due_ids(store, limit=1) == [late.id]
        for limit in (1, 10):
            assert (await store.due("hook", now=NOW, limit=limit)).heads == [delivery(1)]
        assert await store.due("another", now=NOW, limit=9) == ([elsewhere], [elsewhere])
        assert await store.due("hook", now=NOW - 9 * SECOND, limit=9) == ([], [])

    async def test_the_first_of_a_record_is_found_among_many_that_wait(
        self, store: WebhookStore
    ) -> None:
        waiting = [
            delivery(revision, memory=f"m{revision % 7}", due_at=NOW + SECOND)
            for revision in range(1, 300)
        ]
        due = [delivery(300, memory="m3"), delivery(301, memory="fresh")]
        await store.queue([*waiting, *due])
        for limit in (64, 9, 64):
            found = await store.due("hook", now=NOW, limit=limit)
            assert found.due == due
            assert {head.id for head in found.heads} == {waiting[2].id, due[1].id}

    async def test_what_became_of_each_delivery_is_recorded(self, store: WebhookStore) -> None:
        tried = [
            delivery(1, state=DeliveryState.FAILED, attempts=7, tried_at=NOW, failure="refused"),
            delivery(2, attempts=1, tried_at=NOW, failure="timed_out", due_at=NOW + SECOND),
            delivery(3, attempts=1, tried_at=NOW, failure="timed_out", due_at=NOW + 9 * SECOND),
            *(
                delivery(
                    revision,
                    state=DeliveryState.DELIVERED,
                    attempts=1,
                    tried_at=NOW,
                    response_status=204,
                    due_at=day(1) + revision * SECOND,
                )
                for revision in (4, 5)
            ),
        ]
        fresh = {"attempts": 0, "tried_at": None, "failure": None, "response_status": None}
        pending = {**fresh, "state": DeliveryState.PENDING}
        await store.queue(
            [webhook_delivery.model_copy(update=pending) for webhook_delivery in tried]
        )
        await store.record(tried)
        recorded = await store.deliveries("hook", states=None, limit=9, after=None)
        assert sorted(recorded, key=lambda one: one.changed.revision) == tried

    async def test_what_failed_is_sent_again_or_what_is_named(self, store: WebhookStore) -> None:
        failed = delivery(1, state=DeliveryState.FAILED, attempts=7)
        delivered = delivery(2, state=DeliveryState.DELIVERED, attempts=1)
        await store.queue([failed, delivered])
        assert await store.replay("hook", [], now=NOW) == 1
        assert await due_ids(store) == [failed.id]
        assert await store.replay("hook", [delivered.id, "unknown"], now=NOW) == 1
        assert await store.replay("another", [delivered.id], now=NOW) == 0
        assert {
            delivery.attempts for delivery in (await store.due("hook", now=NOW, limit=9)).due
        } == {0}

    async def test_deliveries_are_read_in_pages_the_latest_first(self, store: WebhookStore) -> None:
        queued = [delivery(each, queued_at=NOW + each // 2 * SECOND) for each in range(1, 6)]
        await store.queue(queued)
        wanted = sorted(
            queued,
            key=lambda webhook_delivery: (webhook_delivery.queued_at, webhook_delivery.id),
            reverse=True,
        )
        pages, last = [], None
        for _ in range(3):
            page = await store.deliveries("hook", states=None, limit=2, after=last)
            pages += page
            last = page[-1].id
        assert pages == wanted
        with pytest.raises(RecordNotFound):
            await store.deliveries("hook", states=None, limit=2, after="unknown")

    async def test_a_deleted_webhook_leaves_nothing(self, store: WebhookStore) -> None:
        await store.add(known_webhook())
        await store.queue([delivery(1)])
        await store.delete("hook")
        assert await store.list() == []
        assert await due_ids(store) == []
