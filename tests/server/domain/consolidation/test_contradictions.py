"""What can't both be so, and where neither takes the other's place: each says so of the other."""

from datetime import timedelta
from typing import Any

import pytest

from palimpsest.model.change_set import Cause, ChangeSet
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory, Relation, RelationType, Status
from palimpsest.model.turn import Role
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.change_set_undo import undo_memory_changes
from palimpsest_server.domain.consolidation.contradictions import (
    MAXIMUM_CONTRADICTIONS,
    find_unrelated_contradictions,
    relate_pair,
)
from palimpsest_server.domain.consolidation.memory_keys import (
    lookup_keys,
    stance_keys,
    stored_keys,
)
from palimpsest_server.domain.consolidation.memory_lookup import MemoryLookup
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import ALICE, about, candidate, day


def taken_in(*said: Candidate) -> list[Memory]:
    known = Overlay()
    for one in said:
        decide_candidate(known, one, received_at=one.occurred_at, epoch=0)
    return sorted(
        (change.after for change in known.take_changes()), key=lambda memory: memory.valid_from
    )


def against_each_other(memories: list[Memory]) -> bool:
    named = {
        memory.id: {contradicted.memory_id for contradicted in _contradicts(memory)}
        for memory in memories
    }
    return all(
        named[memory.id] == {memory.id for memory in memories} - {memory.id} for memory in memories
    )


def _contradicts(memory: Memory) -> list[Relation]:
    return [relation for relation in memory.relations if relation.type is RelationType.CONTRADICTS]


def at(content: str, date: str, *, on: int, **fields: Any) -> Candidate:
    """Said then, of something on that day."""
    time = {
        "starts_at": f"{date}T00:00:00+00:00",
        "ends_at": f"{date}T23:59:00+00:00",
        "all_day": True,
    }
    return candidate(content, on=on, kind=Kind.EVENT, data={"time": time}, **fields)


LIKING = about("likes", "coffee", on=1, kind=Kind.PREFERENCE)

PAIRS = [
    (
        candidate("The meeting with Bob is on Monday"),
        candidate("The meeting with Bob is on Thursday", on=2),
    ),
    (candidate("和 Bob 的会议在周一"), candidate("和Bob的会议在周四", on=2)),
    (candidate("The budget is 5000 dollars"), candidate("The budget is 8000 dollars", on=2)),
    (candidate("预算是五万"), candidate("预算是八万", on=2)),
    (about("release_date", "May 3", on=1), about("release_date", "May 10", on=2)),
    (about("发布日期", "5月3日", on=1), about("发布日期", "5月10日", on=2)),
    (about("会议地点", "三楼", on=1), about("会议地点", "五楼", on=2)),
    (candidate("The user wants children"), candidate("The user doesn't want children", on=2)),
    (candidate("用户不想要孩子"), candidate("用户想要孩子", on=2)),
    (LIKING, candidate("The user doesn't drink coffee", on=2, kind=Kind.PREFERENCE)),
    (
        about("likes", "吃辣", on=1, kind=Kind.PREFERENCE),
        candidate("用户不吃辣", on=2, kind=Kind.PREFERENCE),
    ),
    *(
        (candidate(one, kind=Kind.PREFERENCE), candidate(other, on=2, kind=kind))
        for kind in (Kind.PREFERENCE, Kind.FACT)
        for one, other in (
            ("用户喜欢喝咖啡", "用户讨厌喝咖啡"),
            ("用户喜欢吃牛排", "用户是素食者"),
            ("用户喜欢吃辣", "用户不能吃辣"),
            ("用户每周去健身房三次", "用户从来不去健身房"),
            ("用户最爱喝啤酒", "用户不喝酒"),
            ("用户经常吃海鲜", "用户不能吃海鲜"),
            ("The user loves coffee", "No coffee any more for the user"),
            ("The user enjoys steak", "The user is a vegetarian"),
            ("The user goes to the gym three times a week", "The user never goes to the gym"),
            ("The user likes drinking wine", "The user doesn't drink alcohol"),
            ("The user drinks coffee every morning", "The user can't stand coffee"),
            ("The user loves cheese", "The user avoids dairy"),
        )
    ),
    (LIKING, candidate("No coffee any more for the user", on=2, kind=Kind.PREFERENCE)),
    (
        about("avoids", "肉", on=1, kind=Kind.PREFERENCE),
        about("likes", "吃牛排", on=2, kind=Kind.PREFERENCE),
    ),
    (
        about("diet", "vegetarian", on=1),
        about("likes", "steak", on=2, kind=Kind.PREFERENCE),
    ),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_that_cannot_both_be_so_are_said_to_contradict(
    one: Candidate, other: Candidate
) -> None:
    memories = taken_in(one, other)
    assert {memory.status for memory in memories} == {Status.ACTIVE}
    assert len(memories) == 2
    assert against_each_other(memories)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            candidate("The meeting with Bob is on Monday"),
            candidate("The meeting with Ann is on Thursday", on=2),
        ),
        (
            candidate("The meeting with Bob is on Monday"),
            candidate("The meeting with Bob is at 5pm", on=2),
        ),
        (
            candidate("The user went to the gym on Monday"),
            candidate("The user went to the gym on Thursday", on=2),
        ),
        (about("likes", "tea", on=1), about("likes", "coffee", on=2)),
        (LIKING, candidate("The user doesn't drink tea", on=2, kind=Kind.PREFERENCE)),
        (candidate("用户喜欢吃肉"), candidate("用户不吃牛肉", on=2)),
        (candidate("用户喜欢喝茶"), candidate("用户讨厌喝咖啡", on=2)),
        (candidate("用户喜欢喝咖啡"), candidate("用户的妻子讨厌喝咖啡", on=2)),
        (candidate("用户喜欢吃辣"), candidate("用户今天没吃辣", on=2)),
        (candidate("The user loves meat"), candidate("The user doesn't eat pork", on=2)),
        (candidate("The user likes coffee"), candidate("The user's boss hates coffee", on=2)),
        (candidate("The user loves steak"), candidate("Anna is a vegetarian", on=2)),
        (about("pets", "cat", on=1), about("pets", "dog", on=2)),
        (
            about("release_date", "May 3", on=1, subject="A"),
            about("release_date", "May 10", on=2, subject="B"),
        ),
        (
            candidate("The user slept well", kind=Kind.EVENT),
            candidate("The user never slept well", on=2, kind=Kind.EVENT),
        ),
        (
            candidate("The budget is 5000 dollars"),
            candidate("The budget is 8000 dollars", on=2, said_by=Role.AGENT),
        ),
    ],
)
def test_what_can_both_be_so_is_not(one: Candidate, other: Candidate) -> None:
    assert not any(memory.relations for memory in taken_in(one, other))


def test_a_meeting_that_was_over_by_then_is_another_one() -> None:
    first = at("The meeting with Bob is on Monday", "2025-01-03", on=1)
    again = at("The meeting with Bob is on Monday", "2025-01-10", on=8)
    moved = at("The meeting with Bob is on Thursday", "2025-01-09", on=2)
    assert not any(
        memory.relations
        for memory in taken_in(first, at("The meeting with Bob is on Friday", "2025-01-10", on=8))
    )
    assert against_each_other(taken_in(first, moved))
    assert again.valid_from - first.valid_from == timedelta(days=7)


def test_three_that_differ_contradict_each_other_in_whatever_order_they_came() -> None:
    said = [about("release_date", f"May {one}", on=one) for one in (1, 2, 3)]
    memories = taken_in(*said)
    assert against_each_other(memories)
    assert [memory.relations for memory in taken_in(*reversed(said))] == [
        memory.relations for memory in memories
    ]


def test_both_are_changed_by_the_change_set_and_are_as_before_when_it_is_undone() -> None:
    known = Overlay()
    standing, new = about("release_date", "May 3", on=1), about("release_date", "May 10", on=2)
    decide_candidate(known, standing, received_at=day(1), epoch=0)
    known.take_changes()
    decide_candidate(known, new, received_at=day(2), epoch=0)
    changes = known.take_changes()
    assert sorted(change.after.version for change in changes) == [1, 2]
    change_set = ChangeSet(
        id="c",
        user_id="alice",
        revision=1,
        epoch=0,
        cause=Cause(
            event_id="e", type="CandidatesProposed", occurred_at=day(2), received_at=day(2)
        ),
        actor="extractor",
        reason="added",
        decided_at=day(2),
        changes=changes,
    )
    present = {change.after.id: change.after for change in changes}
    undone = {
        memory_change.value: memory_change
        for memory_change in undo_memory_changes(change_set, present)
    }
    assert undone["May 3"].relations == ()
    assert undone["May 10"].status is Status.FORGOTTEN


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_what_is_read_beforehand_holds_what_speaks_against_it(
    one: Candidate, other: Candidate
) -> None:
    (standing,) = taken_in(one)
    nearby = MemoryLookup()
    nearby.want(other, whole=False)
    wanted = {
        key
        for each in (nearby.contents, nearby.attributes)
        for key in each.get(ALICE.namespace, ())
    }
    wanted |= nearby.values().get(ALICE.namespace, set())
    assert not wanted.isdisjoint({*lookup_keys(standing), *stored_keys(standing)})


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_what_stands_already_is_found_among_all(one: Candidate, other: Candidate) -> None:
    memories = [
        memory.model_copy(update={"relations": ()})
        for memory in taken_in(one, other)
        if stance_keys(memory)
    ]
    for memory, against in find_unrelated_contradictions(memories):
        related = list(relate_pair(memory, against))
        assert against_each_other(related)
        assert find_unrelated_contradictions(related) == []


def test_by_hand_and_said_speak_against_each_other() -> None:
    said, written = taken_in(
        candidate("用户喜欢喝咖啡", kind=Kind.PREFERENCE),
        candidate("用户讨厌喝咖啡", on=2, kind=Kind.PREFERENCE, said_by=None),
    )
    assert against_each_other([said, written])
    alone = [memory.model_copy(update={"relations": ()}) for memory in (said, written)]
    assert len(find_unrelated_contradictions(alone)) == 1


def test_a_statement_names_a_bounded_number_that_speak_against_it() -> None:
    said = [candidate(f"The budget is {5000 + each} dollars", on=1) for each in range(60)]
    named = [len(_contradicts(memory)) for memory in taken_in(*said)]
    assert len(named) == 60
    assert max(named) == MAXIMUM_CONTRADICTIONS
    assert min(named) > 0
