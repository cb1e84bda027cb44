"""The promises of every store of registered namespaces."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.errors import RecordNotFound
from palimpsest.model.scope import Layout, Namespace, Scope
from palimpsest_server.stores.namespaces import NamespaceRegistry, derive_namespace_id

HOSTILE = [
    Namespace(user_id="a_b", agent_id="c"),
    Namespace(user_id="a", agent_id="b_c"),
    Namespace(user_id="a"),
    Namespace(user_id="a", agent_id="none"),
    Namespace(user_id="a/b.c $d", agent_id="助手"),
    Namespace(user_id="🦉" * 60, agent_id="x" * 200),
]
ALICE = Namespace(user_id="alice")
COACH = Namespace(user_id="alice", agent_id="coach")


class NamespaceRegistryContract:
    async def test_every_namespace_is_registered_once_under_its_own_name(
        self, registry: NamespaceRegistry
    ) -> None:
        await registry.register([*HOSTILE, *HOSTILE])
        await registry.register(HOSTILE)
        registered = await registry.everything()
        assert {namespace.namespace for namespace in registered} == set(HOSTILE)
        assert len({namespace.physical_name for namespace in registered}) == len(HOSTILE)
        assert {(namespace.layout, namespace.embedding_model) for namespace in registered} == {
            (Layout.PER_AGENT, "tiny-2-1")
        }

    async def test_a_users_namespaces_are_the_users_alone(
        self, registry: NamespaceRegistry
    ) -> None:
        await registry.register([ALICE, COACH, Namespace(user_id="bob", agent_id="coach")])
        assert set(await registry.of_user("alice")) == {ALICE, COACH}
        assert await registry.of_user("carol") == []

    async def test_vectors_made_again_are_of_the_new_model(
        self, registry: NamespaceRegistry
    ) -> None:
        await registry.register([ALICE])
        await registry.adopt_model("large-9-1")
        await registry.register([COACH])
        await registry.verify()
        assert {namespace.embedding_model for namespace in await registry.everything()} == {
            "large-9-1"
        }

    async def test_how_far_was_asked_is_known_of_each_scope_and_never_goes_back(
        self, registry: NamespaceRegistry
    ) -> None:
        own = Scope(user_id="alice", agent_id="coach")
        project = Scope(user_id="alice", agent_id="coach", project_id="a.b $c")
        other, unknown = Scope(user_id="alice"), Scope(user_id="bob")
        await registry.register([ALICE, COACH])
        assert await registry.reflected([own, project]) == {}
        march = [datetime(2026, 3, day, tzinfo=UTC) for day in (1, 2, 3)]
        await registry.note_reflected({own: march[1], project: march[0], unknown: march[0]})
        await registry.note_reflected({own: march[0], project: march[2]})
        await registry.note_reflected({})
        assert await registry.reflected([own, project, other, unknown]) == {
            own: datetime(2026, 3, 2, tzinfo=UTC),
            project: datetime(2026, 3, 3, tzinfo=UTC),
        }

    async def test_pages_are_by_user_and_agent_and_together_hold_each_namespace_once(
        self, registry: NamespaceRegistry
    ) -> None:
        await registry.register([*HOSTILE, COACH, ALICE])
        paged, after = list[Namespace](), None
        while page := await registry.page(limit=3, after=after):
            assert len(page) <= 3
            paged += page
            after = derive_namespace_id(page[-1])
        by_user = sorted(
            [*HOSTILE, COACH, ALICE], key=lambda space: (space.user_id, space.agent_id or "")
        )
        assert paged == by_user
        with pytest.raises(RecordNotFound):
            await registry.page(limit=3, after="none")
        some = await registry.page(limit=99, user_prefix="a.")
        assert some == []
        everyone = await registry.page(limit=99)
        prefix = everyone[0].user_id[:2]
        wanted = [space for space in everyone if space.user_id.startswith(prefix)]
        assert await registry.page(limit=99, user_prefix=prefix) == wanted
