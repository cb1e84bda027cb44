"""The agents and projects of a visitor's user, from which memories can be looked at."""

from dataclasses import dataclass

from services.page.visit import Visit

LATEST = 200
"""Conversations in which agents and projects are looked for."""


@dataclass(frozen=True)
class Places:
    agents: tuple[str, ...]
    projects: tuple[str, ...]


async def find_places(visit: Visit) -> Places:
    """Return the agents and projects of the latest conversations, in the order of their names."""
    own_agent = visit.session.agent_id
    latest = await visit.client.sessions.list(**visit.everywhere(), limit=LATEST)
    agents = {talk.agent_id for talk in latest.conversations if talk.agent_id}
    projects = {talk.project_id for talk in latest.conversations if talk.project_id}
    return Places(
        agents=() if own_agent else tuple(sorted(agents)),
        projects=tuple(sorted(projects)),
    )
