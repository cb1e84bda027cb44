"""A session of the OpenAI Agents SDK that is a conversation of Palimpsest, of which memories are made.

    from palimpsest.integrations.openai_agents import PalimpsestSession

    await Runner.run(agent, "Hello", session=PalimpsestSession("monday", user_id="ann"))

What the user and the agent say is kept as their messages, and comes back as plain text. Calls of tools
and their results come back as they were, and nothing is extracted from them, nor from what is longer
than a message may be. While the user has memory switched off, nothing is kept.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import uuid4

from agents.items import TResponseInputItem
from agents.memory import SessionSettings
from agents.memory.session_settings import resolve_session_limit

from palimpsest.client import NotFound
from palimpsest.client.background_loop import run_blocking
from palimpsest.client.client import PalimpsestClient
from palimpsest.client.sync_client import SyncPalimpsestClient
from palimpsest.events.conversations import MessageAdded
from palimpsest.integrations.agents_items import REMOVED, read_items, write_item
from palimpsest.integrations.connection_options import find_connection
from palimpsest.model.clock import system_clock
from palimpsest.model.turn import Role, Turn

_PAGE = 500
_PAUSE_SECONDS = 0.02
_WITHIN_SECONDS = 30.0


class PalimpsestSession:
    """A session by the SDK's protocol. What is taken back stays in the conversation, unread."""

    session_settings: SessionSettings | None = None

    def __init__(
        self,
        session_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        http_url: str | None = None,
        api_key: str | None = None,
    ) -> None:
        """`session_id` is that of the conversation, which is made with its first message."""
        self.session_id = session_id
        self._whose: dict[str, Any] = {"user_id": user_id, "agent_id": agent_id}
        self._client = SyncPalimpsestClient(**find_connection(http_url, api_key))

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.to_thread(self._client.close)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the latest items in their order, or all of them."""
        items = await asyncio.to_thread(lambda: run_blocking(self._read(self._client.connect())))
        most = resolve_session_limit(limit, self.session_settings)
        return items if most is None else items[len(items) - min(most, len(items)) :]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Keep further items, and return once they are read."""
        said = [each for item in items for each in write_item(cast("Mapping[str, Any]", item))]
        if said:
            await asyncio.to_thread(lambda: run_blocking(self._save(self._client.connect(), said)))

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the latest item back and return it; None if there is none."""
        items = await self.get_items(1)
        if not items:
            return None
        await self._remove("last")
        return items[0]

    async def clear_session(self) -> None:
        """Take all items back."""
        await self._remove("all")

    async def _remove(self, which: str) -> None:
        item = cast("TResponseInputItem", {"type": REMOVED, "which": which})
        await self.add_items([item])

    async def _read(self, client: PalimpsestClient) -> list[TResponseInputItem]:
        return cast("list[TResponseInputItem]", read_items(await self._turns(client)))

    async def _turns(self, client: PalimpsestClient) -> list[Turn]:
        turns: list[Turn] = []
        after: int | None = 0
        while after is not None:
            try:
                page = await client.sessions.messages(
                    self.session_id, after=after, limit=_PAGE, **self._whose
                )
            except NotFound:
                # Nothing was said in it yet.
                break
            turns += page.messages
            after = page.next_after
        return turns

    async def _save(self, client: PalimpsestClient, said: Sequence[tuple[Role, str]]) -> None:
        moment = system_clock()
        events = [
            MessageAdded(
                session_id=self.session_id,
                message_id=uuid4().hex,
                role=role,
                text=text,
                occurred_at=moment,
                understood=role is Role.TOOL,
                **self._whose,
            )
            for role, text in said
        ]
        results = await client.publish(events)
        if results[-1].outcome == "dropped":
            # The user has switched memory off: nothing is kept, and the agent goes on without.
            return
        async with asyncio.timeout(_WITHIN_SECONDS):
            # Messages are numbered in their order: with the last one all are there.
            while True:
                turns = await self._turns(client)
                if any(turn.message_id == events[-1].message_id for turn in reversed(turns)):
                    return
                await asyncio.sleep(_PAUSE_SECONDS)
