"""Replay dead letters to their topics, after the cause of their failure was fixed."""

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.api.operations import (
    MAXIMUM_REPLAYED,
    DeadLetterReplayResult,
    DeadLetterSummary,
    RefusedDeadLetter,
)
from palimpsest.events.topics import TOPICS
from palimpsest.model.clock import Clock
from palimpsest_server.delivery.kafka_publisher import EVENT_TYPE_HEADER, TRACE_HEADER
from palimpsest_server.delivery.publisher import EventRepublisher
from palimpsest_server.stores.dead_letters import DeadLetter, DeadLetterStore

_TOPICS = {topic.name: topic for topic in TOPICS}


@dataclass(frozen=True)
class ReplayRefusal:
    """A letter that was not replayed, and why."""

    letter: DeadLetter
    why: str


@dataclass(frozen=True)
class ReplayReport:
    replayed: Sequence[DeadLetter]
    """The replayed letters; with `dry_run`, the letters that would be replayed."""
    refused: Sequence[ReplayRefusal]

    def summarize(self, ids: Sequence[str] | None) -> DeadLetterReplayResult:
        """Name the letters by id, with those of the asked `ids` that no waiting letter has."""
        replayed = tuple(letter.id for letter in self.replayed)
        refused = tuple(
            RefusedDeadLetter(id=refusal.letter.id, why=refusal.why) for refusal in self.refused
        )
        known = {*replayed, *(refusal.id for refusal in refused)}
        return DeadLetterReplayResult(
            replayed=replayed,
            refused=refused,
            unknown=tuple(letter_id for letter_id in ids or () if letter_id not in known),
        )


def summarize_dead_letter(letter: DeadLetter) -> DeadLetterSummary:
    """Return where and why a letter failed, without anything that its event says."""
    shown = letter.model_dump(include={*DeadLetterSummary.model_fields})
    return DeadLetterSummary(**shown, replay_refusal=explain_replay_refusal(letter))


def explain_replay_refusal(letter: DeadLetter) -> str | None:
    """Return why a letter cannot be replayed; None if it can."""
    if letter.truncated:
        return f"of {letter.body_bytes} bytes only {len(letter.body)} characters were kept"
    if not letter.replayable:
        return "its bytes were not kept"
    if letter.topic not in _TOPICS:
        return f"the topic {letter.topic} is not in the table any more"
    return None


async def replay_dead_letters(
    store: DeadLetterStore,
    publisher: EventRepublisher,
    *,
    clock: Clock,
    stage: str | None = None,
    reason: str | None = None,
    ids: Sequence[str] | None = None,
    limit: int = MAXIMUM_REPLAYED,
    dry_run: bool = False,
) -> ReplayReport:
    """Publish the matching open letters to the topics they came from, oldest first.

    The redacted record is published with its original `received_at` and `epoch`. A letter that fails
    again is open again.

    Raises:
        TransientError: Kafka or MongoDB is away; letters published so far are marked.
    """
    letters = await store.list(stage=stage, reason=reason, ids=ids, limit=limit)
    refused = [
        ReplayRefusal(letter, why)
        for letter in letters
        if (why := explain_replay_refusal(letter)) is not None
    ]
    fit = [letter for letter in reversed(letters) if explain_replay_refusal(letter) is None]
    if not dry_run:
        for letter in fit:
            await _publish(publisher, letter)
            await store.mark_replayed(letter, clock())
    return ReplayReport(replayed=fit, refused=refused)


async def _publish(publisher: EventRepublisher, letter: DeadLetter) -> None:
    headers = {EVENT_TYPE_HEADER: letter.event_type, TRACE_HEADER: letter.trace}
    await publisher.publish_again(
        _TOPICS[letter.topic],
        key=(letter.user_id or "").encode(),
        value=letter.body.encode(),
        headers={name: value for name, value in headers.items() if value is not None},
    )
