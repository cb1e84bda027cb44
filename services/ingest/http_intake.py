"""Accepts events over HTTP: each is redacted, stored, published to Kafka and answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from palimpsest.api.problems import build_problem
from palimpsest.api.resources import EventResult, Problem
from palimpsest.events.conversations import MessageAdded
from palimpsest.events.topics import CONVERSATIONS
from palimpsest.model.clock import Clock
from palimpsest.model.errors import ConflictingDuplicate, PermanentError
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserState
from palimpsest.model.value_types import Instant
from palimpsest_language.redaction.policy import DEFAULT_POLICY, PrivacyPolicy
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.tracing import get_active_tracing
from palimpsest_server.stores.accepted_requests import AcceptedRequest, request_id
from palimpsest_server.stores.outbox import OutboxEntry, OutboxState
from palimpsest_server.stores.user_states import UserStates
from services.ingest.concurrency import await_all, iterate_with_pauses
from services.ingest.drop_rules import find_drop_reason
from services.ingest.idempotency import has_lost_content, is_same_message, is_same_request
from services.ingest.ingest_stores import IngestStores
from services.ingest.metrics import IngestMetrics
from services.ingest.receive_events import (
    ConversationEvent,
    UnreadableEvent,
    build_unreadable_event,
    parse_event,
    stamp_event,
)
from services.ingest.redact_events import redact_event_off_loop
from services.ingest.turn_conversion import build_turn

HTTP_INTAKE_LABEL = "http"


class HttpIntake:
    """Stores events and publishes them to `conversations`.

    A retry of an event that was stored and never reached Kafka publishes the same event again.
    """

    def __init__(
        self,
        stores: IngestStores,
        *,
        users: UserStates,
        publisher: Publisher,
        metrics: IngestMetrics,
        clock: Clock,
        privacy: PrivacyPolicy = DEFAULT_POLICY,
    ) -> None:
        self._turns = stores.turns
        self._requests = stores.requests
        self._users = users
        self._publisher = publisher
        self._metrics = metrics
        self._clock = clock
        self._privacy = privacy

    async def accept(self, items: Sequence[Mapping[str, Any]]) -> Sequence[EventResult]:
        """Return the result of each event, in order. Status 202 means stored and taken by Kafka.

        Raises:
            TransientError: MongoDB or Kafka is away. Events stored by then are recognised when they
                are
                sent again.
        """
        results: list[EventResult | None] = [None] * len(items)
        readable = await self._readable(items, results)
        users = await self._users.of({event.user_id for event in readable.values()})
        taken = self._select_accepted(readable, users, results)
        await self._keep_and_publish(taken, results)
        final = [result for result in results if result is not None]
        for item, result in zip(items, final, strict=True):
            self._count(item, result)
        return final

    async def _readable(
        self, items: Sequence[Mapping[str, Any]], results: list[EventResult | None]
    ) -> dict[int, ConversationEvent]:
        readable: dict[int, ConversationEvent] = {}
        tracing = get_active_tracing()
        position = -1
        async for item in iterate_with_pauses(items, _characters):
            position += 1
            try:
                event, kinds = await redact_event_off_loop(parse_event(item), self._privacy)
            except UnreadableEvent as error:
                results[position] = _refused(error.problem)
            except PermanentError as error:
                results[position] = _refused(build_unreadable_event("event", error).problem)
            else:
                readable[position] = event if tracing is None else tracing.traced(event)
                self._metrics.redacted(kinds)
        return readable

    def _select_accepted(
        self,
        readable: Mapping[int, ConversationEvent],
        users: Mapping[str, UserState],
        results: list[EventResult | None],
    ) -> list["_AcceptedEvent"]:
        """Return the events to store, stamped; set the results of the others."""
        now = self._clock()
        taken: list[_AcceptedEvent] = []
        for position, event in readable.items():
            user = users[event.user_id]
            if find_drop_reason(event, user) is not None:
                results[position] = _accepted(event, "dropped")
            else:
                taken.append(_AcceptedEvent.of(position, event, now, user.epoch))
        return taken

    async def _keep_and_publish(
        self, taken: Sequence["_AcceptedEvent"], results: list[EventResult | None]
    ) -> None:
        first: dict[str, _AcceptedEvent] = {}
        for each in taken:
            first.setdefault(each.id, each)
        items = [each.item for each in first.values()]
        now = self._clock()
        stood_turns, stood_requests = await await_all(
            self._turns.accept([item for item in items if isinstance(item, Turn)], now=now),
            self._requests.accept([item for item in items if not isinstance(item, Turn)], now=now),
        )
        stood: Mapping[str, OutboxEntry[Turn | AcceptedRequest]] = {**stood_turns, **stood_requests}
        publishable: list[ConversationEvent] = []
        for accepted_event in taken:
            kept = stood.get(accepted_event.id)
            new = kept is None and first[accepted_event.id] is accepted_event
            known = kept.item if kept is not None else first[accepted_event.id].item
            if not new and not accepted_event.is_same_as(known):
                results[accepted_event.position] = _conflict(accepted_event.event)
                continue
            results[accepted_event.position] = _accepted(
                accepted_event.event, "accepted" if new else "duplicate"
            )
            if first[accepted_event.id] is accepted_event and (
                kept is None or accepted_event.may_be_unpublished(kept)
            ):
                publishable.append(accepted_event.event)
        await self._publisher.publish(CONVERSATIONS, publishable)

    def _count(self, item: Mapping[str, Any], result: EventResult) -> None:
        # An unknown event type must not become a label.
        event_type = str(item["type"]) if result.event_id is not None else "unreadable"
        self._metrics.event(HTTP_INTAKE_LABEL, event_type, result.outcome)


@dataclass(frozen=True)
class _AcceptedEvent:
    """An event to be stored, with the turn or request that is stored for it."""

    position: int
    event: ConversationEvent
    id: str
    item: Turn | AcceptedRequest

    @classmethod
    def of(cls, position: int, event: ConversationEvent, now: Instant, epoch: int) -> Self:
        accepted = stamp_event(event, received_at=now, epoch=epoch)
        if isinstance(accepted, MessageAdded):
            turn = build_turn(accepted, received_at=now, epoch=epoch)
            return cls(position, accepted, turn.id, turn)
        return cls(position, accepted, request_id(event.user_id, event.event_id), accepted)

    def is_same_as(self, known: Turn | AcceptedRequest) -> bool:
        if isinstance(self.item, Turn):
            return isinstance(known, Turn) and is_same_message(known, self.item)
        return not isinstance(known, Turn) and is_same_request(known, self.item)

    def may_be_unpublished(self, kept: OutboxEntry[Turn | AcceptedRequest]) -> bool:
        return _may_have_missed_kafka(kept) and not has_lost_content(
            kept.item, self.item.epoch or 0
        )


def _may_have_missed_kafka(kept: OutboxEntry[Turn | AcceptedRequest]) -> bool:
    """Tell whether the stored event may never have reached the consumer.

    Whoever sends such an event again may want it published.
    """
    taken_in = isinstance(kept.item, Turn) and kept.item.sequence is not None
    return kept.state is OutboxState.STORED and not taken_in


def _accepted(
    event: ConversationEvent, outcome: Literal["accepted", "duplicate", "dropped"]
) -> EventResult:
    return EventResult(status=202, event_id=event.event_id, outcome=outcome)


def _conflict(event: ConversationEvent) -> EventResult:
    error = ConflictingDuplicate("this id is known with another body")
    return EventResult(
        status=409, event_id=event.event_id, outcome="conflict", problem=build_problem(error)
    )


def _refused(problem: Problem) -> EventResult:
    return EventResult(status=422, outcome="invalid", problem=problem)


def _characters(item: Mapping[str, Any]) -> int:
    return sum(len(value) for value in item.values() if isinstance(value, str | list | dict))
