"""Memories as they stand once candidates were decided one after another."""

from collections.abc import Iterable

from palimpsest.model.memory import Candidate, Memory
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.memory_keys import stored_keys
from palimpsest_server.domain.consolidation.memory_lookup import MemoryLookup
from palimpsest_server.domain.consolidation.overlay import Overlay


def read_for(candidate: Candidate, stored: list[Memory]) -> list[Memory]:
    nearby = MemoryLookup()
    nearby.want(candidate, whole=False)
    found: dict[str, Memory] = {}
    while wanted := nearby.values().get(candidate.scope.namespace):
        page = [memory for memory in stored if not wanted.isdisjoint(stored_keys(memory))]
        nearby.take(page)
        found |= {memory.id: memory for memory in page}
    return list(found.values())


def outcome_of(said: Iterable[Candidate]) -> list[Memory]:
    """Each decided by itself, by what was read for it of what is stored."""
    stored: dict[str, Memory] = {}
    for candidate in said:
        known = Overlay(read_for(candidate, list(stored.values())))
        decide_candidate(known, candidate, received_at=candidate.occurred_at, epoch=0)
        stored |= {change.after.id: change.after for change in known.take_changes()}
    return [
        memory.model_copy(update={"version": 1, "supersedes": tuple(sorted(memory.supersedes))})
        for memory in sorted(stored.values(), key=lambda one: one.id)
    ]
