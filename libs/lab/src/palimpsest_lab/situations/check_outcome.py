"""Check what holds after a situation, by the public API alone."""

import re
from collections.abc import Iterable
from datetime import date, tzinfo

from palimpsest.client import PalimpsestClient
from palimpsest.model.memory import Status
from palimpsest.model.todo import Todo
from palimpsest_lab.situations.play_situation import MOST_MEMORIES
from palimpsest_lab.situations.situation import SituationCheck


async def find_failures(
    client: PalimpsestClient, check: SituationCheck, user_id: str, zone: tzinfo
) -> list[str]:
    """Return what does not hold, in words; nothing where all of the check does."""
    failures: list[str] = []
    if check.active or check.no_active:
        failures += await _check_memories(client, check, user_id)
    if check.todo or check.no_todo:
        failures += await _check_todos(client, check, user_id, zone)
    if check.recall:
        failures += await _check_recall(client, check.recall, check, user_id)
    if check.context:
        failures += await _check_context(client, check, user_id)
    return failures


async def _check_memories(
    client: PalimpsestClient, check: SituationCheck, user_id: str
) -> list[str]:
    listed = await client.list(
        user_id=user_id,
        agent_id=check.agent_id,
        project_id=check.project_id,
        status=[Status.ACTIVE],
        limit=MOST_MEMORIES,
    )
    contents = [memory.content for memory in listed.memories]
    return _wanted("active", check.active, contents) + _unwanted(
        "active", check.no_active, contents
    )


async def _check_todos(
    client: PalimpsestClient, check: SituationCheck, user_id: str, zone: tzinfo
) -> list[str]:
    listed = await client.todos(
        user_id=user_id, agent_id=check.agent_id, project_id=check.project_id
    )
    due = [todo for todo in listed.todos if check.due is None or _is_due(todo, check.due, zone)]
    return _wanted("todo", check.todo, [todo.content for todo in due]) + _unwanted(
        "todo", check.no_todo, [todo.content for todo in listed.todos]
    )


def _is_due(todo: Todo, due: date, zone: tzinfo) -> bool:
    return todo.due_at is not None and todo.due_at.astimezone(zone).date() == due


async def _check_recall(
    client: PalimpsestClient, query: str, check: SituationCheck, user_id: str
) -> list[str]:
    answer = await client.recall(
        query,
        user_id=user_id,
        agent_id=check.agent_id,
        project_id=check.project_id,
        policy=check.policy,
        preview=True,
    )
    contents = [result.content for result in answer.results]
    failures = _wanted("first", check.first, contents[:1])
    failures += _unwanted("first", check.first_not, contents[:1])
    failures += _wanted("any", check.any, contents) + _unwanted("none", check.none, contents)
    if check.empty and contents:
        failures.append(f"not empty: {contents[:2]}")
    return failures


async def _check_context(
    client: PalimpsestClient, check: SituationCheck, user_id: str
) -> list[str]:
    answer = await client.context(
        check.context,
        user_id=user_id,
        agent_id=check.agent_id,
        project_id=check.project_id,
        format=check.format,
    )
    return _wanted("block", check.has, [answer.block]) + _unwanted(
        "block", check.has_not, [answer.block]
    )


def _wanted(place: str, pattern: str | None, texts: Iterable[str]) -> list[str]:
    texts = list(texts)
    if pattern is None or _matching(pattern, texts):
        return []
    return [f"{place} lacks {pattern}: {texts[:8]}"]


def _unwanted(place: str, pattern: str | None, texts: Iterable[str]) -> list[str]:
    found = [] if pattern is None else _matching(pattern, texts)
    return [f"{place} has {pattern}: {found[:2]}"] if found else []


def _matching(pattern: str, texts: Iterable[str]) -> list[str]:
    return [text for text in texts if re.search(pattern, text, re.IGNORECASE)]
