from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.entity import MOST_MENTIONS, Entity, EntityKind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.entities.entity_overlay import EntityOverlay, collect_entity_keys
from tests.support.extent import EVERY
from tests.support.server.domain.consolidation.samples import candidate, day


def naming(*entities: str, identity: str = "", **fields: Any) -> Memory:
    content = identity or " ".join(entities)
    stated = build_memory(
        candidate(content, entities=entities, **fields), received_at=day(0), epoch=0
    )
    return stated.model_copy(update={"id": content})


class Known:
    """Entities as one memory after the other is taken in."""

    def __init__(self) -> None:
        self.book = EntityOverlay()
        self.entities: dict[str, Entity] = {}
        self.memories: dict[str, Memory] = {}

    def take_in(self, *memories: Memory) -> None:
        for memory in memories:
            before = self.memories.get(memory.id)
            self.book.read(collect_entity_keys(memory), [])
            for change in self.book.following([MemoryChange(before=before, after=memory)]):
                assert change.before == self.entities.get(change.after.id)
                assert change.after.version == (change.before.version + 1 if change.before else 1)
                self.entities[change.after.id] = change.after
            self.memories[memory.id] = memory

    @property
    def named(self) -> dict[str, tuple[str, ...]]:
        return {entity.name: entity.aliases for entity in self.entities.values() if entity.mentions}


def known_after(*memories: Memory) -> Known:
    known = Known()
    known.take_in(*memories)
    return known


def test_writings_of_one_name_become_one_entity_with_aliases() -> None:
    known = known_after(naming("TechCorp"), naming("Tech Corp"), naming("techcorp"))
    assert known.named == {"Tech Corp": ("TechCorp", "techcorp")}


def test_what_is_of_two_kinds_is_two_though_it_has_one_name() -> None:
    known = known_after(
        naming("小白", identity="the cat", attribute="pets", value="小白"),
        naming("小白", identity="the city", attribute="city", value="小白"),
    )
    assert {entity.kind for entity in known.entities.values()} == {EntityKind.PET, EntityKind.PLACE}
    # Of which of the two this speaks nobody knows.
    known.take_in(naming("小白", identity="somebody"))
    assert len(known.entities) == 3


def test_an_unknown_kind_is_the_one_there_is_whichever_is_known_first() -> None:
    cat = naming("小白", identity="the cat", attribute="pets", value="小白")
    plain = naming("小白", identity="plain")
    for order in ([cat, plain], [plain, cat]):
        (only,) = known_after(*order).entities.values()
        assert (only.kind, set(only.memory_ids)) == (EntityKind.PET, {"the cat", "plain"})


def test_namespaces_have_entities_of_their_own() -> None:
    coach = Scope(user_id="alice", agent_id="coach")
    known = known_after(naming("Rex"), naming("Rex", identity="b", scope=coach))
    assert {entity.namespace for entity in known.entities.values()} == {
        coach.namespace,
        Scope(user_id="alice").namespace,
    }


def test_what_is_named_together_is_linked_and_the_stronger_the_more_often() -> None:
    known = known_after(
        naming("Anna", "Acme"), naming("Anna", "Acme", identity="again"), naming("Acme", "Bern")
    )
    ids = {entity.name: entity.id for entity in known.entities.values()}
    assert known.entities[ids["Anna"]].links == {ids["Acme"]: 0.75}
    assert known.entities[ids["Acme"]].links == {ids["Anna"]: 0.75, ids["Bern"]: 0.5}


def test_what_was_merged_is_split_again_when_what_merged_it_is_undone() -> None:
    known = known_after(naming("TechCorp"), naming("Tech Corp"))
    added = known.memories["Tech Corp"]
    known.take_in(added.model_copy(update={"status": Status.FORGOTTEN}))
    assert known.named == {"TechCorp": ()}
    known.take_in(added)
    assert known.named == {"Tech Corp": ("TechCorp",)}


def test_what_nothing_names_any_more_has_no_name_left() -> None:
    known = known_after(naming("Rex", "Anna"))
    tombstone = known.memories["Rex Anna"].model_copy(
        update={"status": Status.PURGED, "entities": ()}
    )
    known.take_in(tombstone)
    assert known.named == {}
    assert all(entity.name == "" and not entity.links for entity in known.entities.values())


def test_what_is_superseded_is_named_still_and_changes_nothing() -> None:
    known = known_after(naming("Rex"))
    before = dict(known.entities)
    known.take_in(known.memories["Rex"].model_copy(update={"status": Status.SUPERSEDED}))
    assert known.entities == before


def test_names_that_were_not_looked_up_are_left_alone() -> None:
    assert EntityOverlay().following([MemoryChange(after=naming("Rex"))]) == ()


def test_of_many_mentions_the_latest_are_kept_and_every_writing() -> None:
    known = known_after(
        naming("Tech Corp"), *(naming("TechCorp", identity=f"m{each}") for each in range(60))
    )
    (entity,) = known.entities.values()
    assert len(entity.mentions) == MOST_MENTIONS
    assert (entity.name, entity.aliases) == ("Tech Corp", ("TechCorp",))
    assert "m59" in entity.memory_ids


mentions = st.lists(
    st.tuples(
        st.sets(st.sampled_from(["TechCorp", "Tech Corp", "techcorp", "Anna", "ANNA", "US", "us"])),
        st.sampled_from(list(Status)),
    ),
    max_size=8,
)


@settings(max_examples=150 // EVERY)
@given(mentions.flatmap(lambda one: st.tuples(st.just(one), st.permutations(range(len(one))))))
def test_merging_is_idempotent_and_the_same_in_any_order(
    drawn: tuple[list[tuple[set[str], Status]], list[int]],
) -> None:
    said, order = drawn
    memories = [
        naming(*sorted(names), identity=f"m{number}").model_copy(update={"status": status})
        for number, (names, status) in enumerate(said)
    ]
    one, other = known_after(*memories), known_after(*(memories[each] for each in order))
    assert one.named == other.named
    before = dict(one.entities)
    one.take_in(*memories)
    assert one.entities == before
