"""Reads everything that a run of events needs for its decisions, in few round trips."""

import asyncio
from collections.abc import Mapping, Sequence

from palimpsest.events.commands import CommandEvent
from palimpsest.events.conversations import RememberRequested, SummaryPublished
from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import (
    CandidatesProposed,
    JudgementProposed,
    SummaryProposed,
)
from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.events.maintenance import RunMaintenance
from palimpsest.model.memory import Memory
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation.memory_lookup import MemoryLookup
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.entities.entity_overlay import collect_entity_keys
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.profiles import ProfileStore
from palimpsest_server.stores.summaries import SummaryStore
from services.consolidator.completion_reports import CompletionReports
from services.consolidator.entity_lookup import EntityLookup
from services.consolidator.event_contents import collect_candidates
from services.consolidator.refresh_profiles import read_current_profiles
from services.consolidator.summary_changes import read_current_summaries
from services.consolidator.todo_reminders import TodoLookup, find_named_memory, group_memory_ids

_STATES = (
    RememberRequested,
    CandidatesProposed,
    SummaryProposed,
    SummaryPublished,
    RecallUsed,
)
"""Event types that change no attribute value of a known memory. If a batch holds no others, the
memories that concern a candidate are found by value.
"""


class RelatedRecordReader:
    def __init__(
        self,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        todos: TodoLookup,
        summaries: SummaryStore,
        entities: EntityLookup,
        profiles: ProfileStore,
        completions: CompletionReports,
    ) -> None:
        self._completions = completions
        self._profiles = profiles
        self._summaries = summaries
        self._todos = todos
        self._entities = entities
        self._memories = memories
        self._namespaces = namespaces

    async def related(
        self,
        events: Sequence[Event],
        settings: Mapping[str, UserSettings],
        epochs: Mapping[str, int],
    ) -> Overlay:
        """Read every memory that one of these events may repeat, replace or name."""
        nearby = MemoryLookup()
        named: set[str] = set()
        changing = {event.user_id for event in events if not isinstance(event, _STATES)}
        async for event in iterate_cooperatively(events):
            for candidate in collect_candidates(event, settings[event.user_id]):
                nearby.want(candidate, whole=event.user_id in changing)
                named |= collect_entity_keys(candidate)
        recalled = await self._recalled(events)
        said_before, concerned = await self._completions.before(events, settings, epochs)
        *found, entities = await asyncio.gather(
            self._near(nearby),
            self._memories.with_attribute_keys(nearby.attributes),
            self._named(events, recalled),
            self._memories.of_namespaces(nearby.ids),
            self._memories.of_namespaces(group_memory_ids(concerned)),
            self._entities.with_keys(named),
        )
        memories = [memory for memories in found for memory in memories]
        known = Overlay(
            memories,
            await self._todos.beside(memories, events),
            await read_current_summaries(self._summaries, events),
            await read_current_profiles(self._profiles, events),
            epochs,
        )
        standing_entities = [
            entity for entity in entities if entity.epoch >= epochs.get(entity.namespace.user_id, 0)
        ]
        known.entities.read(named, standing_entities)
        known.recalled.update(recalled)
        known.todos.hear(said_before)
        if any(
            isinstance(event, CommandEvent) and not isinstance(event, RunMaintenance)
            for event in events
        ):
            # A run of maintenance inspects other memories than those read here.
            await self._entities.beside(memories, known)
        return known

    async def _near(self, nearby: MemoryLookup) -> list[Memory]:
        """Read memories that share words or a value with a candidate, mostly in one step."""
        memories: list[Memory] = []
        contents, values = nearby.contents, nearby.values()
        while contents or values:
            pages = await asyncio.gather(
                self._memories.with_content_keys(contents),
                self._memories.with_value_keys(values),
            )
            contents = {}
            for page in pages:
                nearby.take(page)
                memories += page
            values = nearby.values()
        return memories

    async def _recalled(self, events: Sequence[Event]) -> dict[str, list[str]]:
        """Return the result ids of recalls that an event rates as a whole, by user."""
        wanted: dict[str, set[str]] = {}
        for event in events:
            if isinstance(event, FeedbackGiven) and event.recall_id and not event.memory_ids:
                wanted.setdefault(event.user_id, set()).add(event.recall_id)
        return await self._memories.recalled(wanted) if wanted else {}

    async def _named(
        self, events: Sequence[Event], recalled: Mapping[str, Sequence[str]]
    ) -> list[Memory]:
        by_user: dict[str, set[str]] = {}
        for event in events:
            if isinstance(event, FeedbackGiven) and not event.memory_ids:
                returned = recalled.get(event.recall_id or "", ())
                by_user.setdefault(event.user_id, set()).update(returned)
            if isinstance(event, CommandEvent) and event.named():
                by_user.setdefault(event.user_id, set()).update(event.named())
            if isinstance(event, JudgementProposed):
                judged = (event.judgement.new, event.judgement.standing)
                by_user.setdefault(event.user_id, set()).update(
                    memory_at_version.memory_id for memory_at_version in judged
                )
            if (named := find_named_memory(event)) is not None:
                by_user.setdefault(event.user_id, set()).add(named)
        if not by_user:
            return []
        # A command names a memory, and may not name its agent.
        spaces = await asyncio.gather(*map(self._namespaces.of_user, by_user))
        return await self._memories.of_namespaces(
            {
                namespace: by_user[namespace.user_id]
                for namespaces in spaces
                for namespace in namespaces
            }
        )
