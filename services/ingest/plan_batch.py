"""Plans a batch: decides from the stored state what to do about each event. No I/O, no clock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from palimpsest.events.conversations import MessageAdded, SessionEnded, SessionStarted
from palimpsest.events.envelope import Event
from palimpsest.events.writes import build_turn_stored
from palimpsest.model.errors import ConflictingDuplicate
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserState
from palimpsest.model.window import WindowTrigger
from palimpsest_server.stores.accepted_requests import (
    AcceptedRequest,
    ConsolidatorRequest,
    request_id,
)
from palimpsest_server.stores.outbox import OutboxEntry, OutboxState
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.turns import TurnPlacement
from services.ingest.drop_rules import find_drop_reason
from services.ingest.extraction_triggers import find_trigger
from services.ingest.frame_tracker import FrameTracker
from services.ingest.idempotency import is_same_message, is_same_request
from services.ingest.receive_events import ConversationEvent, stamp_event
from services.ingest.turn_conversion import build_turn


@dataclass(frozen=True, kw_only=True)
class StoredBatchState:
    """The stored state that a batch is planned from."""

    turns: Mapping[str, OutboxEntry[Turn]]
    requests: Mapping[str, OutboxEntry[AcceptedRequest]]
    last_sequences: Mapping[SessionKey, int]
    published_through: Mapping[SessionKey, int]
    ended_through: Mapping[SessionKey, int]
    ended_at: Mapping[SessionKey, datetime | None]
    """Time of receipt of each session's last end."""
    projects: Mapping[SessionKey, str | None]
    """The project of each session, as its start stated it."""
    in_fiction: Mapping[SessionKey, bool]
    """True if people of a session speak in roles."""
    users: Mapping[str, UserState]


@dataclass
class SessionBatchState:
    """Changes that a batch makes to one session."""

    last_sequence: int = 0
    published_through: int = 0
    spoke: bool = False
    started: SessionStarted | None = None
    endings: set[int] = field(default_factory=set)
    ended_at: datetime | None = None
    """Time of receipt of the last end."""
    closing: WindowTrigger | None = None
    """Reason to extract the open window now; None if there is none."""


class _Ending(NamedTuple):
    """A requested end of a session."""

    request_id: str
    received_at: datetime


class BatchPlan:
    """Plan of a batch, built by taking its events in order."""

    def __init__(self, standing: StoredBatchState, *, now: datetime) -> None:
        self._standing = standing
        self._now = now
        self._turns: dict[str, Turn] = {}
        self._requests: dict[str, AcceptedRequest] = {}
        self.frames = FrameTracker(standing.in_fiction)
        self._endings: dict[SessionKey, _Ending] = {}
        """Ends that no later turn of their session has followed yet."""
        self.placements: list[TurnPlacement] = []
        self.new_requests: list[AcceptedRequest] = []
        self.candidates: list[Event] = []
        """Events to publish for the batch, in order."""
        self.confirmed_requests: list[str] = []
        self.dropped_turns: list[str] = []
        self.dropped_requests: list[str] = []
        self.sessions: dict[SessionKey, SessionBatchState] = {}
        self.outcomes: list[tuple[str, str]] = []
        """Type and outcome of each event, in order."""
        self.conflicts: list[tuple[int, ConflictingDuplicate]] = []
        """Conflicts: the position in the batch, and the error."""

    def take(self, position: int, event: ConversationEvent) -> None:
        try:
            outcome = (
                self._message(event) if isinstance(event, MessageAdded) else self._request(event)
            )
        except ConflictingDuplicate as error:
            self.conflicts.append((position, error))
            outcome = "conflict"
        self.outcomes.append((event.type, outcome))

    @property
    def said(self) -> Sequence[Turn]:
        """The numbered turns of the plan, in order."""
        return tuple(self._turns.values())

    def finish(self) -> None:
        """Settle the ends that no turn has followed. Call it after the last event."""
        for key, ending in self._endings.items():
            self.sessions[key].ended_at = ending.received_at
            self._end(key, self._last_sequence(key))

    def _message(self, event: MessageAdded) -> str:
        turn = build_turn(event, received_at=self._now, epoch=self._user(event).epoch)
        kept = self._standing.turns.get(turn.id)
        reason = find_drop_reason(event, self._user(event), kept.item.epoch if kept else None)
        if reason is not None:
            if kept is not None and reason == "older_epoch":
                self.dropped_turns.append(turn.id)
            return reason
        known = self._turns.get(turn.id) or (kept.item if kept else None)
        if known is not None and not is_same_message(known, turn):
            raise ConflictingDuplicate("this message id is known with another body")
        if turn.id in self._turns or (kept is not None and self._is_done(kept)):
            self._pass(turn, kept)
            return "duplicate"
        key = SessionKey.of(turn)
        behind_end = self._end_before(key, kept)
        placed = kept.item if kept else turn
        if placed.sequence is None:
            number = self._last_sequence(key) + 1
            if behind_end is not None:
                self.frames.end(key, number - 1)
            placed = self.frames.mark(self._in_project(placed, key).at(number))
            self.placements.append(TurnPlacement(placed, kept is not None, behind_end))
        else:
            self.frames.follow(placed)
        if kept is not None and self._belongs_before_end(placed, key):
            self._end(key, placed.sequence or 0)
        self._turns[turn.id] = placed
        self._spoke(key, placed.sequence or 0, is_behind=behind_end is not None)
        self._close_window(event)
        self.candidates.append(build_turn_stored(placed))
        return "accepted"

    def _in_project(self, turn: Turn, key: SessionKey) -> Turn:
        """Return the turn with its project: its own, otherwise its session's."""
        started = self.sessions[key].started if key in self.sessions else None
        project = started.project_id if started else self._standing.projects.get(key)
        return turn if turn.project_id else turn.model_copy(update={"project_id": project})

    def _end_before(self, key: SessionKey, kept: OutboxEntry[Turn] | None) -> str | None:
        """Return the end that this turn is the first to follow; None if there is none."""
        ending = self._endings.get(key)
        if ending is None or (kept is not None and not _came_behind(ending, kept)):
            return None
        return ending.request_id

    def _belongs_before_end(self, turn: Turn, key: SessionKey) -> bool:
        """Tell whether a turn was received before its session's end but numbered right behind it.

        The event of such a turn was lost, and is published again.
        """
        ended_at = self._standing.ended_at.get(key)
        if ended_at is None or turn.received_at >= ended_at:
            return False
        endings = self.sessions[key].endings if key in self.sessions else set[int]()
        ended_through = self._standing.ended_through.get(key, 0)
        return (turn.sequence or 0) - 1 in {*endings, ended_through}

    def _end(self, key: SessionKey, last_sequence: int) -> None:
        self._steps(key).endings.add(last_sequence)
        self.frames.end(key, last_sequence)

    def _is_done(self, kept: OutboxEntry[Turn]) -> bool:
        """Tell whether the events for this turn were published before."""
        through = self._standing.published_through.get(SessionKey.of(kept.item), 0)
        return kept.state is not OutboxState.STORED or 0 < (kept.item.sequence or 0) <= through

    def _pass(self, turn: Turn, kept: OutboxEntry[Turn] | None) -> None:
        """Update the session's progress from a duplicate, which needs nothing else."""
        if kept is not None and kept.item.sequence is not None:
            steps = self._steps(SessionKey.of(turn))
            steps.last_sequence = max(steps.last_sequence, kept.item.sequence)

    def _spoke(self, key: SessionKey, sequence: int, *, is_behind: bool) -> None:
        steps = self._steps(key)
        steps.last_sequence = max(steps.last_sequence, sequence)
        steps.published_through = steps.last_sequence
        steps.spoke = True
        if is_behind:
            del self._endings[key]
            steps.endings.add(sequence - 1)

    def _request(self, event: AcceptedRequest) -> str:
        identifier = request_id(event.user_id, event.event_id)
        kept = self._standing.requests.get(identifier)
        reason = find_drop_reason(
            event, self._user(event), (kept.item.epoch or 0) if kept else None
        )
        if reason is not None:
            if kept is not None and reason == "older_epoch":
                self.dropped_requests.append(identifier)
            return reason
        known = self._requests.get(identifier) or (kept.item if kept else None)
        if known is not None and not is_same_request(known, event):
            raise ConflictingDuplicate("this event id is known with another body")
        if identifier in self._requests or (
            kept is not None and kept.state is not OutboxState.STORED
        ):
            return "duplicate"
        accepted = (
            kept.item
            if kept is not None
            else stamp_event(event, received_at=self._now, epoch=self._user(event).epoch)
        )
        if kept is None:
            self.new_requests.append(accepted)
        self._requests[identifier] = accepted
        self._follow(identifier, accepted)
        self._close_window(accepted)
        # An event that came over HTTP was stored before it came through Kafka.
        return "accepted" if kept is None or event.received_at is not None else "duplicate"

    def _follow(self, identifier: str, event: AcceptedRequest) -> None:
        match event:
            case _ if isinstance(event, ConsolidatorRequest):
                # It is not marked as published, to save a write. The reconciler checks whether it
                # had its effect.
                self.candidates.append(event)
            case SessionStarted():
                self._steps(SessionKey.of(event)).started = event
                self.confirmed_requests.append(identifier)
            case SessionEnded():
                # The end is behind the turn before the next turn, or behind the last turn.
                key = SessionKey.of(event)
                self._steps(key)
                self._endings[key] = _Ending(identifier, event.received_at or self._now)
                self.confirmed_requests.append(identifier)

    def _close_window(self, event: ConversationEvent) -> None:
        trigger = find_trigger(event)
        if trigger is not None and event.session_id is not None:
            self._steps(SessionKey(event.user_id, event.session_id)).closing = trigger

    def _steps(self, key: SessionKey) -> SessionBatchState:
        return self.sessions.setdefault(key, SessionBatchState())

    def _last_sequence(self, key: SessionKey) -> int:
        in_batch = self.sessions[key].last_sequence if key in self.sessions else 0
        return max(in_batch, self._standing.last_sequences.get(key, 0))

    def _user(self, event: Event) -> UserState:
        return self._standing.users[event.user_id]


def _came_behind(ending: _Ending, kept: OutboxEntry[Turn]) -> bool:
    """Tell whether a turn followed an end when it first came; it may be a second publication.

    A numbered turn knows the end that it followed. For others the times of receipt decide; they
    come from the clocks of two processes, which may differ.
    """
    if kept.item.sequence is not None:
        return kept.behind_end == ending.request_id
    return ending.received_at <= kept.item.received_at


def plan_batch(
    events: Sequence[ConversationEvent], standing: StoredBatchState, *, now: datetime
) -> BatchPlan:
    """Decide about the events of a batch, in order.

    Args:
        events: redacted events.
        standing: the stored state of their turns, requests, sessions and users.
        now: time of receipt for events that have none.
    """
    plan = BatchPlan(standing, now=now)
    for position, event in enumerate(events):
        plan.take(position, event)
    plan.finish()
    return plan
