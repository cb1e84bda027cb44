"""What becomes of a model's finding: it is taken up once, and only if all it rests on stands."""

from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from pydantic import ValidationError

from palimpsest.model.distillate import ProposedReflection
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, MemoryAtVersion, MemorySource, RelationType, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.compression.acceptance import DistillateOutcome
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import change_status
from palimpsest_server.domain.reflection.model_reflections import accept_reflection
from palimpsest_server.domain.reflection.rule_reflections import CONFIDENCE_SHARE, has_lost_bases
from tests.support.server.domain.forgetting.standings import ALICE, NOW, memory

WALKS = [
    memory(f"It rained and I trained indoors, {day}", confidence=share, recorded_at=NOW)
    for day, share in enumerate((0.9, 0.5, 0.7))
]


def found(*memories: Memory, content: str = "Trains indoors when it rains") -> ProposedReflection:
    return ProposedReflection(
        kind=Kind.PATTERN,
        content=content,
        rests_on=tuple(MemoryAtVersion(memory_id=one.id, version=one.version) for one in memories),
    )


def decided(known: Overlay, finding: ProposedReflection, scope: Scope = ALICE) -> DistillateOutcome:
    known.decide_for("alice")
    return accept_reflection(
        known, finding, scope=scope, received_at=NOW + timedelta(days=1), epoch=3
    )


def made_of(known: Overlay) -> list[Memory]:
    return [change.after for change in known.take_changes()]


def test_it_rests_on_what_was_cited_and_is_less_sure_than_the_least_of_it() -> None:
    known = Overlay(WALKS)
    assert decided(known, found(*WALKS)) is DistillateOutcome.REFLECTED
    (made,) = made_of(known)
    assert (made.kind, made.source, made.scope) == (Kind.PATTERN, MemorySource.REFLECTION, ALICE)
    assert made.confidence == pytest.approx(0.5 * CONFIDENCE_SHARE)
    assert [(relation.type, relation.memory_id) for relation in made.relations] == [
        (RelationType.DERIVED_FROM, one.id) for one in WALKS
    ]
    assert {evidence.quote for evidence in made.evidence} == {one.content for one in WALKS}
    assert (made.epoch, made.status) == (3, Status.ACTIVE)
    assert made.embedded_text == found(*WALKS).embedded_text


def test_found_again_in_other_words_and_order_it_changes_nothing() -> None:
    known = Overlay(WALKS)
    ids: set[str] = set()
    for order in permutations(WALKS):
        finding = found(*order, content=f"Rain means the gym, says number {len(ids)}")
        ids.add(finding.becomes("alice"))
        decided(known, finding)
    assert len(ids) == len(made_of(known)) == 1
    assert decided(known, found(*WALKS)) is DistillateOutcome.KNOWN
    assert made_of(known) == []


def test_what_was_rejected_stays_rejected() -> None:
    known = Overlay(WALKS)
    decided(known, found(*WALKS))
    (made,) = made_of(known)
    rejected = change_status(made, Status.REJECTED, reason="not so")
    again = Overlay([*WALKS, rejected])
    assert decided(again, found(*WALKS)) is DistillateOutcome.KNOWN
    assert made_of(again) == []


@pytest.mark.parametrize(
    "different",
    [
        {"status": Status.FORGOTTEN},
        {"status": Status.SUPERSEDED},
        {"status": Status.PENDING},
        {"scope": Scope(user_id="alice", agent_id="coach")},
        {"scope": Scope(user_id="alice", project_id="marathon")},
        {"source": MemorySource.REFLECTION},
        {"source": MemorySource.CONSOLIDATION},
    ],
)
def test_nothing_is_made_of_what_does_not_stand_here_first_hand(different: dict[str, Any]) -> None:
    fourth = memory("Another walk", recorded_at=NOW)
    bases = [*WALKS, fourth.model_copy(update=different)]
    known = Overlay(bases)
    assert decided(known, found(*bases)) is DistillateOutcome.OUTDATED
    assert made_of(known) == []


def test_nothing_is_made_of_what_nobody_knows() -> None:
    known = Overlay(WALKS[:2])
    assert decided(known, found(*WALKS)) is DistillateOutcome.OUTDATED
    assert made_of(known) == []


def test_one_memory_said_three_times_is_one() -> None:
    known = Overlay(WALKS)
    assert decided(known, found(WALKS[0], WALKS[0], WALKS[1])) is DistillateOutcome.OUTDATED
    with pytest.raises(ValidationError):
        found(*WALKS[:2])


def test_it_is_withdrawn_when_too_little_is_left_of_what_it_rests_on() -> None:
    known = Overlay(WALKS)
    decided(known, found(*WALKS))
    (made,) = made_of(known)
    assert not has_lost_bases(made, known.get)
    known.put(change_status(WALKS[1], Status.FORGOTTEN, reason="asked for"))
    assert has_lost_bases(made, known.get)
