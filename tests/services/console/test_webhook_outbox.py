"""The outbox of webhooks: each change arrives, signed, in order by record, under one id."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from palimpsest.api.webhooks import DeliveryState, WebhookDelivery
from palimpsest.model.change_set import ChangeSet, TodoChange
from palimpsest.model.errors import TransientError
from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo
from palimpsest_server.domain.webhook_schedule import SWITCHED_OFF_AFTER
from palimpsest_server.stores.webhooks import KnownWebhook
from services.console.metrics import ConsoleMetrics
from services.console.reminder_notifier import ReminderNotifier
from services.console.webhook_dispatcher import BATCH, SIDE_BY_SIDE
from services.console.webhook_leases import REQUEST_SECONDS
from services.console.webhook_outbox import WebhookOutbox
from services.console.webhook_sender import WebhookSender
from tests.support.eventually import eventually
from tests.support.server.domain.deliveries import SECRET, known_webhook
from tests.support.services.console.changes import DecidedChanges
from tests.support.services.console.routes.world import World, Writer
from tests.support.services.console.webhook_receiver import WebhookReceiver, receiving
from tests.support.stores.decided_change_sets import decided
from tests.support.stores.webhooks import InMemoryWebhooks

MINUTE = timedelta(minutes=1)


class WatchedWebhooks(InMemoryWebhooks):
    """Counts leases; where a test says so the process dies between a request and its record."""

    def __init__(self) -> None:
        super().__init__()
        self.dies = False
        self.leases = 0

    async def record(self, deliveries: Sequence[WebhookDelivery]) -> None:
        if self.dies:
            raise TransientError("the process died")
        await super().record(deliveries)

    async def lease(self, webhook_id: str, holder: str, *, now: datetime, until: datetime) -> bool:
        self.leases += 1
        return await super().lease(webhook_id, holder, now=now, until=until)


class Console(DecidedChanges):
    """One webhook, and the outbox of one process after another."""

    def __init__(self, receiver: WebhookReceiver) -> None:
        super().__init__()
        self.receiver = receiver
        self.webhooks = WatchedWebhooks()
        self.notified: dict[str, str] = {}
        self.start()

    async def add(self, **fields: Any) -> None:
        now = self.clock()
        times = {"created_at": now, "queued_through": now}
        await self.webhooks.add(known_webhook(url=self.receiver.url, **times | fields))
        await self.outbox.queue.look()

    def start(self) -> None:
        """A new process on the same stores, in place of the one before."""
        self.outbox = WebhookOutbox(
            self.webhooks,
            self.store,
            Writer(World()),
            WebhookSender(allows_private=True, clock=self.clock),
            ReminderNotifier({name: SecretStr(url) for name, url in self.notified.items()}),
            metrics=ConsoleMetrics(CollectorRegistry()),
            clock=self.clock,
            read_every=timedelta(),
        )
        self.listeners = [self.outbox.on_change]

    async def work(self) -> None:
        await self.outbox.queue.look()
        await self.outbox.dispatcher.look()

    async def let_pass(self, time: timedelta, step: timedelta) -> None:
        ends = self.clock.now + time
        while self.clock.now < ends:
            self.clock.advance(step)
            await self.work()

    async def webhook(self) -> KnownWebhook:
        (known,) = await self.webhooks.list()
        return known

    async def ledger(self) -> list[WebhookDelivery]:
        return await self.webhooks.deliveries("hook", states=None, limit=500, after=None)

    @contextmanager
    def dying(self) -> Iterator[None]:
        self.webhooks.dies = True
        yield
        self.webhooks.dies = False


@pytest.fixture
async def console() -> AsyncIterator[Console]:
    async with receiving(SECRET) as receiver:
        console = Console(receiver)
        yield console
        await console.outbox.close()


def revisions(events: list[dict[str, Any]]) -> list[int]:
    return [event["data"]["revision"] for event in events]


async def change(console: Console, *numbers: int) -> list[ChangeSet]:
    """Change the same memory at each of these revisions."""
    return [await console.announce(number, "tea") for number in numbers]


async def test_a_change_is_sent_signed_with_ids_alone(console: Console) -> None:
    await console.add()
    await console.announce(1, "tea", "milk")
    await console.work()
    events = console.receiver.taken
    assert [event["type"] for event in events] == ["memory.created"] * 2
    assert [each.event_id for each in console.receiver.received] == [
        event["id"] for event in events
    ]
    assert not any("content" in event["data"] for event in events)
    assert {delivery.state for delivery in await console.ledger()} == {DeliveryState.DELIVERED}


async def test_words_are_sent_to_who_asks_for_them(console: Console) -> None:
    await console.add(content=True)
    await console.announce(1, "tea")
    await console.work()
    assert console.receiver.taken[0]["data"]["content"] == "tea of alice"


async def test_only_what_is_asked_for_of_whom_it_is_for_is_sent(console: Console) -> None:
    await console.add(user_id="bob")
    await console.announce(1, "tea")
    await console.announce(1, "tea", user_id="bob")
    await console.work()
    assert [event["data"]["user_id"] for event in console.receiver.taken] == ["bob"]


async def test_everything_arrives_in_order_after_an_hour_without_a_receiver(
    console: Console,
) -> None:
    await console.add()
    console.receiver.status = 503
    for number in range(1, 61):
        await change(console, number)
        await console.let_pass(MINUTE, MINUTE)
    asked = len(console.receiver.received)
    console.receiver.status = 200
    await console.let_pass(6 * 60 * MINUTE, 5 * MINUTE)
    assert revisions(console.receiver.taken) == list(range(1, 61))
    assert len({event["id"] for event in console.receiver.taken}) == 60
    # It was asked again now and then, not with every change that waited.
    assert asked < 20
    assert (await console.webhook()).failing_since is None


async def test_what_one_record_waits_for_holds_up_no_other(console: Console) -> None:
    await console.add()
    tea, milk = await console.announce(1, "tea"), await console.announce(2, "milk")
    tea_id, milk_id = (change_set.memory_changes[0].after.id for change_set in (tea, milk))
    console.receiver.refuses = {tea_id}
    await change(console, 3)
    await console.work()
    assert [event["data"]["id"] for event in console.receiver.taken] == [milk_id]
    console.receiver.refuses = set()
    await console.let_pass(MINUTE, timedelta(seconds=6))
    assert revisions(console.receiver.taken) == [2, 1, 3]


async def test_a_process_that_died_before_the_record_sends_again_under_the_same_id(
    console: Console,
) -> None:
    await console.add()
    with console.dying():
        await change(console, 1, 2)
        await console.work()
    console.start()
    await console.let_pass(2 * MINUTE, MINUTE)
    assert revisions(console.receiver.taken) == [1, 2, 1, 2]
    assert len({each.event_id for each in console.receiver.received}) == 2


async def test_what_was_announced_while_nobody_listened_is_sent(console: Console) -> None:
    await console.add()
    await change(console, 1)
    await console.work()
    console.listeners = []
    await change(console, 2, 3)
    console.start()
    await change(console, 4)
    await console.let_pass(2 * MINUTE, MINUTE)
    assert revisions(console.receiver.taken) == [1, 2, 3, 4]


async def test_an_announcement_that_was_lost_is_found_with_the_next_of_its_user(
    console: Console,
) -> None:
    await console.add()
    await change(console, 1)
    lost = await console.decide(2, "tea")
    await console.finish(lost)
    await change(console, 3)
    await console.work()
    assert revisions(console.receiver.taken) == [1, 2, 3]


async def test_an_announcement_that_was_lost_is_found_within_a_minute(console: Console) -> None:
    await console.add()
    await change(console, 1)
    await console.work()
    await console.finish(await console.decide(2, "tea"))
    await console.let_pass(MINUTE, MINUTE / 4)
    assert revisions(console.receiver.taken) == [1, 2]


async def test_what_is_finished_late_is_not_passed_over(console: Console) -> None:
    await console.add()
    late = await console.decide(1, "tea")
    console.listeners = []
    await console.let_pass(10 * MINUTE, MINUTE)
    assert console.receiver.taken == []
    await console.finish(late)
    console.start()
    await console.work()
    assert revisions(console.receiver.taken) == [1]


async def test_a_webhook_that_fails_for_days_is_switched_off_and_told_later_what_it_missed(
    console: Console,
) -> None:
    await console.add()
    console.receiver.status = 500
    await change(console, 1)
    await console.work()
    console.clock.advance(SWITCHED_OFF_AFTER)
    await console.work()
    off = await console.webhook()
    assert (off.enabled, off.disabled_reason) == (False, "failing")
    asked = len(console.receiver.received)
    await change(console, 2)
    await console.let_pass(MINUTE, MINUTE)
    assert len(console.receiver.received) == asked
    console.receiver.status = 200
    on = off.model_copy(update={"enabled": True, "failing_since": None})
    await console.webhooks.write(on, {"enabled", "failing_since"})
    await console.let_pass(10 * MINUTE, MINUTE)
    assert sorted(revisions(console.receiver.taken)) == [1, 2]


async def test_an_endpoint_that_is_gone_is_asked_no_more(console: Console) -> None:
    await console.add()
    console.receiver.status = 410
    await change(console, 1, 2)
    await console.work()
    assert (await console.webhook()).disabled_reason == "gone"


async def test_a_redirect_is_not_followed(console: Console) -> None:
    await console.add()
    console.receiver.status = 307
    await change(console, 1)
    await console.work()
    assert len(console.receiver.received) == 1
    assert [delivery.failure for delivery in await console.ledger()] == ["redirected"]


async def test_many_batches_are_sent_under_one_lease(console: Console) -> None:
    await console.add()
    await change(console, *range(1, 3 * BATCH))
    await console.work()
    assert revisions(console.receiver.taken) == list(range(1, 3 * BATCH))
    assert console.webhooks.leases == 1


async def test_two_processes_send_each_change_once(console: Console) -> None:
    await console.add()
    first = console.outbox
    console.start()
    console.listeners = [first.on_change, console.outbox.on_change]
    for outbox in (first, console.outbox):
        await outbox.queue.look()
    await change(console, 1, 2, 3)
    for outbox in (first, console.outbox):
        await outbox.queue.look()
        await outbox.dispatcher.look()
    await first.close()
    assert revisions(console.receiver.taken) == [1, 2, 3]


async def test_no_other_process_sends_while_all_requests_of_a_batch_time_out(
    console: Console,
) -> None:
    await console.add()
    await console.announce(1, *map(str, range(BATCH)))
    first = console.outbox
    await first.queue.look()
    console.start()
    console.receiver.status = 503

    async def time_out() -> None:
        console.clock.advance(timedelta(seconds=REQUEST_SECONDS) / SIDE_BY_SIDE)
        await console.outbox.dispatcher.look()

    console.receiver.on_request = time_out
    await first.dispatcher.look()
    await first.close()
    asked = [each.event_id for each in console.receiver.received]
    assert len(asked) == len(set(asked)) == BATCH


async def test_what_another_process_switches_off_is_asked_no_more_though_much_waits(
    console: Console,
) -> None:
    await console.add()
    await change(console, *range(1, 3 * BATCH))

    async def switch_off() -> None:
        off = (await console.webhook()).model_copy(update={"enabled": False})
        await console.webhooks.write(off, {"enabled"})

    console.receiver.on_request = switch_off
    await console.work()
    assert revisions(console.receiver.taken) == list(range(1, BATCH + 1))


async def test_two_processes_that_hear_of_changes_as_they_come_send_each_once(
    console: Console,
) -> None:
    await console.add()
    first = console.outbox
    console.start()
    console.listeners = [first.on_change, console.outbox.on_change]
    for outbox in (first, console.outbox):
        await outbox.queue.look()
    tasks = [
        asyncio.create_task(run())
        for outbox in (first, console.outbox)
        for run in outbox.tasks.values()
    ]
    for number in range(1, 40):
        await change(console, number)
        await asyncio.sleep(0)
    await eventually(lambda: len(console.receiver.taken) >= 39)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await first.close()
    assert revisions(console.receiver.taken) == list(range(1, 40))
    # Who ends gives its leases back.
    assert await console.webhooks.lease(
        "hook", "another", now=console.clock(), until=console.clock()
    )


async def remind(console: Console, revision: int, user_id: str) -> None:
    now = console.clock()
    todo = Todo(
        id=f"todo of {user_id}",
        scope=Scope(user_id=user_id),
        content="给小波打电话",
        remind_at=now,
        created_at=now,
        epoch=0,
    )
    change = TodoChange(before=todo, after=todo.model_copy(update={"reminded_at": now}))
    decided_change_set = decided(user_id, revision, changes=(change,), decided_at=now)
    await console.store.append([decided_change_set])
    await console.tell(decided_change_set.change_set)


async def test_reminders_go_where_a_setting_says_once_and_again_where_that_failed(
    console: Console,
) -> None:
    pytest.importorskip("apprise")
    address = console.receiver.url.replace("http://", "json://")
    console.notified = {"alice": address, "*": f"{address}?to={{user_id}}"}
    console.receiver.status = 503
    console.start()
    await console.outbox.queue.look()
    await console.announce(1, "tea")
    await remind(console, 2, "alice")
    await remind(console, 1, "bob")
    await console.work()
    assert len(console.receiver.notes) == 2
    console.receiver.status = 200
    console.start()
    await console.let_pass(10 * MINUTE, MINUTE)
    assert [note["message"] for note in console.receiver.notes] == ["提醒：给小波打电话"] * 4
    console.notified = {}
    console.start()
    await console.outbox.queue.look()
    assert await console.webhooks.list() == []
