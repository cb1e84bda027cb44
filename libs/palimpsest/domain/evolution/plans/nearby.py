"""What has to be read for plans to end as they would in any other order. No I/O."""

from palimpsest.domain.evolution.plans.keys import keys_against_plans, keys_of_plans
from palimpsest.domain.evolution.plans.naming import named_ending
from palimpsest.domain.memory import Candidate, Memory
from palimpsest.domain.scope import Scope


class PlansNearby:
    """What candidates end, what that is ended by, what else those end: at any remove.

    Of what has a key in common but is another plan nothing more is read.
    """

    def __init__(self) -> None:
        self._concerned: dict[Scope, list[Memory | Candidate]] = {}
        self._others: dict[Scope, list[Memory]] = {}

    def want(self, candidate: Candidate) -> list[str]:
        """The keys under which stands what concerns the candidate."""
        if keys := keys_against_plans(candidate):
            self._concerned.setdefault(candidate.scope, []).append(candidate)
        return keys

    def take(self, memory: Memory) -> list[str]:
        """The keys under which stands what concerns what was found, where that is concerned."""
        concerned = self._concerned.get(memory.scope)
        if concerned is None or not keys_of_plans(memory):
            return []
        others = self._others.setdefault(memory.scope, [])
        if not any(_concern(memory, one) for one in concerned):
            others.append(memory)
            return []
        keys, left = list[str](), [memory]
        while left:
            found = left.pop()
            concerned.append(found)
            keys += keys_against_plans(found)
            left += [one for one in others if _concern(found, one)]
            others[:] = [one for one in others if not _concern(found, one)]
        return keys


def _concern(one: Memory | Candidate, other: Memory | Candidate) -> bool:
    return (named_ending(one, other) or named_ending(other, one)) is not None
