"""Evidence that is not shown any more: forgotten by hand, rejected, corrected, or off the record.

A memory that a person called wrong counts as forgotten until the person confirms it. Forgetting in the
course of time does not withhold the memory's messages. A message with a statement that was corrected is
shown, as outdated. A summary tells nothing of times, so it must not rest on that message.
"""

from collections.abc import Iterable, Mapping

from palimpsest.events.command_registry import select_command_names
from palimpsest.events.commands import ImportMemories, UndoChange, UndoSession
from palimpsest.model.change_set import ChangeSet, MemoryChange
from palimpsest.model.memory import Evidence, Memory, Status
from palimpsest.model.session_summary import summary_id
from palimpsest.model.turn import Turn, turn_id
from palimpsest.model.value_types import Value
from palimpsest_server.domain.consolidation.feedback import WRONG_REASON

MANUAL_FORGET_CAUSES = select_command_names(lambda command: command.hides_evidence)
"""Commands by which a person has a memory forgotten, rejected or archived, or repeats that."""


class WithheldEvidence(Value):
    """The hidden messages of one memory that was forgotten or corrected; none once it is neither."""

    memory_id: str
    user_id: str
    epoch: int
    revision: int
    """The revision of the change set that withheld it; a later change set takes precedence."""
    turn_ids: tuple[str, ...]
    """Turns that are not shown."""
    left_out: tuple[str, ...] = ()
    """Turns on which no summary may rest: the hidden ones, and those that say a corrected statement."""
    summary_ids: tuple[str, ...] = ()
    """Summaries of the sessions of these turns, present and former."""


def find_withheld_evidence(change_set: ChangeSet) -> list[WithheldEvidence]:
    """Find the evidence that this change set withholds or releases.

    Purging a memory changes nothing: its messages must not be shown again when it is gone.
    """
    cause = change_set.cause.type
    changes = ((change, _messages(change, cause)) for change in change_set.memory_changes)
    return [
        WithheldEvidence(
            memory_id=change.after.id,
            user_id=change_set.user_id,
            epoch=change.after.epoch,
            revision=change_set.revision,
            turn_ids=messages,
            left_out=tuple(sorted({*messages, *change.after.corrected})),
            summary_ids=_summaries_of(change),
        )
        for change, messages in changes
        if messages is not None
    ]


_AS_IT_WAS = frozenset(command.__name__ for command in (UndoChange, UndoSession, ImportMemories))
"""Causes that restore an earlier state, which may be archived by a policy."""


def withhold_turn(turn: Turn) -> WithheldEvidence:
    """Withhold a message of which another message asks that nothing is remembered.

    The turn takes the place of a memory. It is marked itself as not shown, and stays in its own conversation.
    """
    return WithheldEvidence(
        memory_id=turn.id,
        user_id=turn.user_id,
        epoch=turn.epoch,
        revision=1,
        turn_ids=(),
        left_out=(turn.id,),
        summary_ids=(summary_id(turn.user_id, turn.session_id),),
    )


def off_the_record_turn_ids(withheld: Iterable[WithheldEvidence]) -> frozenset[str]:
    """Return the ids of turns that were withheld by `withhold_turn`."""
    return frozenset(
        evidence.memory_id for evidence in withheld if evidence.memory_id in evidence.left_out
    )


def hidden_turn_ids(withheld: Iterable[WithheldEvidence]) -> frozenset[str]:
    """Return the ids of all turns that are not shown."""
    return frozenset(turn for evidence in withheld for turn in evidence.turn_ids)


def last_forgotten_revision(withheld: Iterable[WithheldEvidence]) -> int:
    """Return the revision of the latest forgotten evidence; 0 if there is none."""
    return max((evidence.revision for evidence in withheld if evidence.turn_ids), default=0)


def turns_excluded_from_summaries(
    withheld: Iterable[WithheldEvidence],
) -> Mapping[str, frozenset[str]]:
    """Return the turns that a summary may not rest on, by the id of the summary."""
    found: dict[str, frozenset[str]] = {}
    for evidence in withheld:
        for summary in evidence.summary_ids if evidence.left_out else ():
            found[summary] = found.get(summary, frozenset()) | set(evidence.left_out)
    return found


def evidence_turn_ids(memory: Memory) -> tuple[str, ...]:
    """Return the ids of the turns that a memory quotes, sorted."""
    found = {evidence_turn_id(evidence, memory.scope.user_id) for evidence in memory.evidence}
    return tuple(sorted(found - {""}))


def evidence_turn_id(evidence: Evidence, user_id: str) -> str:
    """Return the id of the turn that a piece of evidence quotes; empty if it quotes none."""
    if evidence.session_id is None or evidence.message_id is None:
        return ""
    return turn_id(user_id, evidence.session_id, evidence.message_id)


def source_turn_ids(memory: Memory) -> tuple[str, ...]:
    """Return the ids of all turns that a memory quotes, and of turns that say it as it was before a correction."""
    return tuple(sorted({*evidence_turn_ids(memory), *memory.corrected}))


def evidence_session_ids(memory: Memory) -> tuple[str, ...]:
    """Return the ids of the sessions of the turns that a memory quotes, sorted."""
    found = {piece.session_id for piece in memory.evidence if piece.message_id is not None}
    return tuple(sorted(each for each in found if each is not None))


def source_summary_ids(memory: Memory) -> tuple[str, ...]:
    """Return the ids of the summaries of all sessions in which a memory was said, corrected words included."""
    corrected = {session for correction in memory.corrections for session in correction.session_ids}
    sessions = {*evidence_session_ids(memory), *corrected}
    return tuple(sorted(summary_id(memory.scope.user_id, session) for session in sessions))


def _summaries_of(change: MemoryChange) -> tuple[str, ...]:
    before = () if change.before is None else source_summary_ids(change.before)
    return tuple(sorted({*before, *source_summary_ids(change.after)}))


def _messages(change: MemoryChange, cause: str) -> tuple[str, ...] | None:
    """Return the turns to withhold, an empty tuple to release them, or None for no change."""
    was_withheld = change.before is not None and _is_withheld(change.before)
    by_hand = cause in MANUAL_FORGET_CAUSES
    if _is_withheld(change.after):
        by_somebody = by_hand or change.after.status is not Status.FORGOTTEN
        return source_turn_ids(change.after) if by_somebody and not was_withheld else None
    if change.after.status is Status.PURGED:
        return None
    if change.after.status is Status.ARCHIVED and cause not in _AS_IT_WAS:
        # Archived by a policy or a merge, the memory is neither taken back nor confirmed.
        return source_turn_ids(change.after) if by_hand and not was_withheld else None
    put_away = change.before is not None and change.before.status is Status.ARCHIVED
    corrected = () if change.before is None else change.before.corrected
    return () if was_withheld or put_away or change.after.corrected != corrected else None


def _is_withheld(memory: Memory) -> bool:
    """Return whether a person may have taken a memory back, so that its messages must not tell it."""
    said_wrong = memory.status is Status.PENDING and memory.status_reason == WRONG_REASON
    return said_wrong or memory.status in {Status.FORGOTTEN, Status.REJECTED}
