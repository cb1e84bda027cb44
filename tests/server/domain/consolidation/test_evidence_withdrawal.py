"""What is left of a memory once one of its messages was never to be remembered."""

from typing import Any

import pytest

from palimpsest.model.judgement import DuplicateJudgement, JudgementVerdict
from palimpsest.model.memory import Candidate, Evidence, Memory, MemoryAtVersion, Status, memory_id
from palimpsest.model.turn import Role, turn_id
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
)
from palimpsest_server.domain.consolidation.evidence_withdrawal import (
    memory_without_turns,
    withdraw_evidence,
)
from palimpsest_server.domain.consolidation.model_judgements import apply_judgement
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import about, candidate, day, lives_in


def turn(number: int) -> str:
    return turn_id("alice", "s", f"m{number}")


def known_of(*candidates: Candidate) -> Overlay:
    known = Overlay()
    for one in candidates:
        decide_candidate(known, one, received_at=one.occurred_at, epoch=0)
    known.take_changes()
    return known


def only(known: Overlay, status: Status = Status.ACTIVE) -> Memory:
    (memory,) = [one for one in known.everything() if one.status is status]
    return memory


def quoting(*quotes: str, **fields: Any) -> dict[str, Any]:
    """Evidence of messages m1, m2, … with these words."""
    evidence = tuple(
        Evidence(
            quote=quote, said_by=Role.USER, session_id="s", message_id=f"m{number}", said_at=day(1)
        )
        for number, quote in enumerate(quotes, start=1)
    )
    return {"evidence": evidence, **fields}


def unsay_first(known: Overlay, memory: Memory) -> ConsolidationOutcome:
    return withdraw_evidence(known, memory.id, {turn(1)}, reason="asked")


@pytest.mark.parametrize("words", ["I am having twins", "我怀了双胞胎"])
def test_what_another_message_says_too_rests_on_that_one_alone(words: str) -> None:
    known = known_of(candidate(words, on=1), candidate(words, on=3))
    assert unsay_first(known, only(known)) is ConsolidationOutcome.UNSAID
    alone = only(known_of(candidate(words, on=3)))
    left = only(known)
    assert left.evidence == alone.evidence
    assert (left.content, left.confidence, left.valid_from) == (words, 0.8, day(3))
    assert left.recorded_at == alone.recorded_at


def test_it_says_what_the_other_message_said_in_the_words_of_that_one() -> None:
    home = about("city", "Oslo", on=1, content="Oslo is home")
    twins = "I live in Oslo with my twins"
    known = known_of(home, about("city", "Oslo", on=3, content=twins, entities=("twins",)))
    assert only(known).content == twins
    assert (
        withdraw_evidence(known, only(known).id, {turn(3)}, reason="asked")
        is ConsolidationOutcome.UNSAID
    )
    alone = only(known_of(home))
    assert only(known) == alone.model_copy(update={"version": only(known).version})


@pytest.mark.parametrize(
    ("name", "gone", "left", "both"),
    [
        ("twins", "I have twins", "I have a dog", "The user has twins and a dog"),
        ("双胞胎", "我有一对双胞胎", "我养了一条狗", "用户有一对双胞胎，养了一条狗"),
    ],
)
def test_what_was_merged_says_the_words_that_are_left(
    name: str, gone: str, left: str, both: str
) -> None:
    known = known_of(
        candidate(gone, on=1, tags=(name,), entities=(name,)),
        candidate(left, on=2, tags=("pets",), entities=("Rex",)),
    )
    memory, other = known.everything()
    at = [MemoryAtVersion(memory_id=each.id, version=each.version) for each in (memory, other)]
    apply_judgement(
        known,
        DuplicateJudgement(verdict=JudgementVerdict.MERGE, standing=at[0], new=at[1], content=both),
    )
    merged = only(known)
    assert unsay_first(known, merged) is ConsolidationOutcome.UNSAID
    after = only(known)
    assert (after.content, after.summary) == (left, left)
    assert [piece.quote for piece in after.evidence] == [left]
    assert (after.tags, after.entities) == (("pets",), ("Rex",))


@pytest.mark.parametrize(
    ("content", "first", "second", "stays"),
    [
        ("The user flies to Tucson on Friday", "I'm flying to Tucson", "on Friday", False),
        ("The user flies to Tucson on Friday", "and?", "I fly to Tucson on Friday", True),
        ("用户周五飞丽江", "我要飞丽江", "周五", False),
        ("用户周五飞丽江", "那什么时候", "我周五飞丽江", True),
    ],
)
def test_what_was_said_in_two_messages_together_stays_where_the_other_says_it(
    content: str, first: str, second: str, stays: bool
) -> None:
    known = known_of(candidate(content, on=1, **quoting(first, second)))
    outcome = unsay_first(known, only(known))
    assert outcome is (ConsolidationOutcome.UNSAID if stays else ConsolidationOutcome.FORGOTTEN)
    left = only(known, Status.ACTIVE if stays else Status.FORGOTTEN)
    assert not stays or [piece.quote for piece in left.evidence] == [second]


def test_what_held_before_holds_until_the_message_that_is_left() -> None:
    said = [lives_in("Bergen", on=0), lives_in("Oslo", on=1), lives_in("Oslo", on=5)]
    known = known_of(*said)
    assert only(known, Status.SUPERSEDED).valid_until == day(1)
    unsay_first(known, only(known))
    without = known_of(said[0], said[2])
    for status in (Status.ACTIVE, Status.SUPERSEDED):
        left, same = only(known, status), only(without, status)
        assert (left.content, left.valid_from) == (same.content, same.valid_from)
        assert (left.valid_until, left.evidence) == (same.valid_until, same.evidence)
    assert only(known).supersedes == (only(known, Status.SUPERSEDED).id,)


def test_what_only_the_withheld_words_had_ended_holds_on() -> None:
    switched = about("tools", "emacs", on=1, data={"replaces": "vim"})
    known = known_of(about("tools", "vim", on=0), switched, about("tools", "emacs", on=2))
    emacs = memory_id("alice", switched.id)
    assert withdraw_evidence(known, emacs, {turn(1)}, reason="asked") is ConsolidationOutcome.UNSAID
    assert {memory.value: memory.status for memory in known.everything()} == {
        "vim": Status.ACTIVE,
        "emacs": Status.ACTIVE,
    }


def test_what_somebody_wrote_by_hand_stays() -> None:
    known = known_of(candidate("I am having twins", on=1))
    memory = only(known)
    by_hand = Evidence(quote="I am having twins", origin="command", valid_from=day(2))
    both = memory.model_copy(update={"evidence": (*memory.evidence, by_hand)})
    left = memory_without_turns(both, {turn(1)})
    assert left is not None
    assert [piece.origin for piece in left.evidence] == ["command"]


def test_what_rests_on_other_messages_is_as_it_was() -> None:
    known = known_of(candidate("I like tea", on=2))
    assert unsay_first(known, only(known)) is ConsolidationOutcome.DUPLICATE
    assert known.take_changes() == ()
