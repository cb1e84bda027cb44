from datetime import datetime
from itertools import permutations
from typing import Any

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory, Status, memory_id
from palimpsest.model.scope import Scope
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
    forget_memory,
)
from palimpsest_server.domain.consolidation.evidence import MAXIMUM_EVIDENCE
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import (
    ALLOWED_TRANSITIONS,
    change_status,
)
from tests.support.server.domain.consolidation.samples import candidate, day, lives_in


def take_in(
    known: Overlay, *candidates: Candidate, received_at: datetime | None = None
) -> list[ConsolidationOutcome]:
    return [
        decide_candidate(known, one, received_at=received_at or one.occurred_at, epoch=3)
        for one in candidates
    ]


def memories(known: Overlay) -> list[Memory]:
    return [change.after for change in known.take_changes()]


def test_what_is_new_becomes_a_memory_of_its_epoch_that_was_recorded_when_it_came() -> None:
    known = Overlay()
    said = candidate("I play the cello", on=2, tags=("music",), data={"since": 2020})
    assert take_in(known, said, received_at=day(7)) == [ConsolidationOutcome.ADDED]
    (memory,) = memories(known)
    assert memory.id == memory_id("alice", said.id)
    assert (memory.status, memory.version, memory.epoch) == (Status.ACTIVE, 1, 3)
    assert (memory.occurred_at, memory.recorded_at) == (day(2), day(7))
    assert (memory.tags, memory.data) == (("music",), {"since": 2020})


def test_the_same_statement_again_adds_its_evidence() -> None:
    known = Overlay()
    first = candidate("I like to drink coffee", on=4, tags=("a",), importance=0.5)
    again = candidate("I like drinking coffee!", on=1, tags=("b",), importance=0.9)
    assert take_in(known, first, again) == [
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.REINFORCED,
    ]
    (memory,) = memories(known)
    assert [evidence.message_id for evidence in memory.evidence] == ["m1", "m4"]
    assert (memory.confidence, memory.importance, memory.tags) == (0.96, 0.9, ("a", "b"))
    assert (memory.valid_from, memory.recorded_at) == (day(1), day(1))


def test_the_same_evidence_again_changes_nothing() -> None:
    known = Overlay()
    said = candidate("I like tea", on=1)
    elsewhere = candidate("I like tea", on=1, id="another window")
    assert take_in(known, said, elsewhere) == [
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.DUPLICATE,
    ]
    assert len(memories(known)) == 1


def test_confidence_rises_towards_one_and_evidence_stays_within_bounds() -> None:
    known = Overlay()
    confidences = []
    for number in range(60):
        take_in(known, candidate("I like tea", on=number, confidence=0.3))
        (memory,) = memories(known)
        confidences.append(memory.confidence)
    assert confidences == sorted(confidences)
    assert confidences[0] == 0.3
    assert 0.99 < confidences[-1] <= 1.0
    assert len(memory.evidence) == MAXIMUM_EVIDENCE
    assert (memory.evidence[0].message_id, memory.evidence[-1].message_id) == ("m0", "m59")


def test_quotes_of_one_statement_count_once() -> None:
    said = candidate("I like tea", on=1)
    twice = said.model_copy(
        update={"evidence": (*said.evidence, said.evidence[0].model_copy(update={"quote": "tea"}))}
    )
    known = Overlay()
    take_in(known, twice)
    (memory,) = memories(known)
    assert (len(memory.evidence), memory.confidence) == (2, 0.8)


@pytest.mark.parametrize(
    "other",
    [
        candidate("I have 3 cats", on=2),
        candidate("I have no 2 cats", on=2),
        candidate("I have 2 cats", on=2, kind=Kind.GOAL),
        candidate("I have 2 cats", on=2, scope=Scope(user_id="bob")),
        candidate("I have 2 cats", on=2, scope=Scope(user_id="alice", agent_id="coach")),
        candidate("I have 2 cats", on=2, scope=Scope(user_id="alice", project_id="p")),
        candidate("I have 2 cats", on=2, valid_until=day(9)),
    ],
)
def test_another_statement_kind_scope_or_end_is_another_memory(other: Candidate) -> None:
    known = Overlay()
    assert (
        take_in(known, candidate("I have 2 cats", on=1), other) == [ConsolidationOutcome.ADDED] * 2
    )


def test_nothing_is_kept_for_which_nothing_was_quoted() -> None:
    known = Overlay()
    bare = candidate("I like tea").model_copy(update={"evidence": ()})
    assert take_in(known, bare) == [ConsolidationOutcome.NO_EVIDENCE]
    assert memories(known) == []


def test_what_was_forgotten_and_is_stated_anew_is_a_new_memory() -> None:
    known = Overlay()
    said = candidate("I like tea", on=1)
    take_in(known, said)
    assert (
        forget_memory(known, memory_id("alice", said.id), reason="asked")
        is ConsolidationOutcome.FORGOTTEN
    )
    assert take_in(known, candidate("I like tea", on=5)) == [ConsolidationOutcome.ADDED]


def test_words_alone_are_known_as_those_of_a_value() -> None:
    known = Overlay()
    berlin = lives_in("Berlin", on=5)
    plain = candidate("I live in Berlin", on=7)
    earlier = candidate("I live in Berlin", on=3)
    assert take_in(known, lives_in("Paris", on=1), berlin, plain, earlier) == [
        ConsolidationOutcome.ADDED,
        ConsolidationOutcome.SUPERSEDED,
        ConsolidationOutcome.REINFORCED,
        ConsolidationOutcome.REINFORCED,
    ]
    paris, now = memories(known)
    assert (paris.valid_until, now.valid_from, len(now.evidence)) == (day(5), day(5), 3)
    assert take_in(known, lives_in("Oslo", on=6)) == [ConsolidationOutcome.ADDED_AS_PAST]


@pytest.mark.parametrize("attribute", ["city", "favourite place"])
def test_words_that_were_known_learn_what_they_are_about(attribute: str) -> None:
    for order in permutations([1, 2, 3]):
        known = Overlay()
        about: dict[str, Any] = {"attribute": attribute, "value": "Rome"}
        said = [
            candidate("I live in Rome", on=1),
            candidate("I live in Rome", on=2, **about),
            candidate("I live in Rome", on=3),
        ]
        take_in(known, *(said[number - 1] for number in order))
        (memory,) = memories(known)
        assert (memory.attribute, memory.value) == (attribute, "Rome")
        assert memory.status is Status.ACTIVE
        assert len(memory.evidence) == 3


def test_known_words_that_learn_what_they_are_about_give_way_to_a_newer_value() -> None:
    known = Overlay()
    take_in(known, lives_in("Oslo", on=9), candidate("I live in Rome", on=1))
    assert take_in(known, lives_in("Rome", on=2)) == [ConsolidationOutcome.REINFORCED]
    by_value = {memory.value: memory for memory in memories(known)}
    assert (by_value["Rome"].status, by_value["Rome"].valid_until) == (Status.SUPERSEDED, day(9))
    assert by_value["Rome"].valid_from == day(1)


def test_forgetting_keeps_to_the_allowed_moves() -> None:
    said = candidate("I like tea")
    for status in Status:
        known = Overlay()
        take_in(known, said)
        (memory,) = memories(known)
        known.read([memory.model_copy(update={"status": status})])
        outcome = forget_memory(known, memory.id, reason="asked")
        allowed = Status.FORGOTTEN in ALLOWED_TRANSITIONS[status]
        assert outcome is (
            ConsolidationOutcome.FORGOTTEN if allowed else ConsolidationOutcome.NOT_ALLOWED
        )
        assert len(memories(known)) == allowed
    assert forget_memory(Overlay(), "unknown", reason="asked") is ConsolidationOutcome.UNKNOWN


def test_a_move_that_is_not_in_the_table_is_an_error() -> None:
    known = Overlay()
    take_in(known, candidate("I like tea"))
    (memory,) = memories(known)
    with pytest.raises(ValueError, match="rejected cannot become forgotten"):
        change_status(
            change_status(memory, Status.REJECTED, reason="no"), Status.FORGOTTEN, reason="asked"
        )


def test_a_change_that_comes_to_nothing_is_no_change() -> None:
    known = Overlay()
    take_in(known, candidate("I like tea"))
    (memory,) = memories(known)
    known.put(memory.model_copy(update={"importance": 0.1}))
    known.put(memory)
    assert known.take_changes() == ()


def standalone(content: str, *, on: int, key: str, **fields: Any) -> Candidate:
    return candidate(content, on=on, id=f"record {key}", standalone=True, **fields)


def test_a_memory_that_stands_alone_is_neither_united_nor_superseded_nor_does_it_either() -> None:
    known = Overlay()
    home = {"subject": "user", "attribute": "city"}
    outcomes = take_in(
        known,
        standalone("I live in Rome", on=1, key="a", value="Rome", **home),
        standalone("I live in Rome", on=2, key="b", value="Rome", **home),
        lives_in("Oslo", on=3),
        standalone("I live in Rome", on=4, key="c", value="Rome", **home),
        candidate("I live in Rome", on=5, id="plain", kind=Kind.EVENT),
    )
    assert outcomes == [ConsolidationOutcome.ADDED] * 5
    kept = memories(known)
    assert len(kept) == 5
    assert {memory.status for memory in kept} == {Status.ACTIVE}
    assert not any(memory.supersedes or memory.relations for memory in kept)
    assert [len(memory.evidence) for memory in kept] == [1] * 5


def test_the_same_key_again_rewrites_the_memory_and_the_same_words_change_nothing() -> None:
    known = Overlay()
    first = standalone("The list: milk", on=1, key="list", tags=("shop",), data={"items": 1})
    (memory,) = (take_in(known, first), memories(known))[1]
    known.put(memory.model_copy(update={"pinned": True}))
    known.take_changes()
    assert take_in(known, first) == [ConsolidationOutcome.DUPLICATE]
    again = standalone("The list: bread", on=2, key="list", data={"items": 2})
    assert take_in(known, again) == [ConsolidationOutcome.REPLACED]
    (rewritten,) = memories(known)
    assert (rewritten.id, rewritten.version, rewritten.pinned) == (memory.id, 3, True)
    assert (rewritten.content, rewritten.tags, rewritten.data) == (
        "The list: bread",
        (),
        {"items": 2},
    )
    assert (rewritten.recorded_at, rewritten.occurred_at) == (day(1), day(2))
    known.put(change_status(rewritten, Status.FORGOTTEN, reason="no longer needed"))
    known.take_changes()
    assert take_in(known, again) == [ConsolidationOutcome.REPLACED]
    (restored,) = memories(known)
    assert (restored.status, restored.status_reason, restored.version) == (Status.ACTIVE, None, 5)
