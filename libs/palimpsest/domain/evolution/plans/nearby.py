"""What has to be read for plans to end as they would in any other order. No I/O."""

from palimpsest.domain.evolution.plans.keys import keys_against_plans, keys_of_plans
from palimpsest.domain.evolution.plans.naming import named_ending
from palimpsest.domain.memory import Candidate, Memory


class PlansNearby:
    """What candidates end, what that is ended by, what else those end: at any remove.

    Of what has a key in common but is another plan nothing more is read.
    """

    def __init__(self) -> None:
        self._concerned: list[Memory | Candidate] = []
        self._others: list[Memory] = []

    def want(self, candidate: Candidate) -> list[str]:
        """The keys under which stands what concerns the candidate."""
        if keys := keys_against_plans(candidate):
            self._concerned.append(candidate)
        return keys

    def take(self, memory: Memory) -> list[str]:
        """The keys under which stands what concerns what was found, where that is concerned."""
        if not self._concerned or not keys_of_plans(memory):
            return []
        self._others.append(memory)
        keys: list[str] = []
        while (found := next(filter(self._is_concerned, self._others), None)) is not None:
            self._others.remove(found)
            self._concerned.append(found)
            keys += keys_against_plans(found)
        return keys

    def _is_concerned(self, other: Memory) -> bool:
        return any(named_ending(one, other) or named_ending(other, one) for one in self._concerned)
