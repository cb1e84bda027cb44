"""Play one situation: say its messages, wait until each session is understood, give its commands."""

import asyncio
import re

from palimpsest.client import PalimpsestClient
from palimpsest.client.errors import NotFound
from palimpsest.model.errors import TransientError
from palimpsest.model.memory import Memory, Status
from palimpsest_lab.situations.situation import Situation, SituationCommand, SituationSession

UNDERSTOOD_SECONDS = 120.0
POLL_SECONDS = 0.1
MOST_MEMORIES = 200
"""More than any situation makes."""


async def play_situation(client: PalimpsestClient, situation: Situation, user_id: str) -> None:
    """Have it all understood, in order.

    Raises:
        TransientError: a session was not understood within two minutes.
    """
    for session in situation.sessions:
        try:
            async with asyncio.timeout(UNDERSTOOD_SECONDS):
                await _play_session(client, session, user_id)
        except TimeoutError:
            raise TransientError(
                f"{situation.id}: {session.session_id} is not understood"
            ) from None
    for command in situation.commands:
        await _give_command(client, command, user_id)


async def _play_session(client: PalimpsestClient, session: SituationSession, user_id: str) -> None:
    await client.save_conversation(
        [
            {
                "message_id": f"m{number}",
                **message.model_dump(mode="json", exclude_none=True, exclude={"text"}),
                "content": message.text,
            }
            for number, message in enumerate(session.messages, start=1)
        ],
        user_id=user_id,
        session_id=session.session_id,
        agent_id=session.agent_id,
        project_id=session.project_id,
        occurred_at=session.messages[-1].occurred_at,
        ended=True,
    )
    started = await client.extract(session.session_id, user_id=user_id)
    while started.on_their_way:
        await asyncio.sleep(POLL_SECONDS)
        started = await client.extract(session.session_id, user_id=user_id)
    for window in started.windows:
        if window.change_set_id is not None:
            await _until_changed(client, window.change_set_id, user_id)


async def _until_changed(client: PalimpsestClient, change_set_id: str, user_id: str) -> None:
    while True:
        try:
            await client.change(change_set_id, user_id=user_id)
        except NotFound:
            await asyncio.sleep(POLL_SECONDS)
        else:
            return


async def _give_command(client: PalimpsestClient, command: SituationCommand, user_id: str) -> None:
    if command.forget_topic is not None:
        await client.forget_topic(command.forget_topic, user_id=user_id)
    if command.reject_matching is not None:
        for memory in await _list_matching(client, command.reject_matching, user_id):
            if memory.status is Status.PENDING:
                await client.reject(memory.id, user_id=user_id)
            else:
                await client.feedback("wrong", memory_ids=[memory.id], user_id=user_id)
    if command.forget_matching is not None:
        for memory in await _list_matching(client, command.forget_matching, user_id):
            await client.forget(memory.id, user_id=user_id)


async def _list_matching(client: PalimpsestClient, pattern: str, user_id: str) -> list[Memory]:
    listed = await client.list(
        user_id=user_id, status=[Status.ACTIVE, Status.PENDING], limit=MOST_MEMORIES
    )
    return [
        memory for memory in listed.memories if re.search(pattern, memory.content, re.IGNORECASE)
    ]
