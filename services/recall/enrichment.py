"""Adds to results what they replaced and what they relate to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from palimpsest.api.recall import (
    NameLink,
    RecallDetail,
    RecallResult,
    RelatedMemory,
    ReplacedMemory,
)
from palimpsest.model.entity import Entity, EntityKind, link_strength
from palimpsest.model.memory import Accesses, Memory
from palimpsest_server.domain.entities.entity_overlay import collect_entity_keys
from palimpsest_server.domain.ranking.exclusion_reasons import explain_hidden_memory
from palimpsest_server.domain.ranking.visibility import PAST_STATUSES, Visibility
from palimpsest_server.stores.entities import EntityReader
from services.recall.answer import RecallAnswer
from services.recall.read import DocumentReader

GENERATIONS = 5
"""The most generations of a history; each needs a read of its own."""


MOST_LINKED = 5
"""The most memories that names link to one result."""

Links = Mapping[str, Sequence[Entity]]
"""Entities that both memories name, rarest first, by the id of the other memory."""


class ResultEnricher:
    def __init__(self, reader: DocumentReader, entities: EntityReader) -> None:
        self._reader = reader
        self._entities = entities

    async def enrich(
        self,
        answer: RecallAnswer,
        include: frozenset[RecallDetail],
        visibility: Visibility,
        *,
        links_names: bool = False,
    ) -> list[RecallResult]:
        """Return the results with the requested details.

        With `links_names` the graph also holds memories that name the same entities, at the cost of
        one more read.

        Raises:
            TransientError: the memories are not available.
        """
        mine = [
            answer.memories[result.id] for result in answer.results if result.id in answer.memories
        ]
        known = {memory.id: memory for memory in mine}
        entities: Sequence[Entity] = ()
        links: dict[str, Links] = {}
        if RecallDetail.GRAPH in include:
            entities = await self._read_entities(mine) if links_names else ()
            links = {memory.id: _link_by_names(memory, entities) for memory in mine}
            ids = {relation.memory_id for memory in mine for relation in memory.relations}
            ids |= {identity for others in links.values() for identity in others}
            known |= await self._related(ids - known.keys(), visibility)
        if RecallDetail.HISTORY in include:
            known |= await self._ancestors(mine, known, visibility)
        accesses: Mapping[str, Accesses] = {}
        if RecallDetail.ACCESSES in include:
            shown = [memory.id for memory in mine]
            counted = await self._reader.read_accesses(visibility.scopes, shown)
            accesses = {one: counted.get(one, Accesses()) for one in shown}
        return [
            _enriched(result, known, include, links.get(result.id, {})).model_copy(
                update={
                    "accesses": accesses.get(result.id),
                    "entity_kinds": _list_kinds(result.id, entities),
                }
            )
            for result in answer.results
        ]

    async def _read_entities(self, memories: Sequence[Memory]) -> Sequence[Entity]:
        keys = {key for memory in memories for key in collect_entity_keys(memory)}
        return await self._entities.with_keys(keys) if keys else ()

    async def _related(self, ids: "set[str]", visibility: Visibility) -> dict[str, Memory]:
        """Return those of these memories that may be shown, of any kind and time."""
        memories = await self._reader.read_memories(visibility.scopes, sorted(ids))
        anywhere = replace(visibility, kinds=None, since=None, until=None, within=())
        return {
            memory.id: memory
            for memory in memories
            if explain_hidden_memory(memory, anywhere) is None
        }

    async def _ancestors(
        self, memories: Sequence[Memory], known: Mapping[str, Memory], visibility: Visibility
    ) -> dict[str, Memory]:
        found = dict(known)
        newest = list(memories)
        for _ in range(GENERATIONS):
            wanted = {
                superseded for memory in newest for superseded in memory.supersedes
            } - found.keys()
            if not wanted:
                break
            read = await self._reader.read_memories(visibility.scopes, sorted(wanted))
            newest = [
                memory
                for memory in read
                if memory.status in PAST_STATUSES and memory.epoch >= visibility.state.epoch
            ]
            found |= {memory.id: memory for memory in newest}
        return found


def _enriched(
    result: RecallResult,
    known: Mapping[str, Memory],
    include: frozenset[RecallDetail],
    links: Links,
) -> RecallResult:
    memory = known.get(result.id)
    if memory is None:
        return result
    return result.model_copy(
        update={
            "history": _history(memory, known) if RecallDetail.HISTORY in include else (),
            "related": _related(memory, known, links) if RecallDetail.GRAPH in include else (),
        }
    )


def _history(memory: Memory, known: Mapping[str, Memory]) -> tuple[ReplacedMemory, ...]:
    before: dict[str, Memory] = {}
    waiting = list(memory.supersedes)
    while waiting:
        old = known.get(waiting.pop())
        if old is not None and old.id not in before and old.id != memory.id:
            before[old.id] = old
            waiting += old.supersedes
    latest_first = sorted(before.values(), key=lambda one: one.valid_from, reverse=True)
    return tuple(
        ReplacedMemory(
            id=one.id,
            content=one.content,
            valid_from=one.valid_from,
            valid_until=one.valid_until,
        )
        for one in latest_first
    )


def _link_by_names(memory: Memory, entities: Sequence[Entity]) -> Links:
    """Return the memories that name the same entities, those that share the most first.

    Among equals a rarer shared name comes first, then the latest memory.
    """
    links: dict[str, list[Entity]] = {}
    for entity in sorted(entities, key=lambda one: len(one.mentions)):
        if memory.id in entity.memory_ids:
            for mention in reversed(entity.mentions):
                if mention.memory_id != memory.id:
                    links.setdefault(mention.memory_id, []).append(entity)
    return dict(sorted(links.items(), key=lambda link: -len(link[1])))


def _list_kinds(memory_id: str, entities: Sequence[Entity]) -> dict[str, EntityKind]:
    """Return the kinds of the entities that a memory names, by name."""
    return {
        mention.written: entity.kind
        for entity in entities
        if entity.kind is not None
        for mention in entity.mentions
        if mention.memory_id == memory_id
    }


def _related(
    memory: Memory, known: Mapping[str, Memory], links: Links
) -> tuple[RelatedMemory, ...]:
    by_relation = [
        RelatedMemory(
            type=relation.type,
            strength=relation.strength,
            id=relation.memory_id,
            content=known[relation.memory_id].content,
        )
        for relation in memory.relations
        if relation.memory_id in known
    ]
    related = {related_memory.id for related_memory in by_relation}
    by_name = [
        RelatedMemory(
            type=NameLink.SHARES_ENTITY,
            strength=link_strength(len(shared)),
            id=identity,
            content=known[identity].content,
            entity=shared[0].name,
            entity_kind=shared[0].kind,
        )
        for identity, shared in links.items()
        if identity in known and identity not in related
    ]
    return (*by_relation, *by_name[:MOST_LINKED])
