"""Find what a memory claims of the generator's items, by its messages and its own words."""

from collections.abc import Iterable, Mapping

from palimpsest.model.memory import Memory
from palimpsest_lab.simulation.user_actions import KnowableItem, UserAction, UserActionType


def find_memory_claims(memory: Memory, acts: Mapping[str, UserAction]) -> frozenset[KnowableItem]:
    """Return each item that the memory rests on a statement of, and names.

    `acts` are all there are, by the id of their message.
    """
    # A memory about memories says nothing again.
    if memory.kind.properties.is_reflection:
        return frozenset()
    words = "\n".join((memory.value or "", memory.content, memory.summary)).casefold()
    return frozenset(
        act.item
        for act in _said(memory, acts)
        if act.item is not None
        and act.doing is not UserActionType.STOP
        and (act.attribute is None or act.item.value.casefold() in words)
    )


def _said(memory: Memory, acts: Mapping[str, UserAction]) -> Iterable[UserAction]:
    for evidence in memory.evidence:
        act = acts.get(evidence.message_id or "")
        if act is not None and act.person.user_id == memory.scope.user_id:
            yield act
