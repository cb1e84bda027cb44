"""When a webhook is sent what: tries, order by record, pauses and switching off."""

from datetime import timedelta
from typing import Any

from palimpsest.api.change_events import ChangeEventType
from palimpsest.api.webhooks import DeliveryState
from palimpsest.model.user import UserState
from palimpsest_server.domain.change_events import list_change_events
from palimpsest_server.domain.webhook_schedule import (
    LONGEST_PAUSE,
    RETRY_DELAYS,
    SWITCHED_OFF_AFTER,
    Attempt,
    build_deliveries,
    compute_pause,
    record_attempt,
    record_outcome,
    select_deliveries,
)
from tests.support.server.domain.consolidation.samples import day
from tests.support.server.domain.deliveries import delivery, known_webhook
from tests.support.server.stores.memories import COACH, added, memory
from tests.support.stores.decided_change_sets import decided

NOW = day(1)
WELL = Attempt(200)
AWAY = Attempt(failure="unreachable")


def test_a_delivery_is_tried_again_after_growing_delays_and_then_has_failed() -> None:
    waits, tried, now = [], delivery(1), NOW
    while tried.state is DeliveryState.PENDING:
        before, tried = tried.due_at, record_attempt(tried, AWAY, now)
        if tried.state is DeliveryState.PENDING:
            assert tried.due_at > before
            waits.append(tried.due_at - now)
            now = tried.due_at
    assert [wait.total_seconds() for wait in waits] == [5, 300, 1_800, 7_200, 18_000, 43_200]
    assert (tried.state, tried.attempts) == (DeliveryState.FAILED, 7)


def test_a_delivery_that_went_well_is_over() -> None:
    tried = record_attempt(record_attempt(delivery(1), AWAY, NOW), WELL, NOW)
    assert (tried.state, tried.attempts, tried.failure) == (DeliveryState.DELIVERED, 2, None)


def test_a_webhook_that_fails_for_days_is_switched_off_and_any_success_begins_anew() -> None:
    failing = record_outcome(known_webhook(), [AWAY], NOW)
    assert (failing.enabled, failing.failing_since) == (True, NOW)
    later = NOW + SWITCHED_OFF_AFTER
    assert record_outcome(failing, [AWAY, WELL], later).failing_since is None
    off = record_outcome(failing, [AWAY], later)
    assert (off.enabled, off.disabled_reason) == (False, "failing")
    assert record_outcome(failing, [AWAY], later - timedelta(seconds=1)).enabled


def test_a_webhook_that_is_gone_is_switched_off_at_once() -> None:
    off = record_outcome(known_webhook(), [WELL, Attempt(410, "refused")], NOW)
    assert (off.enabled, off.disabled_reason) == (False, "gone")


def test_an_endpoint_that_is_away_is_asked_again_every_few_minutes() -> None:
    assert [compute_pause(failures) for failures in (1, 2, 3, 50)] == [
        RETRY_DELAYS[0],
        *[LONGEST_PAUSE] * 3,
    ]


def test_what_is_told_of_one_record_goes_in_order_and_behind_what_is_not_sent_yet() -> None:
    first, second = delivery(1, due_at=day(2)), delivery(2)
    third, fourth = (delivery(each, memory="milk") for each in (3, 4))
    runs, postponed = select_deliveries([second, fourth, third], [first, third])
    assert runs == [[third, fourth]]
    assert [(webhook_delivery.id, webhook_delivery.due_at) for webhook_delivery in postponed] == [
        (second.id, first.due_at)
    ]


def test_a_webhook_is_sent_what_it_asks_for_of_whom_it_is_for() -> None:
    changes = added(memory(), memory("for coach", scope=COACH))
    events = list_change_events(
        decided("alice", 1, changes=changes, decided_at=NOW).change_set, UserState()
    )

    def sent(**fields: Any) -> int:
        return len(build_deliveries(known_webhook(**fields), events, NOW))

    assert [sent(), sent(user_id="alice"), sent(user_id="bob")] == [2, 2, 0]
    assert sent(user_id="alice", agent_id="coder") == 1
    assert sent(types=frozenset({ChangeEventType.MEMORY_UPDATED})) == 0
    assert sent(created_at=NOW + timedelta(seconds=1)) == 0


def test_a_delivery_has_the_id_of_its_change_and_one_of_its_own() -> None:
    events = list_change_events(
        decided("alice", 1, changes=added(memory())).change_set, UserState()
    )
    one, again = (build_deliveries(known_webhook("a"), events, day(each)) for each in (1, 2))
    (other,) = build_deliveries(known_webhook("b"), events, NOW)
    assert one[0].id == again[0].id != other.id
    assert one[0].event_id == again[0].event_id == other.event_id == events[0].id
