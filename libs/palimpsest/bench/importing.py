"""Conversations from a file into Palimpsest: through Kafka like anything else."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

from palimpsest.bench.backlog import Backlog
from palimpsest.bench.locomo import Dialogue, DialogueTurn
from palimpsest.bench.report import progress_of
from palimpsest.bench.subject import Subject
from palimpsest.client import PalimpsestClient
from palimpsest.contracts.conversations import MessageAdded, SessionEnded
from palimpsest.contracts.envelope import Event
from palimpsest.contracts.recall import Record
from palimpsest.domain.errors import TransientError
from palimpsest.domain.ranking.fillers import is_filler
from palimpsest.domain.turn import ImageReference, Role

BATCH_EVENTS = 64
RECALLABLE_SECONDS = 300.0
POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Imported:
    turns: int
    seconds: float
    """From the first event's publishing until every turn could be recalled."""

    @property
    def turns_per_second(self) -> float:
        return self.turns / self.seconds if self.seconds else 0.0


def events_of(dialogue: Dialogue) -> list[Event]:
    """One event for each turn, and the end of each session after its last."""
    events: list[Event] = []
    for session_id, turns in groupby(dialogue.turns, key=lambda turn: turn.session_id):
        said = [message_of(dialogue.id, turn) for turn in turns]
        ended = SessionEnded(
            occurred_at=said[-1].occurred_at + timedelta(seconds=1),
            user_id=dialogue.id,
            session_id=session_id,
        )
        events += [*said, ended]
    return events


async def import_dialogues(subject: Subject, dialogues: Sequence[Dialogue]) -> Imported:
    """Publish everything, giving way to live traffic, and wait until it can be recalled.

    Raises:
        ClientError: the services are not there, or do not let us in; then nothing was published.
    """
    async with subject.over_http() as client:
        await client.settings(dialogues[0].id)
    started = time.perf_counter()
    turns = sum(len(dialogue.turns) for dialogue in dialogues)
    with progress_of("importing", turns) as progress:
        await _publish(subject, dialogues, progress)
    await wait_until_recallable(subject, dialogues)
    return Imported(turns, time.perf_counter() - started)


async def _publish(
    subject: Subject, dialogues: Sequence[Dialogue], progress: Callable[[int], None]
) -> None:
    async with subject.over_kafka() as client, Backlog(subject) as backlog:
        for dialogue in dialogues:
            events = events_of(dialogue)
            for start in range(0, len(events), BATCH_EVENTS):
                await backlog.give_way()
                batch = events[start : start + BATCH_EVENTS]
                await client.publish(batch)
                progress(sum(isinstance(event, MessageAdded) for event in batch))


async def wait_until_recallable(subject: Subject, dialogues: Sequence[Dialogue]) -> None:
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


async def _recalls_last(client: PalimpsestClient, dialogue: Dialogue) -> bool:
    said = (turn for turn in reversed(dialogue.turns) if not is_filler(turn.text))
    last = next(said, dialogue.turns[-1])
    answer = await client.recall(
        last.text[:2000], user_id=dialogue.id, limit=50, records=[Record.TURN], preview=True
    )
    return any(
        evidence.message_id == last.id and evidence.session_id == last.session_id
        for result in answer.results
        for evidence in result.evidence
    )


def message_of(user_id: str, turn: DialogueTurn) -> MessageAdded:
    """What a chat service would publish of it."""
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
