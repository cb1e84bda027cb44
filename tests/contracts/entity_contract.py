"""The promises of every store of entities."""

from typing import Any

from palimpsest.model.entity import Entity, EntityKind, EntityMention, entity_id, entity_key
from palimpsest.model.scope import Namespace
from palimpsest_server.domain.entities.entity_names import build_name_key
from palimpsest_server.stores.entities import EntityStore
from tests.support.server.stores.points import HOSTILE_SCOPES

ANN = Namespace(user_id="ann")
COACH = Namespace(user_id="ann", agent_id="coach")
BEN = Namespace(user_id="ben")


def entity(name: str, namespace: Namespace = ANN, number: int = 0, **fields: Any) -> Entity:
    key = entity_key(namespace, build_name_key(name))
    mention = EntityMention(memory_id=f"of {name}", written=name, beside=("other",))
    return Entity.model_validate(
        {
            "id": entity_id(key, number),
            "namespace": namespace,
            "key": key,
            "mentions": (mention,),
            "epoch": 0,
            **fields,
        }
    )


class EntityContract:
    async def test_what_was_written_is_found_by_its_name(self, entities: EntityStore) -> None:
        cat = entity("小白", kind=EntityKind.PET)
        colleague = entity("小白", number=1, kind=EntityKind.PERSON)
        await entities.write([cat, colleague, entity("Rex"), entity("小白", COACH)])
        found = await entities.with_keys([cat.key])
        assert sorted(found, key=lambda one: one.id) == sorted(
            [cat, colleague], key=lambda one: one.id
        )
        assert await entities.with_keys([]) == []

    async def test_all_of_a_namespace_and_no_others(self, entities: EntityStore) -> None:
        written = {each: entity("Rex", each) for each in (ANN, COACH, BEN)}
        await entities.write(list(written.values()))
        for namespace, own in written.items():
            assert await entities.of_namespaces([namespace]) == [own]
        assert len(await entities.of_namespaces([ANN, COACH])) == 2
        assert await entities.of_namespaces([]) == []

    async def test_hostile_names_never_meet(self, entities: EntityStore) -> None:
        written = {scope.namespace: entity("Rex", scope.namespace) for scope in HOSTILE_SCOPES}
        await entities.write(list(written.values()))
        for namespace, own in written.items():
            assert await entities.with_keys([own.key]) == [own]
            assert await entities.of_namespaces([namespace]) == [own]

    async def test_an_older_version_is_never_written_over_a_newer_one(
        self, entities: EntityStore
    ) -> None:
        first = entity("Rex")
        second = first.model_copy(update={"version": 2, "kind": EntityKind.PET})
        await entities.write([second])
        await entities.write([first])
        await entities.write([first, second])
        assert await entities.with_keys([first.key]) == [second]

    async def test_what_nothing_names_is_kept_for_its_version_and_not_shown(
        self, entities: EntityStore
    ) -> None:
        first = entity("Rex")
        gone = first.model_copy(update={"version": 2, "mentions": ()})
        await entities.write([first])
        await entities.write([gone])
        assert await entities.with_keys([first.key]) == [gone]
        assert await entities.of_namespaces([ANN]) == []

    async def test_what_was_before_an_epoch_is_erased_of_one_user(
        self, entities: EntityStore
    ) -> None:
        await entities.write([entity("Rex"), entity("Anna", epoch=1), entity("Rex", BEN)])
        assert await entities.erase("ann", before_epoch=1) == 1
        assert [namespace.name for namespace in await entities.of_namespaces([ANN])] == ["Anna"]
        assert [namespace.name for namespace in await entities.of_namespaces([BEN])] == ["Rex"]
