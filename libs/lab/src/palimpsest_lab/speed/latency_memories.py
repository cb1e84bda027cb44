"""The memories of a latency benchmark, and its questions."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count, islice
from pathlib import Path

from palimpsest.api.recall import RecordType
from palimpsest.client import PalimpsestClient
from palimpsest.events.conversations import RememberRequested
from palimpsest.model.errors import PermanentError, TransientError
from palimpsest_lab.datasets.invented_texts import InventedStatement, generate_statements
from palimpsest_lab.instances.measured_instance import MeasuredInstance
from palimpsest_lab.reporting.report import show_progress
from services.host.imports.kafka_backlog import POLL_SECONDS, KafkaBacklog
from services.host.imports.publish_conversations import BATCH_EVENTS

SEED = 11
FILL_SECONDS = 900.0
FILL_SECONDS_PER_MEMORY = 0.05
"""What is allowed for the last of them to be recallable: a quarter of an hour, more for very many."""

FILL_MARKER_FILE = "filled.json"
"""In a folder that is kept: what is remembered there already."""


@dataclass(frozen=True)
class LatencyQuestion:
    user_id: str
    text: str


def generate_owned_memories(memories: int, namespaces: int) -> list[tuple[str, InventedStatement]]:
    """Generate memories with their owners."""
    said = islice(generate_statements(SEED), memories)
    return [(f"user-{number % namespaces}", statement) for number, statement in enumerate(said)]


def generate_questions(memories: int, namespaces: int) -> Iterator[LatencyQuestion]:
    """Generate questions without end, each new and each with an answer."""
    pairs = generate_owned_memories(memories, namespaces)
    for time in count(1):
        for user_id, said in pairs:
            text = said.question if time == 1 else f"{said.question} ({time})"
            yield LatencyQuestion(user_id, text)


async def fill_instance_once(
    subject: MeasuredInstance, memories: int, namespaces: int, kept: Path | None
) -> bool:
    """The same, where the folder that is kept does not hold them already; whether it was done.

    Raises:
        PermanentError: the folder holds others.
        TransientError: see `fill`.
    """
    note = None if kept is None else kept / FILL_MARKER_FILE
    wanted = {"memories": memories, "namespaces": namespaces, "seed": SEED}
    if note is not None and note.exists():
        if json.loads(note.read_text(encoding="utf-8")) != wanted:
            raise PermanentError(f"{kept} holds other memories than these")
        return False
    await fill_instance(subject, memories, namespaces)
    if note is not None:
        note.write_text(json.dumps(wanted), encoding="utf-8")
    return True


async def fill_instance(subject: MeasuredInstance, memories: int, namespaces: int) -> None:
    """Have so much remembered, by way of Kafka, and return when it can be recalled.

    Raises:
        TransientError: it took longer than a quarter of an hour, or .05 s for each.
    """
    pairs = generate_owned_memories(memories, namespaces)
    with show_progress("remembering", memories) as progress:
        async with subject.over_kafka() as client, KafkaBacklog(subject) as backlog:
            for start in range(0, len(pairs), BATCH_EVENTS):
                batch = pairs[start : start + BATCH_EVENTS]
                await client.publish([_remember(user_id, said) for user_id, said in batch])
                progress(len(batch))
                await backlog.give_way()
    last = [(user_id, said.text) for user_id, said in pairs[-namespaces:]]
    await wait_until_memories_recalled(
        subject, last, max(FILL_SECONDS, memories * FILL_SECONDS_PER_MEMORY)
    )


def _remember(user_id: str, said: InventedStatement) -> RememberRequested:
    return RememberRequested(occurred_at=datetime.now(UTC), user_id=user_id, content=said.text)


async def wait_until_memories_recalled(
    subject: MeasuredInstance, contents: Sequence[tuple[str, str]], seconds: float = FILL_SECONDS
) -> None:
    """Return when each user's memory with this content can be recalled.

    Raises:
        TransientError: it took longer than that.
    """
    try:
        async with asyncio.timeout(seconds), subject.over_http() as client:
            for owner, content in contents:
                while not await _recalls(client, owner, content):  # noqa: ASYNC110 - nobody tells us
                    await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise TransientError(f"not everything was remembered after {seconds:.0f} s") from None


async def _recalls(client: PalimpsestClient, owner: str, content: str) -> bool:
    # By the whole of it: of a mark alone nothing is known, and a gate may stand before it.
    answer = await client.recall(content, user_id=owner, records=[RecordType.MEMORY], preview=True)
    return any(result.content == content for result in answer.results)
