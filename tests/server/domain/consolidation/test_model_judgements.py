from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from palimpsest.model.judgement import DuplicateJudgement, JudgementVerdict
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, MemoryAtVersion, RelationType, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.consolidation.model_judgements import (
    ABSORBED_REASON,
    JudgementOutcome,
    apply_judgement,
    is_possible_duplicate,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import candidate, day


def memory(content: str, *, on: int, **fields: Any) -> Memory:
    stated = build_memory(candidate(content, on=on, confidence=0.5), received_at=day(on), epoch=0)
    return stated.model_copy(update={"id": content, **fields})


OLD = memory("I drink coffee", on=1, confidence=0.9, importance=0.5, tags=("a",))
NEW = memory("I drink coffee in the morning", on=5, data={"cups": 2}, tags=("b",))


def judgement(
    verdict: JudgementVerdict, new: Memory = NEW, standing: Memory = OLD, content: str | None = None
) -> DuplicateJudgement:
    if verdict is JudgementVerdict.MERGE:
        content = content or "I drink coffee, in the morning"
    return DuplicateJudgement(
        verdict=verdict,
        new=MemoryAtVersion(memory_id=new.id, version=new.version),
        standing=MemoryAtVersion(memory_id=standing.id, version=standing.version),
        content=content,
    )


def judged(
    verdict: JudgementVerdict, new: Memory = NEW, standing: Memory = OLD
) -> tuple[Memory, Memory]:
    """The new one and the one that stood, after the verdict."""
    known = Overlay([new, standing])
    assert (
        apply_judgement(known, judgement(verdict, new, standing)) is JudgementOutcome[verdict.name]
    )
    after = [known.get(one.id) for one in (new, standing)]
    assert after[0] is not None
    assert after[1] is not None
    return after[0], after[1]


@pytest.mark.parametrize(
    ("verdict", "content", "confidence"),
    [
        (JudgementVerdict.DUPLICATE, OLD.content, 0.95),
        (JudgementVerdict.REPLACE, NEW.content, 0.5),
        (JudgementVerdict.MERGE, "I drink coffee, in the morning", 0.7),
    ],
)
def test_one_memory_stays_with_the_evidence_of_both(
    verdict: JudgementVerdict, content: str, confidence: float
) -> None:
    stated = OLD.model_copy(
        update={"evidence": (OLD.evidence[0].model_copy(update={"confidence": 0.9}),)}
    )
    new, old = judged(verdict, standing=stated)
    assert (old.content, old.confidence, old.status) == (content, confidence, Status.ACTIVE)
    assert [evidence.quote for evidence in old.evidence] == [OLD.content, NEW.content]
    assert (old.tags, old.importance) == (("a", "b"), max(OLD.importance, NEW.importance))
    assert (new.status, new.status_reason) == (Status.ARCHIVED, ABSORBED_REASON)
    (relation,) = new.relations
    same = verdict is JudgementVerdict.DUPLICATE
    expected = RelationType.SUPPORTS if same else RelationType.REFINES
    assert (relation.type, relation.memory_id) == (expected, OLD.id)
    assert relation.strength == NEW.confidence


def test_what_replaces_brings_its_data_and_what_is_merged_has_those_of_both() -> None:
    assert judged(JudgementVerdict.REPLACE)[1].data == {"cups": 2}
    stands = OLD.model_copy(update={"data": {"sugar": True}})
    assert judged(JudgementVerdict.MERGE, standing=stands)[1].data == {"cups": 2, "sugar": True}


def test_the_older_one_ends_where_the_newer_begins_whichever_came_last() -> None:
    for new, standing in [(NEW, OLD), (OLD, NEW)]:
        judged_new, judged_standing = judged(JudgementVerdict.SUPERSEDE, new, standing)
        by_id = {one.id: one for one in (judged_new, judged_standing)}
        old, late = by_id[OLD.id], by_id[NEW.id]
        assert (old.status, old.valid_until, old.superseded_by) == (
            Status.SUPERSEDED,
            day(5),
            late.id,
        )
        assert (late.status, late.supersedes, late.valid_until) == (Status.ACTIVE, (old.id,), None)


def test_two_that_are_two_stay_as_they_are_and_are_never_asked_about_again() -> None:
    new, old = judged(JudgementVerdict.KEEP_BOTH)
    assert (new, old) == (NEW.model_copy(update={"told_apart": (OLD.id,)}), OLD)
    assert is_possible_duplicate(NEW, OLD)
    assert not is_possible_duplicate(new, old)
    assert not is_possible_duplicate(old, new)


def test_without_a_model_that_could_be_asked_nothing_is_marked() -> None:
    known = Overlay([NEW, OLD])
    outcome = apply_judgement(known, judgement(JudgementVerdict.KEEP_BOTH), is_understood=False)
    assert outcome is JudgementOutcome.KEEP_BOTH
    assert known.take_changes() == ()


@pytest.mark.parametrize(
    "changed",
    [
        {"version": 2},
        {"status": Status.FORGOTTEN},
        {"status": Status.SUPERSEDED},
        {"scope": Scope(user_id="alice", agent_id="coach")},
    ],
)
@pytest.mark.parametrize("verdict", list(JudgementVerdict))
def test_what_has_changed_since_it_was_asked_about_is_left_alone(
    verdict: JudgementVerdict, changed: dict[str, Any]
) -> None:
    for which in (NEW, OLD):
        known = Overlay([one for one in (NEW, OLD) if one is not which])
        known.read([which.model_copy(update=changed)])
        assert apply_judgement(known, judgement(verdict)) is JudgementOutcome.STALE
        assert known.take_changes() == ()
    assert apply_judgement(Overlay([NEW]), judgement(verdict)) is JudgementOutcome.STALE
    assert apply_judgement(Overlay([NEW]), judgement(verdict, NEW, NEW)) is JudgementOutcome.STALE


def test_what_is_pinned_is_not_touched() -> None:
    for which, verdict in product((NEW, OLD), set(JudgementVerdict) - {JudgementVerdict.KEEP_BOTH}):
        pinned = which.model_copy(update={"pinned": True})
        known = Overlay([pinned if one is which else one for one in (NEW, OLD)])
        assert apply_judgement(known, judgement(verdict)) is JudgementOutcome.STALE


def test_a_merge_says_something() -> None:
    with pytest.raises(ValidationError, match="a merge needs its content"):
        DuplicateJudgement(
            verdict=JudgementVerdict.MERGE,
            new=MemoryAtVersion(memory_id="a", version=1),
            standing=MemoryAtVersion(memory_id="b", version=1),
        )


@given(st.sampled_from(list(JudgementVerdict)))
def test_to_be_told_twice_is_to_be_told_once(verdict: JudgementVerdict) -> None:
    known = Overlay([NEW, OLD])
    apply_judgement(known, judgement(verdict))
    first = known.take_changes()
    assert all(change.before is not None for change in first)
    apply_judgement(known, judgement(verdict))
    assert known.take_changes() == ()


@pytest.mark.parametrize(
    ("new", "other", "asked"),
    [
        ({}, {}, True),
        ({"attribute": "likes", "value": "coffee"}, {}, True),
        ({"attribute": "likes", "value": "coffee"}, {"attribute": "likes", "value": "tea"}, False),
        (
            {"attribute": "likes", "value": "black coffee"},
            {"attribute": "喜欢", "value": "coffee"},
            True,
        ),
        ({"attribute": "likes", "value": "x"}, {"attribute": "tools", "value": "x y"}, False),
        ({}, {"kind": Kind.GOAL}, False),
        ({}, {"scope": Scope(user_id="bob")}, False),
        ({}, {"status": Status.SUPERSEDED}, False),
        ({}, {"pinned": True}, False),
        ({}, {"ended": True}, False),
        ({}, {"valid_until": day(50)}, False),
        ({"subject": "Bob"}, {"subject": "Ann"}, False),
        ({"subject": "user"}, {"subject": "我"}, True),
        ({}, {"id": NEW.id}, False),
    ],
)
def test_only_what_keys_do_not_decide_is_asked_about(
    new: dict[str, Any],
    other: dict[str, Any],
    asked: bool,
) -> None:
    one, two = NEW.model_copy(update=new), OLD.model_copy(update=other)
    assert is_possible_duplicate(one, two) is asked
