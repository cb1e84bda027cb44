"""Whatever order statements arrive in, what is known in the end is the same."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Evidence, Memory, Status
from palimpsest.model.turn import Role
from palimpsest_language.attributes.attribute_names import is_single_valued
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    decide_candidate,
)
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import ALLOWED_TRANSITIONS
from palimpsest_server.domain.consolidation.supersession import JOINED_REASON
from tests.support.extent import EVERY
from tests.support.server.domain.consolidation.samples import candidate, day


# Drawing from many hashes each of them, again and again: by identity that takes no time.
@dataclass(frozen=True, eq=False)
class Said:
    """One statement of a history, with when it was received and its place among its like."""

    candidate: Candidate
    received: int
    position: int

    def __repr__(self) -> str:
        one = self.candidate
        origin = one.evidence[0]
        return (
            f"Said({one.attribute}{'≠' if one.ended else '='}{one.value!r} on {one.valid_from:%d}"
            f" since {one.occurred_at:%y-%m-%d} said {origin.said_at}"
            f" received {self.received} at {self.position} by {origin.origin} {origin.message_id},"
            f" {one.content!r} {one.kind} {one.data} {one.importance} {one.confidence} {one.tags})"
        )


ATTRIBUTES = ["city", "城市", "likes", "dislikes", "tools", "preferred_framework", "框架"]
VALUES = ["Vue", "vue ", "React", "Paris"]
WORDS = ["{value} it is", "about {value}", "{value}"]


def statements(count: int) -> list[Said]:
    """So many different ones, each of a message of its own."""
    chance = random.Random(20261122)
    return [statement(f"m{number}", chance) for number in range(count)]


def statement(message: str, chance: random.Random) -> Said:
    value = chance.choice(VALUES)
    replaced = chance.choice([None, None, None, "Vue", "React"])
    on = chance.randrange(5)
    told_later = chance.choice([0, 0, 0, 1, 2, 4])
    began_before = chance.choice([0, 0, 0, 200])
    data: dict[str, Any] = {} if replaced is None else {"replaces": replaced}
    quoted = Evidence(
        quote=message,
        said_by=Role.USER,
        session_id="s",
        message_id=message,
        origin=chance.choice(["message", "message", "command"]),
        said_at=day(on + told_later),
    )
    one = candidate(
        chance.choice(WORDS).format(value=value),
        on=on,
        occurred_at=day(on - began_before),
        attribute=chance.choice(ATTRIBUTES),
        value=value,
        ended=chance.random() < 0.2,
        kind=chance.choice([Kind.FACT, Kind.PREFERENCE]),
        importance=chance.choice([0.4, 0.8]),
        confidence=chance.choice([0.5, 0.9]),
        tags=chance.choice([(), ("a",), ("b", "a")]),
        data=data | chance.choice([{}, {}, {"steps": 1}, {"steps": 2}]),
        evidence=(quoted,),
    )
    return Said(one, received=chance.randrange(5), position=chance.randrange(2))


def sent(said: Said) -> Said:
    """Under an id of its own."""
    identity = derive_id("tested", repr((said.candidate, said.received, said.position)))
    return replace(said, candidate=said.candidate.model_copy(update={"id": identity}))


STATEMENTS = statements(500)


@st.composite
def drawn_histories(draw: st.DrawFn) -> list[Said]:
    """Some statements, and some of them once more: redelivered, or read in another window."""
    fresh = draw(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=6, unique_by=id))
    again = draw(st.lists(st.tuples(st.sampled_from(fresh), st.integers(0, 4)), max_size=3))
    repeated = [replace(one, received=received) for one, received in again]
    return [sent(said) for said in (*fresh, *repeated)]


histories = drawn_histories()


def ended(history: Sequence[Said]) -> dict[str, Memory]:
    """What is known after it, without what became part of another memory."""
    known = Overlay()
    memories: dict[str, Memory] = {}
    for said in history:
        take_in(known, said)
        memories |= {change.after.id: change.after for change in known.take_changes()}
    return {
        memory.id: memory for memory in memories.values() if memory.status_reason != JOINED_REASON
    }


def take_in(known: Overlay, said: Said) -> ConsolidationOutcome:
    return decide_candidate(
        known, said.candidate, received_at=day(said.received), epoch=0, position=said.position
    )


def described(memories: dict[str, Memory]) -> list[str]:
    """All that is known, but ids and how often it changed; what it names by id is named by what it is."""
    names = {memory.id: repr((named(memory), memory.valid_from)) for memory in memories.values()}
    return sorted(json.dumps(_plain(memory, names), sort_keys=True) for memory in memories.values())


def _plain(memory: Memory, names: dict[str, str]) -> dict[str, Any]:
    unnamed = {"id", "version", "attribute"}
    return memory.model_dump(mode="json", exclude=unnamed) | {
        "supersedes": sorted(names[superseded] for superseded in memory.supersedes),
        "superseded_by": memory.superseded_by and names[memory.superseded_by],
    }


def named(memory: Memory) -> tuple[object, ...]:
    return (memory.value, memory.ended, memory.kind)


@settings(max_examples=400 // EVERY)
@given(histories.flatmap(lambda said: st.tuples(st.just(said), st.permutations(said))))
def test_any_order_of_arrival_ends_in_the_same_state(
    orders: tuple[list[Said], list[Said]],
) -> None:
    one, other = (described(ended(order)) for order in orders)
    assert one == other


@settings(max_examples=150 // EVERY)
@given(histories)
def test_redelivery_changes_nothing_and_moves_are_allowed(history: list[Said]) -> None:
    known = Overlay()
    for said in history:
        take_in(known, said)
        for change in known.take_changes():
            before = change.before
            assert (
                before is None
                or before.status is change.after.status
                or (change.after.status in ALLOWED_TRANSITIONS[before.status])
            )
    for said in history:
        assert take_in(known, said) is ConsolidationOutcome.DUPLICATE
    assert known.take_changes() == ()


@settings(max_examples=150 // EVERY)
@given(histories)
def test_of_one_value_at_a_time_never_two_hold_and_links_lead_both_ways(
    history: list[Said],
) -> None:
    memories = ended(history)
    for one in memories.values():
        assert (one.status is Status.SUPERSEDED) == (one.superseded_by is not None)
        assert (one.status is Status.SUPERSEDED) == (one.valid_until is not None)
        assert one.valid_until is None or one.valid_from <= one.valid_until
        if one.superseded_by is not None:
            assert one.id in memories[one.superseded_by].supersedes
        for before in one.supersedes:
            assert memories[before].superseded_by == one.id
    for moment in (day(0) + timedelta(hours=hour) for hour in range(-48, 7 * 24, 6)):
        holding = [
            memory
            for memory in memories.values()
            if memory.valid_at(moment)
            and not memory.ended
            and is_single_valued(memory.attribute or "")
        ]
        attributes = [
            "city" if memory.attribute in ("city", "城市") else "framework" for memory in holding
        ]
        assert len(attributes) == len(set(attributes))


@settings(max_examples=150 // EVERY)
@given(histories)
def test_every_piece_of_evidence_is_kept(history: list[Said]) -> None:
    said = {evidence.quote for said in history for evidence in said.candidate.evidence}
    kept = {evidence.quote for memory in ended(history).values() for evidence in memory.evidence}
    assert said == kept
