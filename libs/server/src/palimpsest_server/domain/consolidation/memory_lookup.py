"""Find the memories to read before candidates are decided, step by step. No I/O.

For an attribute with one value at a time, all memories of its family are read. For a family with
many values, only memories that share a value with the candidate, directly or through others, are
read: one more like does not need hundreds of others.
"""

from collections.abc import Iterable

from palimpsest.model.memory import Candidate, Memory, MemoryOrCandidateT, memory_id
from palimpsest.model.scope import Namespace
from palimpsest_language.attributes.attribute_names import has_exclusive_values
from palimpsest_language.attributes.implied_attributes import infer_attribute
from palimpsest_server.domain.consolidation.memory_keys import (
    attribute_contradiction_keys,
    content_key,
    contradiction_keys,
    family_keys,
    stance_keys,
    value_keys,
)
from palimpsest_server.domain.consolidation.memory_statements import copy_attribute
from palimpsest_server.domain.consolidation.plan_lookup import PlanLookup

KeysByNamespace = dict[Namespace, set[str]]
"""Keys by the namespace in which they are looked up."""


class MemoryLookup:
    """Collects the keys to look up: `contents` and `attributes` once, `values` until none are left."""

    def __init__(self) -> None:
        self.contents: KeysByNamespace = {}
        self.attributes: KeysByNamespace = {}
        """Keys of attributes whose families are read as a whole."""
        self.ids: KeysByNamespace = {}
        """Ids of memories that stand alone: no other memory concerns them."""
        self._asked: set[str] = set()
        self._next: KeysByNamespace = {}
        self._plans = PlanLookup()
        self._in_words: dict[str, list[Candidate]] = {}
        """Candidates looked up by value, by content key."""
        self._plain: list[Candidate] = []

    def want(self, candidate: Candidate, *, whole: bool) -> None:
        """Add a candidate. With `whole`, its whole family is read, whatever its attribute."""
        if candidate.standalone:
            _add(self.ids, candidate, memory_id(candidate.scope.user_id, candidate.id))
            return
        candidate = infer_attribute(candidate)
        content = content_key(candidate)
        _add(self.contents, candidate, content)
        self._want_against(candidate)
        values = value_keys(candidate)
        if whole or not values:
            _add(self.attributes, candidate, *family_keys(candidate))
            self._plain += [candidate] if candidate.attribute is None else []
            return
        self._in_words.setdefault(content, []).append(candidate)
        self._ask(candidate, values)

    def _want_against(self, candidate: Candidate) -> None:
        """Ask for memories that contradict a candidate. Values of its attribute are found by its value keys."""
        _add(self.contents, candidate, *contradiction_keys(candidate))
        opposed = (*contradiction_keys(candidate), *stance_keys(candidate))
        self._ask(candidate, [*opposed, *self._plans.want(candidate)])
        if has_exclusive_values(candidate.attribute or ""):
            _add(self.attributes, candidate, *attribute_contradiction_keys(candidate))

    def values(self) -> KeysByNamespace:
        """Return the value keys to read next, each once; empty when all is found."""
        for plain in self._plain:
            self._take_plain(plain)
        self._plain = []
        wanted, self._next = self._next, {}
        return wanted

    def take(self, memories: Iterable[Memory]) -> None:
        """Take memories that were read; values that they mention may lead to further memories."""
        for memory in memories:
            self._ask(memory, self._plans.take(memory))
            if memory.attribute is None or memory.value is None:
                self._take_plain(memory)
            elif not self._asked.isdisjoint(values := value_keys(memory)):
                self._ask(memory, values)

    def _take_plain(self, plain: MemoryOrCandidateT) -> None:
        """Put a memory that says the same as a candidate into the candidate's timeline."""
        for candidate in self._in_words.get(content_key(plain), ()):
            self._ask(candidate, value_keys(copy_attribute(plain, candidate)))

    def _ask(self, near: Memory | Candidate, keys: Iterable[str]) -> None:
        fresh = set(keys) - self._asked
        self._asked |= fresh
        _add(self._next, near, *fresh)


def _add(wanted: KeysByNamespace, near: Memory | Candidate, *keys: str) -> None:
    if keys:
        wanted.setdefault(near.scope.namespace, set()).update(keys)
