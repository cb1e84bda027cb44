from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.model.memory import Candidate, Memory, Status, memory_id
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
    forget_memory,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import ALLOWED_TRANSITIONS
from tests.support.extent import EVERY
from tests.support.server.domain.consolidation.samples import candidate, day, lives_in


def take_in(known: Overlay, *candidates: Candidate) -> list[ConsolidationOutcome]:
    return [
        decide_candidate(known, one, received_at=one.occurred_at, epoch=0) for one in candidates
    ]


def line(known: Overlay, candidates: Sequence[Candidate]) -> list[Memory]:
    ids = {change.after.id for change in known.take_changes()}
    assert len(ids) >= len({one.value for one in candidates})
    memories = [memory for memory in map(known.get, ids) if memory is not None]
    return sorted(memories, key=lambda memory: (memory.valid_from, memory.recorded_at))


def described(memories: Sequence[Memory]) -> list[object]:
    values = {memory.id: memory.value for memory in memories}
    return [
        (
            memory.value,
            memory.valid_from,
            memory.valid_until,
            memory.status,
            memory.status_reason,
            memory.confidence,
            memory.evidence,
            [values[superseded] for superseded in memory.supersedes],
            memory.superseded_by and values[memory.superseded_by],
        )
        for memory in memories
    ]


def test_another_value_closes_the_one_before_and_both_stay_legible() -> None:
    known = Overlay()
    paris, berlin = lives_in("Paris", on=1), lives_in("Berlin", on=5)
    assert take_in(known, paris, berlin) == [
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.SUPERSEDED,
    ]
    old, new = line(known, [paris, berlin])
    assert (old.status, old.valid_until, old.superseded_by) == (Status.SUPERSEDED, day(5), new.id)
    assert (new.status, new.valid_until, new.supersedes) == (Status.ACTIVE, None, (old.id,))
    assert old.valid_at(day(4))
    assert not old.valid_at(day(5))
    assert new.valid_at(day(5))


def test_an_older_statement_that_comes_late_is_stored_as_past() -> None:
    known = Overlay()
    assert take_in(known, lives_in("Berlin", on=5), lives_in("Paris", on=1)) == [
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.ADDED_AS_PAST,
    ]
    past, present = line(known, [lives_in("Paris", on=1)])
    assert (past.value, past.status, past.valid_until) == ("Paris", Status.SUPERSEDED, day(5))
    assert (present.value, present.status, present.supersedes) == (
        "Berlin",
        Status.ACTIVE,
        (past.id,),
    )


def test_a_late_statement_splits_what_had_seemed_to_go_on() -> None:
    known = Overlay()
    take_in(known, lives_in("Paris", on=1), lives_in("Paris", on=9), lives_in("Berlin", on=5))
    memories = line(known, [])
    assert [(memory.value, memory.valid_from, memory.valid_until) for memory in memories] == [
        ("Paris", day(1), day(5)),
        ("Berlin", day(5), day(9)),
        ("Paris", day(9), None),
    ]
    assert len({memory.id for memory in memories}) == 3


def test_the_same_value_again_adds_evidence_and_confidence_but_no_memory() -> None:
    known = Overlay()
    outcomes = take_in(known, lives_in("Paris", on=1), lives_in("paris ", on=3))
    assert outcomes == [ConsolidationOutcome.ADDED, ConsolidationOutcome.REINFORCED]
    (paris,) = line(known, [])
    assert [evidence.message_id for evidence in paris.evidence] == ["m1", "m3"]
    assert paris.confidence == 0.96
    assert paris.valid_from == day(1)


def test_of_two_values_of_one_moment_the_one_proposed_later_stands() -> None:
    for first, second in [("Paris", "Berlin"), ("Berlin", "Paris")]:
        known = Overlay()
        for position, city in enumerate([first, second]):
            decide_candidate(
                known, lives_in(city, on=1), received_at=day(1), epoch=0, position=position
            )
        memories = {memory.value: memory for memory in line(known, [])}
        assert memories[first].valid_until == memories[first].valid_from == day(1)
        assert memories[first].superseded_by == memories[second].id
        assert memories[second].status is Status.ACTIVE


def test_what_was_stated_with_an_end_contradicts_nothing() -> None:
    known = Overlay()
    visit = lives_in("Rome", on=3, valid_until=day(4))
    assert take_in(known, lives_in("Paris", on=1), visit) == [
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.ADDED,
    ]
    assert {memory.status for memory in line(known, [])} == {Status.ACTIVE}


def test_other_subjects_scopes_and_attributes_have_lines_of_their_own() -> None:
    known = Overlay()
    bobs = lives_in("Rome", on=2).model_copy(update={"id": "b", "subject": "Bob"})
    agents = lives_in("Oslo", on=3)
    agents = agents.model_copy(
        update={"id": "a", "scope": agents.scope.model_copy(update={"agent_id": "coach"})}
    )
    assert set(take_in(known, lives_in("Paris", on=1), bobs, agents)) == {
        ConsolidationOutcome.ADDED
    }


def test_several_values_of_other_attributes_stand_beside_each_other() -> None:
    known = Overlay()
    tea = candidate("I like tea", on=1, attribute="likes", value="tea")
    coffee = candidate("I like coffee", on=2, attribute="likes", value="coffee")
    again = candidate("Tea is what I like", on=3, attribute="likes", value="Tea")
    assert take_in(known, tea, coffee, again) == [
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.REPLACED,
    ]


def test_a_forgotten_value_neither_returns_nor_hides_a_new_one() -> None:
    known = Overlay()
    berlin = lives_in("Berlin", on=5)
    take_in(known, lives_in("Paris", on=1), berlin)
    assert (
        forget_memory(known, memory_id("alice", berlin.id), reason="asked")
        is ConsolidationOutcome.FORGOTTEN
    )
    known.take_changes()
    assert take_in(known, lives_in("Paris", on=9)) == [ConsolidationOutcome.ADDED]
    (paris,) = line(known, [])
    assert (paris.valid_from, paris.status) == (day(9), Status.ACTIVE)


statements = st.lists(
    st.tuples(st.sampled_from(["Paris", "Berlin", "Rome"]), st.integers(0, 12)),
    min_size=1,
    max_size=9,
    unique_by=lambda one: one[1],
)


@settings(max_examples=200 // EVERY)
@given(statements.flatmap(lambda said: st.tuples(st.just(said), st.permutations(said))))
def test_any_order_of_arrival_ends_in_the_same_state(
    orders: tuple[list[tuple[str, int]], list[tuple[str, int]]],
) -> None:
    ends = []
    for order in (sorted(orders[0], key=lambda one: one[1]), orders[1]):
        known = Overlay()
        candidates = [lives_in(city, on=on) for city, on in order]
        take_in(known, *candidates)
        ends.append(described(line(known, candidates)))
    assert ends[0] == ends[1]


@settings(max_examples=100 // EVERY)
@given(statements)
def test_the_line_is_without_gaps_moves_only_as_allowed_and_redelivery_changes_nothing(
    said: list[tuple[str, int]],
) -> None:
    known = Overlay()
    candidates = [lives_in(city, on=on) for city, on in said]
    memories: dict[str, Memory] = {}
    for one in candidates:
        decide_candidate(known, one, received_at=one.occurred_at, epoch=0)
        for change in known.take_changes():
            if change.before is not None:
                assert change.after.version == change.before.version + 1
                assert change.before == memories[change.after.id]
                moved = change.before.status is not change.after.status
                assert not moved or change.after.status in ALLOWED_TRANSITIONS[change.before.status]
            memories[change.after.id] = change.after
    for one in candidates:
        assert (
            decide_candidate(known, one, received_at=one.occurred_at, epoch=0)
            is ConsolidationOutcome.DUPLICATE
        )
    assert known.take_changes() == ()
    ordered = sorted(memories.values(), key=lambda memory: memory.valid_from)
    assert [memory.valid_until for memory in ordered[:-1]] == [
        memory.valid_from for memory in ordered[1:]
    ]
    assert [memory.status for memory in ordered].count(Status.ACTIVE) == 1
    assert ordered[-1].valid_until is None
