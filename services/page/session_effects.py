"""The effects of a conversation on memory, one for each memory, from the changes that it caused."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from palimpsest.api.conversations import SessionUndoResult
from palimpsest.model.change_set import ChangeSet, MemoryChange
from palimpsest.model.memory import Memory, Status


class Effect(StrEnum):
    """Effects on one memory; each has words under `conversations.effect_…`."""

    REMEMBERED = "remembered"
    TO_CONFIRM = "to_confirm"
    REPEATED = "repeated"
    REPLACED = "replaced"
    ENDED = "ended"
    REWORDED = "reworded"
    RESTORED = "restored"
    FORGOTTEN = "forgotten"


_ENDINGS = {
    Status.SUPERSEDED: Effect.REPLACED,
    Status.FORGOTTEN: Effect.FORGOTTEN,
    Status.REJECTED: Effect.FORGOTTEN,
    Status.ARCHIVED: Effect.FORGOTTEN,
    Status.PURGED: Effect.FORGOTTEN,
}
"""Effects that follow from the status in which a memory is left."""


@dataclass(frozen=True)
class MemoryEffect:
    """The effect of a conversation on one memory."""

    effect: Effect
    memory: Memory
    """The memory as the conversation left it."""
    is_taken_back: bool = False
    """True if nothing of it is left to take back."""
    is_kept: bool = False
    """True if a later change keeps it from being taken back."""
    is_changed_again: bool = False
    """True if the later change is one of this very memory."""

    @property
    def is_erased(self) -> bool:
        """True if the words of the memory are gone for good."""
        return not self.memory.content


def collect_effects(
    changes: Iterable[ChangeSet], preview: SessionUndoResult | None = None
) -> list[MemoryEffect]:
    """Collect the effects of change sets, the memory that was changed first before the others.

    Args:
        changes: the change sets that a conversation caused.
        preview: what undoing the conversation would do; None if that is not known.
    """
    steps: dict[str, list[tuple[str, MemoryChange]]] = {}
    for change_set in sorted(changes, key=lambda change_set: change_set.revision):
        for change in change_set.memory_changes:
            steps.setdefault(change.after.id, []).append((change_set.id, change))
    return [_build_effect(memory_steps, preview) for memory_steps in steps.values()]


def count_erased(effects: Iterable[MemoryEffect]) -> int:
    """Count the effects whose memories were erased: of those nothing is left to be shown."""
    return sum(effect.is_erased for effect in effects)


def name_effect(before: Memory | None, after: Memory) -> Effect:
    """Return the effect of a change from one state of a memory to another."""
    if after.status in _ENDINGS:
        return _ENDINGS[after.status]
    if before is None:
        return Effect.TO_CONFIRM if after.status is Status.PENDING else Effect.REMEMBERED
    if before.status is not after.status:
        return Effect.RESTORED
    if before.content != after.content:
        return Effect.REWORDED
    has_ended = before.valid_until is None and after.valid_until is not None
    return Effect.ENDED if has_ended else Effect.REPEATED


def group_by_message(
    effects: Iterable[MemoryEffect], session_id: str
) -> Mapping[str, Sequence[MemoryEffect]]:
    """Group effects by the messages of a conversation that their memories quote."""
    groups: dict[str, list[MemoryEffect]] = {}
    for effect in effects:
        quoted = (
            evidence.message_id
            for evidence in effect.memory.evidence
            if evidence.session_id == session_id and evidence.message_id is not None
        )
        for message_id in dict.fromkeys(quoted):
            groups.setdefault(message_id, []).append(effect)
    return groups


def _build_effect(
    steps: Sequence[tuple[str, MemoryChange]], preview: SessionUndoResult | None
) -> MemoryEffect:
    before, after = steps[0][1].before, steps[-1][1].after
    ids = {change_set_id for change_set_id, _ in steps}
    if preview is None or preview.left:
        return MemoryEffect(name_effect(before, after), after)
    kept = {conflict.change_set_id for conflict in preview.conflicts}
    changed_again = {name for conflict in preview.conflicts for name in conflict.changed_again}
    return MemoryEffect(
        name_effect(before, after),
        after,
        is_taken_back=ids.isdisjoint(preview.change_set_ids) and ids.isdisjoint(kept),
        is_kept=not ids.isdisjoint(kept),
        is_changed_again=after.id in changed_again,
    )
