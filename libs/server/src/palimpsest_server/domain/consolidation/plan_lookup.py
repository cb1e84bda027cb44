"""Find the memories to read so that plans end as they would in any other order. No I/O."""

from palimpsest.model.memory import Candidate, Memory
from palimpsest.model.scope import Scope
from palimpsest_language.plans.plan_names import find_plan_ending
from palimpsest_server.domain.consolidation.plan_keys import plan_ending_keys, plan_keys


class PlanLookup:
    """Collects the memories that candidates end, those that end them in turn, and so on.

    A memory that shares a key but belongs to another plan leads no further.
    """

    def __init__(self) -> None:
        self._concerned: dict[Scope, list[Memory | Candidate]] = {}
        self._others: dict[Scope, list[Memory]] = {}

    def want(self, candidate: Candidate) -> list[str]:
        """Add a candidate; return the keys of the memories that it concerns."""
        if keys := plan_ending_keys(candidate):
            self._concerned.setdefault(candidate.scope, []).append(candidate)
        return keys

    def take(self, memory: Memory) -> list[str]:
        """Take a memory that was read; return the keys of the memories that it concerns."""
        concerned = self._concerned.get(memory.scope)
        if concerned is None or not plan_keys(memory):
            return []
        others = self._others.setdefault(memory.scope, [])
        if not any(_concern(memory, known_memory) for known_memory in concerned):
            others.append(memory)
            return []
        keys, left = list[str](), [memory]
        while left:
            found = left.pop()
            concerned.append(found)
            keys += plan_ending_keys(found)
            left += [other for other in others if _concern(found, other)]
            others[:] = [other for other in others if not _concern(found, other)]
        return keys


def _concern(memory: Memory | Candidate, other: Memory | Candidate) -> bool:
    return (find_plan_ending(memory, other) or find_plan_ending(other, memory)) is not None
