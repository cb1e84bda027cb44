"""Memories of an export become another user's as they were, and meet what that user has."""

from datetime import UTC, datetime

import pytest

from palimpsest.events.commands import imported_memory_id
from palimpsest.model.memory import Memory, Relation, RelationType, Status
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.imported_memories import import_memory
from palimpsest_server.domain.consolidation.overlay import Overlay
from tests.support.server.domain.consolidation.samples import candidate, lives_in

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def known_of_alice(*proposed: object) -> dict[str, Memory]:
    known = Overlay()
    for one in proposed:
        decide_candidate(known, one, received_at=NOW, epoch=3, position=0)  # type: ignore[arg-type]
    return {memory.content: memory for memory in known.everything()}


def own(user_id: str, memory: Memory) -> str:
    return imported_memory_id(user_id, memory.id)


@pytest.mark.parametrize("backwards", [False, True])
def test_what_was_superseded_stays_so_in_whatever_order_it_comes(backwards: bool) -> None:
    exported = known_of_alice(lives_in("Boston", on=1), lives_in("Denver", on=2))
    known = Overlay()
    order = list(exported.values())[:: -1 if backwards else 1]
    assert all(import_memory(known, memory, None, user_id="bob", epoch=0) for memory in order)
    for before in exported.values():
        after = known.get(own("bob", before))
        assert after is not None
        assert (after.status, after.valid_from, after.valid_until, after.recorded_at) == (
            before.status,
            before.valid_from,
            before.valid_until,
            before.recorded_at,
        )
        assert after.evidence == before.evidence
        assert (after.scope.user_id, after.epoch) == ("bob", 0)
        assert after.supersedes == tuple(
            imported_memory_id("bob", supersede) for supersede in before.supersedes
        )


def test_importing_again_or_into_the_same_user_changes_nothing() -> None:
    exported = known_of_alice(candidate("I like tea", on=1))
    (tea,) = exported.values()
    known = Overlay(exported.values())
    assert not import_memory(known, tea, None, user_id="alice", epoch=3)
    known = Overlay()
    assert import_memory(known, tea, None, user_id="bob", epoch=0)
    assert not import_memory(known, tea, None, user_id="bob", epoch=0)
    assert len(known.everything()) == 1


def test_links_lead_to_what_the_other_ends_became() -> None:
    exported = known_of_alice(candidate("I like tea", on=1), candidate("I drink much", on=1))
    tea, much = exported.values()
    linked = tea.model_copy(
        update={"relations": (Relation(type=RelationType.SUPPORTS, memory_id=much.id),)}
    )
    known = Overlay()
    import_memory(known, linked, None, user_id="bob", epoch=0)
    after = known.get(own("bob", tea))
    assert after is not None
    assert [relation.memory_id for relation in after.relations] == [own("bob", much)]


def test_where_the_user_has_another_value_the_later_statement_holds() -> None:
    (boston,) = known_of_alice(lives_in("Boston", on=1)).values()
    (paris,) = known_of_alice(lives_in("Paris", on=3)).values()
    standing = lives_in("Denver", on=2)
    for exported, holds in ((boston, "Denver"), (paris, "Paris")):
        known = Overlay()
        decide_candidate(known, standing, received_at=NOW, epoch=0, position=0)
        import_memory(known, exported, None, user_id="alice", epoch=0)
        active = [memory.value for memory in known.everything() if memory.status is Status.ACTIVE]
        assert active == [holds]


def test_what_the_user_says_already_gets_the_evidence_of_both() -> None:
    (tea,) = known_of_alice(candidate("I like tea", on=1)).values()
    known = Overlay()
    decide_candidate(known, candidate("I like tea", on=2), received_at=NOW, epoch=0, position=0)
    assert not import_memory(known, tea, None, user_id="alice", epoch=0)
    (after,) = known.everything()
    assert len(after.evidence) == 2
