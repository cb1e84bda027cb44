from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Evidence, Memory, RelationType, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.compression.merge_memories import (
    MERGED,
    MemoryMerge,
    PairCosines,
    find_merges,
    is_mergeable_pair,
)
from tests.support.server.domain.forgetting.standings import days_ago, memory

TEA = "I drink green tea at work"
TEA_TOO = "I drink green tea at the office, at work"


def every_pair(memories: list[Memory], cosine: float = 0.95) -> PairCosines:
    ids = sorted(one.id for one in memories)
    return dict.fromkeys(combinations(ids, 2), cosine)


def said(content: str, **fields: Any) -> Memory:
    evidence = (Evidence(quote=content, message_id=f"m {content}"),)
    return memory(content, kind=Kind.FACT, evidence=evidence, **fields)


def test_the_fullest_stays_with_what_the_others_add() -> None:
    one = said(TEA, importance=0.9, tags=("tea",), recorded_at=days_ago(3))
    other = said(TEA_TOO, importance=0.4, tags=("work",), entities=("office",))
    (merge,) = find_merges([one, other], every_pair([one, other]), threshold=0.9)
    survivor = merge.survivor
    assert (survivor.id, survivor.content) == (other.id, TEA_TOO)
    assert (survivor.importance, survivor.tags) == (0.9, ("tea", "work"))
    assert {evidence.quote for evidence in survivor.evidence} == {TEA, TEA_TOO}
    (relation,) = survivor.relations
    assert (relation.type, relation.memory_id) == (RelationType.DERIVED_FROM, one.id)
    (archived,) = merge.archived
    assert (archived.id, archived.status, archived.status_reason) == (
        one.id,
        Status.ARCHIVED,
        MERGED,
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"scope": Scope(user_id="alice", agent_id="coach")}),
        ({}, {"scope": Scope(user_id="alice", project_id="p")}),
        ({"kind": Kind.FACT}, {"kind": Kind.GOAL}),
        ({}, {"valid_until": days_ago(-1)}),
        ({}, {"told_apart": (said(TEA).id,)}),
        ({"data": {"steps": 1}}, {"data": {"steps": 2}}),
        ({"attribute": "drink", "value": "tea"}, {"attribute": "drink", "value": "coffee"}),
        ({"attribute": "drink", "value": "tea"}, {}),
        ({}, {"status": Status.SUPERSEDED}),
        ({}, {"standalone": True}),
    ],
    ids=str,
)
def test_what_differs_in_more_than_wording_is_not_alike(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert is_mergeable_pair(memory(TEA), memory(TEA_TOO))
    assert not is_mergeable_pair(memory(TEA, **one), memory(TEA_TOO, **other))


def test_below_the_threshold_nothing_is_merged() -> None:
    pair = [said(TEA), said(TEA_TOO)]
    assert find_merges(pair, every_pair(pair, 0.89), threshold=0.9) == []
    assert find_merges(pair, {}, threshold=0.0) == []


def test_what_is_pinned_is_never_archived_and_stays_where_others_go() -> None:
    pinned = said(TEA, pinned=True)
    (merge,) = find_merges(
        [pinned, said(TEA_TOO)], every_pair([pinned, said(TEA_TOO)]), threshold=0.9
    )
    assert merge.survivor.id == pinned.id
    both = [pinned, said(TEA_TOO, pinned=True)]
    assert find_merges(both, every_pair(both), threshold=0.9) == []


def test_likeness_is_not_handed_on() -> None:
    first, second, third = (said(f"{TEA}{' often' * number}") for number in (3, 2, 1))
    near = {tuple(sorted((first.id, second.id))): 0.95, tuple(sorted((second.id, third.id))): 0.95}
    memory_merges = find_merges([first, second, third], near, threshold=0.9)  # type: ignore[arg-type]
    assert [one.id for merge in memory_merges for one in merge.archived] == [second.id]


contents = st.sampled_from(
    [TEA, TEA_TOO, "I drink green tea", "I don't drink tea", "I have 2 cats", "I have 3 cats"]
)


@given(st.lists(st.tuples(contents, st.floats(0, 1), st.booleans()), max_size=8), st.randoms())
def test_merging_is_idempotent_loses_nothing_and_knows_no_order(
    rows: list[tuple[str, float, bool]], random: Any
) -> None:
    memories = [
        said(content, id=f"{number}", importance=importance, pinned=pinned)
        for number, (content, importance, pinned) in enumerate(rows)
    ]
    cosines = every_pair(memories)
    memory_merges = find_merges(memories, cosines, threshold=0.9)
    shuffled = list(memories)
    random.shuffle(shuffled)
    assert find_merges(shuffled, cosines, threshold=0.9) == memory_merges

    after = _applied(memories, memory_merges)
    assert find_merges(after, cosines, threshold=0.9) == []
    active = [one for one in after if one.status is Status.ACTIVE]
    before_quotes = {evidence.quote for one in memories for evidence in one.evidence}
    assert {evidence.quote for one in active for evidence in one.evidence} == before_quotes
    assert max((one.importance for one in active), default=0) == max(
        (one.importance for one in memories), default=0
    )


def _applied(memories: list[Memory], memory_merges: list[MemoryMerge]) -> list[Memory]:
    after = {one.id: one for one in memories}
    for merge in memory_merges:
        after |= {one.id: one for one in merge.memories}
    return list(after.values())
