"""The agents and projects of a visitor's user, from which memories can be looked at."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.api.exports import AgentMemories
from palimpsest.client.errors import PermissionDenied
from services.page.visit import Visit

LATEST = 200
"""Conversations in which projects are looked for, and agents that have no memories yet."""


@dataclass(frozen=True)
class Places:
    agents: tuple[str, ...]
    projects: tuple[str, ...]


async def find_places(visit: Visit) -> Places:
    """Return agents with memories, and agents and projects of the latest conversations, by name."""
    own_agent = visit.session.agent_id
    latest, counts = await asyncio.gather(
        visit.client.sessions.list(**visit.everywhere(), limit=LATEST), count_by_agent(visit)
    )
    agents = {talk.agent_id for talk in latest.conversations if talk.agent_id}
    agents |= {row.agent_id for row in counts if row.agent_id}
    projects = {talk.project_id for talk in latest.conversations if talk.project_id}
    return Places(
        agents=() if own_agent else tuple(sorted(agents)),
        projects=tuple(sorted(projects)),
    )


async def count_by_agent(visit: Visit) -> Sequence[AgentMemories]:
    """Return the number of active memories of each agent; nothing to the key of one agent."""
    try:
        return (await visit.client.agents(visit.session.user_id)).agents
    except PermissionDenied:
        return ()
