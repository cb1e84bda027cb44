"""Conversations from a file into Palimpsest: through Kafka like anything else."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

from palimpsest.api.recall import RecordType
from palimpsest.client import PalimpsestClient
from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.events.envelope import Event
from palimpsest.model.errors import TransientError
from palimpsest.model.turn import ImageReference, Role
from palimpsest_lab.datasets.locomo import DialogueTurn, LocomoDialogue
from palimpsest_lab.instances.kafka_backlog import KafkaBacklog
from palimpsest_lab.instances.measured_instance import MeasuredInstance
from palimpsest_lab.reporting.report import show_progress
from palimpsest_language.question_intents.fillers import is_filler

BATCH_EVENTS = 64
RECALLABLE_SECONDS = 300.0
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class DialogueImport:
    turns: int
    seconds: float
    """From the first event's publishing until every turn could be recalled."""

    @property
    def turns_per_second(self) -> float:
        return self.turns / self.seconds if self.seconds else 0.0


def build_dialogue_events(dialogue: LocomoDialogue) -> list[Event]:
    """Build one event for each turn, and the end of each session after its last turn."""
    events: list[Event] = []
    for session_id, turns in groupby(dialogue.turns, key=lambda turn: turn.session_id):
        said = [build_message_event(dialogue.id, turn) for turn in turns]
        ended = SessionEnded(
            occurred_at=said[-1].occurred_at + timedelta(seconds=1),
            user_id=dialogue.id,
            session_id=session_id,
        )
        events += [*said, ended]
    return events


async def import_dialogues(
    subject: MeasuredInstance, dialogues: Sequence[LocomoDialogue]
) -> DialogueImport:
    """Publish everything, giving way to live traffic, and wait until it can be recalled.

    Raises:
        ClientError: the services are not there, or do not let us in; then nothing was published.
    """
    async with subject.over_http() as client:
        await client.settings(dialogues[0].id)
    started = time.perf_counter()
    turns = sum(len(dialogue.turns) for dialogue in dialogues)
    with show_progress("importing", turns) as progress:
        await _publish(subject, dialogues, progress)
    await wait_until_recallable(subject, dialogues)
    return DialogueImport(turns, time.perf_counter() - started)


async def _publish(
    subject: MeasuredInstance, dialogues: Sequence[LocomoDialogue], progress: Callable[[int], None]
) -> None:
    async with subject.over_kafka() as client, KafkaBacklog(subject) as backlog:
        for dialogue in dialogues:
            events = build_dialogue_events(dialogue)
            for start in range(0, len(events), BATCH_EVENTS):
                await backlog.give_way()
                batch = events[start : start + BATCH_EVENTS]
                await client.publish(batch)
                progress(sum(isinstance(event, MessageAdded) for event in batch))


async def wait_until_recallable(
    subject: MeasuredInstance, dialogues: Sequence[LocomoDialogue]
) -> None:
    """Return when the last turn of each conversation that says something can be recalled.

    What concerns one user happens in order, so everything before it can be, too.

    Raises:
        TransientError: it took longer than five minutes.
    """
    try:
        async with asyncio.timeout(RECALLABLE_SECONDS), subject.over_http() as client:
            for dialogue in dialogues:
                while not await _recalls_last(client, dialogue):  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise TransientError(
            f"not everything could be recalled after {RECALLABLE_SECONDS:.0f} s"
        ) from None


async def _recalls_last(client: PalimpsestClient, dialogue: LocomoDialogue) -> bool:
    said = (turn for turn in reversed(dialogue.turns) if not is_filler(turn.text))
    last = next(said, dialogue.turns[-1])
    answer = await client.recall(
        last.text[:2000], user_id=dialogue.id, limit=50, records=[RecordType.TURN], preview=True
    )
    return any(
        evidence.message_id == last.id and evidence.session_id == last.session_id
        for result in answer.results
        for evidence in result.evidence
    )


def build_message_event(user_id: str, turn: DialogueTurn) -> MessageAdded:
    """Build the event that a chat service would publish."""
    images = (
        (ImageReference(url=turn.image_url or f"image:{turn.id}", caption=turn.caption),)
        if turn.caption or turn.image_url
        else ()
    )
    return MessageAdded(
        occurred_at=turn.occurred_at,
        user_id=user_id,
        session_id=turn.session_id,
        message_id=turn.id,
        role=Role.USER,
        speaker=turn.speaker,
        text=turn.text,
        images=images,
    )
