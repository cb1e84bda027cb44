"""Apply a model's judgement on two memories that may be the same.

| verdict | the standing memory | the new one |
| --- | --- | --- |
| duplicate | has the evidence of both, and its confidence rises | archived |
| replace | says what the new one says, with its data and confidence | archived |
| merge | says what both say; confidence is the mean over distinct evidence | archived |
| supersede | the older of both ends where the newer begins, linked both ways | |
| keep_both | never merged with the older one | unchanged |

The verdict is a proposal: it is applied only if both memories still have the
versions that it names. Nothing is deleted.
"""

from collections.abc import Callable
from enum import StrEnum

from palimpsest.model.bilingual_text import detect_language, shorten_to_summary
from palimpsest.model.judgement import DuplicateJudgement, JudgementVerdict
from palimpsest.model.memory import Memory, MemoryAtVersion, Relation, RelationType, Status
from palimpsest_language.attributes.attribute_names import canonical_attribute, canonical_subject
from palimpsest_server.domain.consolidation import evidence
from palimpsest_server.domain.consolidation.duplicates import reinforce_memory
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import change_status
from palimpsest_server.domain.memory_dates import mean_other_times

ABSORBED_REASON = "another memory says it"
JUDGED_SUPERSEDED_REASON = "judged to be replaced by another"


class JudgementOutcome(StrEnum):
    """The outcome of a judgement."""

    DUPLICATE = "judged a duplicate"
    REPLACE = "judged to say it better"
    MERGE = "judged to belong together"
    SUPERSEDE = "judged to supersede"
    KEEP_BOTH = "judged to be two"
    STALE = "judged too late"
    """One of the two memories has changed since the question, or may not be changed."""


def is_possible_duplicate(new: Memory, other: Memory) -> bool:
    """Return whether a model should compare two memories, because keys do not decide.

    Values decide within one subject and attribute, and two attributes never say the same. Memories with
    a limited time differ by it, as do equal words of two days.
    """
    if new.id == other.id or are_told_apart(new, other):
        return False
    if (new.scope, new.kind) != (other.scope, other.kind):
        return False
    if any(
        memory.status is not Status.ACTIVE or memory.pinned or memory.standalone
        for memory in (new, other)
    ):
        return False
    if new.ended or other.ended or new.valid_until != other.valid_until:
        return False
    if canonical_subject(new.subject) != canonical_subject(other.subject) or mean_other_times(
        new, other
    ):
        return False
    stated = [
        memory
        for memory in (new, other)
        if memory.attribute is not None and memory.value is not None
    ]
    return len(stated) < 2 or (
        canonical_attribute(new.attribute or "") == canonical_attribute(other.attribute or "")
        and _similar_values(new, other)
    )


def are_told_apart(memory: Memory, other: Memory) -> bool:
    """Return whether a model judged that two memories say different things."""
    return other.id in memory.told_apart or memory.id in other.told_apart


def apply_judgement(
    known: Overlay, judgement: DuplicateJudgement, *, is_understood: bool = True
) -> JudgementOutcome:
    """Put the changes that follow from a judgement into `known`.

    `is_understood` is False if no model could be asked, and both memories stay for want of an answer.
    """
    new = _standing(known, judgement.new)
    other = _standing(known, judgement.standing)
    if new is None or other is None or new.id == other.id or new.scope != other.scope:
        return JudgementOutcome.STALE
    if judgement.verdict is not JudgementVerdict.KEEP_BOTH and (new.pinned or other.pinned):
        return JudgementOutcome.STALE
    if not is_understood:
        return JudgementOutcome[judgement.verdict.name]
    for memory in _RULES[judgement.verdict](new, other, judgement):
        known.put(memory)
    return JudgementOutcome[judgement.verdict.name]


def _standing(known: Overlay, at: MemoryAtVersion) -> Memory | None:
    memory = known.get(at.memory_id)
    if memory is None or memory.version != at.version or memory.status is not Status.ACTIVE:
        return None
    return memory


def _similar_values(new: Memory, other: Memory) -> bool:
    """Return whether one value contains the other: "coffee" and "black coffee" may be the same."""
    new_value, standing_value = (new.value or "").casefold(), (other.value or "").casefold()
    return new_value != standing_value and (
        new_value in standing_value or standing_value in new_value
    )


def _duplicate(new: Memory, other: Memory, _: DuplicateJudgement) -> list[Memory]:
    return [reinforce_memory(other, new), _taken_in(new, other, RelationType.SUPPORTS)]


def _replace(new: Memory, other: Memory, _: DuplicateJudgement) -> list[Memory]:
    both = reinforce_memory(other, new)
    said = ("content", "summary", "language", "data", "confidence")
    about = {"attribute": new.attribute, "value": new.value} if new.value is not None else {}
    after = both.model_copy(
        update={**{name: getattr(new, name) for name in said}, **about, "statements": ()}
    )
    return [after, _taken_in(new, other, RelationType.REFINES)]


def _merge(new: Memory, other: Memory, judgement: DuplicateJudgement) -> list[Memory]:
    both, content = reinforce_memory(other, new), judgement.content or ""
    after = both.model_copy(
        update={
            "content": content,
            "summary": shorten_to_summary(content),
            "language": detect_language(content),
            "data": {**new.data, **other.data},
            "confidence": evidence.average_confidence(both.evidence),
            "statements": (),
        }
    )
    return [after, _taken_in(new, other, RelationType.REFINES)]


def _supersede(new: Memory, other: Memory, _: DuplicateJudgement) -> list[Memory]:
    # A memory that holds from an earlier time never replaces one from a later time.
    later, earlier = (new, other) if new.valid_from >= other.valid_from else (other, new)
    ended = change_status(earlier, Status.SUPERSEDED, reason=JUDGED_SUPERSEDED_REASON).model_copy(
        update={"valid_until": later.valid_from, "superseded_by": later.id}
    )
    return [ended, later.model_copy(update={"supersedes": (*later.supersedes, earlier.id)})]


def _keep_both(new: Memory, other: Memory, _: DuplicateJudgement) -> list[Memory]:
    """Mark only the new memory, because questions about the other name its version."""
    if other.id in new.told_apart:
        return []
    return [new.model_copy(update={"told_apart": tuple(sorted({*new.told_apart, other.id}))})]


def _taken_in(new: Memory, other: Memory, relation_type: RelationType) -> Memory:
    """Archive the new memory with its relation to the other and its own confidence."""
    relation = Relation(type=relation_type, memory_id=other.id, strength=new.confidence)
    archived = change_status(new, Status.ARCHIVED, reason=ABSORBED_REASON)
    return archived.model_copy(update={"relations": (*new.relations, relation)})


_RULES: dict[JudgementVerdict, Callable[[Memory, Memory, DuplicateJudgement], list[Memory]]] = {
    JudgementVerdict.DUPLICATE: _duplicate,
    JudgementVerdict.REPLACE: _replace,
    JudgementVerdict.MERGE: _merge,
    JudgementVerdict.SUPERSEDE: _supersede,
    JudgementVerdict.KEEP_BOTH: _keep_both,
}
