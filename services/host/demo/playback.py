"""Plays the conversation through Kafka, and waits until all of it can be recalled."""

import asyncio
from collections.abc import Callable, Iterator

from palimpsest.api.recall import RecordType
from palimpsest.client import PalimpsestClient
from palimpsest.model.errors import TransientError
from palimpsest.model.memory import Memory, Status
from services.host.demo.conversation import (
    DemoConversation,
    build_demo_message,
    build_session_ended,
    build_session_started,
)

_PATIENCE_SECONDS = 40.0
_POLL_SECONDS = 0.1
_LAST_TURN = "all is remembered, and the last message cannot be recalled."
_SHOWN = (Status.ACTIVE, Status.SUPERSEDED)

PlaybackProgress = Callable[[int], None]
"""Called with the number of further messages published."""


async def play_conversation(
    client: PalimpsestClient, conversation: DemoConversation, progress: PlaybackProgress
) -> None:
    """Publish every session in its order, as a chat service would."""
    for session in conversation.sessions:
        await client.publish([build_session_started(conversation, session)])
        for number in range(len(session.messages)):
            await client.save_conversation(
                [build_demo_message(conversation, session, number)],
                user_id=conversation.user_id,
                session_id=session.session_id,
                project_id=session.project_id,
            )
            progress(1)
        await client.publish([build_session_ended(conversation, session)])


async def wait_until_remembered(
    client: PalimpsestClient, conversation: DemoConversation
) -> list[Memory]:
    """Wait until every expected memory exists and every turn can be recalled.

    Raises:
        TransientError: it took too long; names the missing memories.
    """
    memories: list[Memory] = []
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while True:
                memories = await _memories(client, conversation)
                complete = not list(find_missing_memories(conversation, memories))
                if complete and await _last_turn_recallable(client, conversation):
                    return memories
                await asyncio.sleep(_POLL_SECONDS)
    except TimeoutError:
        lacking = "; ".join(find_missing_memories(conversation, memories))
        raise TransientError(
            f"After {_PATIENCE_SECONDS:.0f} s "
            + (f"these memories are missing: {lacking}." if lacking else _LAST_TURN)
        ) from None


def find_missing_memories(conversation: DemoConversation, memories: list[Memory]) -> Iterator[str]:
    """Yield the memories that should exist by now and do not."""
    for expected in conversation.memories:
        if not any(
            memory.status is expected.status and expected.words in memory.content
            for memory in memories
        ):
            yield f"{expected.words!r}, which should be {expected.status}"


async def _memories(client: PalimpsestClient, conversation: DemoConversation) -> list[Memory]:
    """Return all memories of any agent or project, oldest first."""
    places = {(question.agent_id, question.project_id) for question in conversation.questions}
    found: dict[str, Memory] = {}
    for agent_id, project_id in sorted(places, key=str):
        page = await client.list(
            user_id=conversation.user_id,
            agent_id=agent_id,
            project_id=project_id,
            status=_SHOWN,
            limit=500,
        )
        found |= {memory.id: memory for memory in page.memories}
    return sorted(found.values(), key=lambda memory: (memory.occurred_at, memory.id))


async def _last_turn_recallable(client: PalimpsestClient, conversation: DemoConversation) -> bool:
    """Return whether the last turn is recallable; a user's turns become so in order."""
    session = conversation.sessions[-1]
    last = build_demo_message(conversation, session, len(session.messages) - 1)
    answer = await client.recall(
        last.text,
        user_id=conversation.user_id,
        agent_id=last.agent_id,
        records=[RecordType.TURN],
        preview=True,
    )
    return any(
        evidence.message_id == last.message_id
        for result in answer.results
        for evidence in result.evidence
    )
