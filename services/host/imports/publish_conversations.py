"""Publishes conversations to an instance, behind live traffic, and waits until all can be recalled."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from palimpsest.api.recall import RecordType
from palimpsest.client import PalimpsestClient, Unavailable
from palimpsest.events.conversations import MessageAdded
from palimpsest.events.envelope import Event
from palimpsest.model.errors import TransientError
from palimpsest_language.question_intents.fillers import is_filler
from services.host.imports.instance_addresses import InstanceAddresses
from services.host.imports.kafka_backlog import KafkaBacklog
from services.host.imports.patient_calls import call_patiently

BATCH_EVENTS = 64
RECALLABLE_SECONDS = 300.0
POLL_SECONDS = 0.05


@dataclass(frozen=True, kw_only=True)
class ImportedConversation:
    """The messages of one user and the answers to them, in order."""

    user_id: str
    events: Sequence[Event]
    parts: int = 0
    """The number of messages that are further parts of longer messages."""

    @property
    def messages(self) -> Sequence[MessageAdded]:
        return [event for event in self.events if isinstance(event, MessageAdded)]


@dataclass(frozen=True)
class ConversationImport:
    turns: int
    seconds: float
    """From the first event's publishing until every turn could be recalled."""
    users: int = 1
    unseen: int = 0
    """The number of users whose last message no recall shows: it was refused or is off the record, or
    their memory is switched off."""

    @property
    def turns_per_second(self) -> float:
        return self.turns / self.seconds if self.seconds else 0.0


@dataclass
class _Published:
    """The published messages; of each user only the last one that says something is kept."""

    turns: int = 0
    last: dict[str, MessageAdded | None] = field(default_factory=dict)

    def add(self, conversation: ImportedConversation) -> None:
        self.turns += len(conversation.messages)
        last = _find_last_message(conversation) or self.last.get(conversation.user_id)
        self.last[conversation.user_id] = last


async def import_conversations(
    addresses: InstanceAddresses,
    conversations: Iterable[ImportedConversation],
    *,
    progress: Callable[[int], None],
) -> ConversationImport:
    """Publish everything, giving way to live traffic, and wait until it is handled and can be recalled.

    Args:
        addresses: of the instance.
        conversations: read one by one, so that a long file is never in memory as a whole.
        progress: told how many messages more were published.

    Raises:
        ClientError: the services are away or refuse access; nothing was published.
        TransientError: not everything could be recalled within five minutes.
    """
    rest = iter(conversations)
    first = next(rest, None)
    if first is None:
        return ConversationImport(0, 0.0, users=0)
    async with addresses.over_http() as client:
        await client.settings(first.user_id)
    started = time.perf_counter()
    published = await _publish(addresses, chain([first], rest), progress)
    unseen = await _wait_until_recallable(
        addresses, [message_added for message_added in published.last.values() if message_added]
    )
    seconds = time.perf_counter() - started
    return ConversationImport(published.turns, seconds, users=len(published.last), unseen=unseen)


async def _publish(
    addresses: InstanceAddresses,
    conversations: Iterable[ImportedConversation],
    progress: Callable[[int], None],
) -> _Published:
    published = _Published()
    async with addresses.over_kafka() as client, KafkaBacklog(addresses) as backlog:
        for conversation in conversations:
            for start in range(0, len(conversation.events), BATCH_EVENTS):
                await backlog.give_way()
                batch = conversation.events[start : start + BATCH_EVENTS]
                await call_patiently(
                    partial(client.publish, batch), what=f"{len(batch)} events over Kafka"
                )
                progress(sum(isinstance(event, MessageAdded) for event in batch))
            published.add(conversation)
    return published


async def _wait_until_recallable(
    addresses: InstanceAddresses, messages: Sequence[MessageAdded]
) -> int:
    """Wait until these messages, each the last one of its user, can be recalled or never will be.

    The events of one user are handled in order, so all earlier messages are handled too.

    Returns:
        The number of messages that no recall shows.

    Raises:
        TransientError: it took longer than five minutes.
    """
    unseen = 0
    try:
        async with (
            asyncio.timeout(RECALLABLE_SECONDS),
            addresses.over_http() as client,
            KafkaBacklog(addresses) as backlog,
        ):
            for last in messages:
                unseen += not await _becomes_recallable(client, last, backlog)
    except TimeoutError:
        raise TransientError(
            f"not everything could be recalled after {RECALLABLE_SECONDS:.0f} s"
        ) from None
    return unseen


async def _becomes_recallable(
    client: PalimpsestClient, message: MessageAdded, backlog: KafkaBacklog
) -> bool:
    """Return True once a message is recalled, and False once all is handled and it still is not."""
    while not await _is_recalled(client, message):
        if await backlog.records() == 0:
            return await _is_recalled(client, message)
        await asyncio.sleep(POLL_SECONDS)
    return True


def _find_last_message(conversation: ImportedConversation) -> MessageAdded | None:
    kept = [message for message in conversation.messages if not message.incognito]
    said = (message for message in reversed(kept) if not is_filler(message.text))
    return next(said, kept[-1] if kept else None)


async def _is_recalled(client: PalimpsestClient, message: MessageAdded) -> bool:
    try:
        answer = await client.recall(
            message.text[:2000],
            user_id=message.user_id,
            agent_id=message.agent_id,
            project_id=message.project_id,
            limit=50,
            records=[RecordType.TURN],
            preview=True,
        )
    except Unavailable:
        return False
    return any(
        (evidence.session_id, evidence.message_id) == (message.session_id, message.message_id)
        for result in answer.results
        for evidence in result.evidence
    )
