"""Withdraw messages from a memory, and keep what the other messages say. Pure.

A statement that other messages support stays, in words that do not come from a withdrawn message: its
own words if possible, else those of a remaining message. Without such words it is forgotten.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from palimpsest.model.bilingual_text import detect_language, shorten_to_summary
from palimpsest.model.field_rules import Words
from palimpsest.model.memory import WORD_RULES, Evidence, Memory, Status
from palimpsest.model.memory_times import time_phrase
from palimpsest_language.wording.normalization import extract_gist
from palimpsest_server.domain.consolidation import evidence, supersession
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    forget_memory,
)
from palimpsest_server.domain.consolidation.duplicates import has_timeline
from palimpsest_server.domain.consolidation.memory_keys import family_keys
from palimpsest_server.domain.consolidation.memory_statements import (
    merge_statements,
    replace_evidence,
    split_into_statements,
    statement_moment,
    strip_data_notes,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.reworded_fields import has_phrase
from palimpsest_server.domain.consolidation.status_transitions import (
    change_status,
    reactivate_memory,
)
from palimpsest_server.domain.consolidation.timeline import (
    ENDED_REASON,
    HELD_AGAIN_REASON,
    REPLACED_REASON,
)
from palimpsest_server.domain.consolidation.unite_memories import UNITED_FIELDS, unite_fields
from palimpsest_server.domain.consolidation.withheld_evidence import evidence_turn_id
from palimpsest_server.domain.consolidation.word_fields import (
    FIELDS_GONE_WITH_EVIDENCE,
    keep_words,
)


def withdraw_evidence(
    known: Overlay, memory_id: str, turns: Collection[str], *, reason: str
) -> ConsolidationOutcome:
    """Put the rest of the memory into `known`, or that it is forgotten.

    `known` must hold the stored memories under its attribute's keys.
    """
    memory = known.get(memory_id)
    if memory is None:
        return ConsolidationOutcome.UNKNOWN
    after = memory_without_turns(memory, turns)
    if after is None:
        return forget_memory(known, memory_id, reason=reason)
    if after == memory:
        return ConsolidationOutcome.DUPLICATE
    _put(known, memory, after)
    return ConsolidationOutcome.UNSAID


def memory_without_turns(memory: Memory, turns: Collection[str]) -> Memory | None:
    """Return the memory without the evidence from these turns; None if nothing is left."""
    user_id = memory.scope.user_id
    gone = {
        piece
        for piece in evidence.stamp_evidence(memory)
        if evidence_turn_id(piece, user_id) in turns
    }
    if not gone:
        return memory
    own_words = {(statement.valid_from, statement.position) for statement in memory.statements}
    left = [
        statement
        for each in split_into_statements(memory)
        if (statement := _left(each, gone, in_own_words=statement_moment(each) in own_words))
        is not None
    ]
    if not left:
        return None
    return merge_statements(memory, left) if has_timeline(memory) else _of_words(memory, left)


def _left(stated: Memory, gone: set[Evidence], *, in_own_words: bool) -> Memory | None:
    """Return one statement of a memory without the withdrawn evidence; None if nothing is left."""
    held = [piece for piece in stated.evidence if piece not in gone]
    if not held:
        return None
    whole = len(held) == len(stated.evidence)
    if whole and in_own_words:
        return stated
    lost = _Lost(gone, held)
    if stated.value is not None and lost.says(stated.value):
        return None
    told = replace_evidence(stated, held)
    if lost.has_words_of(stated.content):
        # If several messages said it together, a remaining message may not say it alone.
        return _saying(told, held[-1].quote, lost) if whole else None
    summary = shorten_to_summary(told.content) if lost.has_words_of(told.summary) else told.summary
    return told.model_copy(update={"summary": summary, **lost.without(told)})


def _saying(stated: Memory, content: str, lost: "_Lost") -> Memory:
    words = {
        "content": content,
        "summary": shorten_to_summary(content),
        "language": detect_language(content),
    }
    return stated.model_copy(update={**words, **lost.without(stated)})


class _Lost:
    """The words of the withdrawn evidence that the remaining evidence lacks."""

    def __init__(self, gone: Iterable[Evidence], held: Iterable[Evidence]) -> None:
        self._gone = [piece.quote for piece in gone]
        self._held = [piece.quote for piece in held]
        self._words = _words(self._gone) - _words(self._held)

    def has_words_of(self, text: str) -> bool:
        return not self._words.isdisjoint(extract_gist(text).split())

    def says(self, name: str) -> bool:
        return _any_holds(self._gone, name) and not _any_holds(self._held, name)

    def without(self, stated: Memory) -> dict[str, Any]:
        """Return the fields that may hold withdrawn words, without those words."""
        words = time_phrase(stated)
        told = words is None or _any_holds(self._held, words)
        return {
            "data": stated.data if told else strip_data_notes(stated.data),
            **{
                name: keep_words(getattr(stated, name), lambda word: not self.says(word))
                for name in FIELDS_GONE_WITH_EVIDENCE
            },
        }


_SPOKEN = (
    "language",
    "data",
    *(
        name
        for name, rule in WORD_RULES.items()
        if rule is not Words.TOPIC and name not in UNITED_FIELDS
    ),
)
"""Fields of a memory outside timelines that its latest statement decides alone."""


def _of_words(memory: Memory, left: Sequence[Memory]) -> Memory:
    """Return a memory outside timelines without the withdrawn evidence."""
    spoken = next(
        (statement for statement in left if statement.content == memory.content), left[-1]
    )
    said = {name: getattr(spoken, name) for name in _SPOKEN}
    united = unite_fields(left)
    return memory.model_copy(
        update={
            **united,
            **said,
            "importance": memory.importance,
            "pinned": memory.pinned,
            "confidence": min(memory.confidence, united["confidence"]),
            "statements": (),
        }
    )


def _put(known: Overlay, memory: Memory, after: Memory) -> None:
    """Put the memory into its timeline; a value that only the withdrawn words had ended may hold again."""
    if after.status is not Status.ACTIVE or not has_timeline(after):
        known.put(after)
        return
    line = {
        other.id: reactivate_memory(other) if _was_ended_by(memory, other) else other
        for key in family_keys(memory)
        for other in known.with_key(key)
        if other.id != memory.id and supersession.is_in_timeline(other)
    }
    line |= {
        placed.id: placed for placed in supersession.insert_into_timeline([*line.values()], after)
    }
    for placed in line.values():
        if known.get(placed.id) != placed:
            known.put(placed)
    if after.id not in line:
        known.put(change_status(after, Status.ARCHIVED, reason=supersession.JOINED_REASON))


def _was_ended_by(memory: Memory, other: Memory) -> bool:
    return other.superseded_by == memory.id and other.status_reason in (
        REPLACED_REASON,
        ENDED_REASON,
        HELD_AGAIN_REASON,
    )


def _words(quotes: Iterable[str]) -> frozenset[str]:
    return frozenset(word for quote in quotes for word in extract_gist(quote).split())


def _any_holds(quotes: Iterable[str], words: str) -> bool:
    return any(has_phrase(quote, words) for quote in quotes)
