"""What every vector store keeps of what it is given, run against each of them."""

from dataclasses import replace

import pytest

from palimpsest.model.errors import EmbeddingModelMismatch
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.ranking_features import RankingFeatures
from palimpsest_server.stores.vectors import ReplaceableVectorStore, VectorHit, VectorQuery
from tests.support.server.stores.points import (
    ALICE,
    BOB,
    EAST,
    NORTH,
    identity,
    only,
    point,
    state,
    words,
)


class WritingContract:
    async def test_a_newer_version_replaces_and_an_older_or_equal_one_never_does(
        self, store: ReplaceableVectorStore
    ) -> None:
        key = {identity("m"): ALICE}
        await store.upsert([point("m", version=2, dense=NORTH)])
        await store.upsert([point("m", version=1, dense=EAST)])
        await store.upsert([point("m", version=2, dense=EAST)])

        assert await store.versions(key) == {identity("m"): 2}
        hit = only(await store.search(VectorQuery(scopes=(ALICE,), dense=NORTH)))
        assert hit.cosine == pytest.approx(1.0, abs=1e-5)

        await store.upsert([point("m", version=3, dense=EAST, status=Status.SUPERSEDED)])

        assert await store.versions(key) == {identity("m"): 3}
        assert list(await store.search(VectorQuery(scopes=(ALICE,), dense=NORTH))) == []

    async def test_a_new_state_is_told_without_vectors_and_by_the_same_rule_of_versions(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert([point("m", version=2), point("bob's", BOB)])
        everything = frozenset(Status)

        async def standing() -> VectorHit:
            query = VectorQuery(scopes=(ALICE,), dense=NORTH, sparse=words((7, 1.0)))
            return only(await store.search(replace(query, statuses=everything)))

        before = await standing()
        missing = await store.restate(
            [
                state("m", version=3, status=Status.SUPERSEDED),
                state("bob's", version=2, status=Status.FORGOTTEN),
                state("nothing", version=2, status=Status.FORGOTTEN),
            ]
        )
        assert missing == {identity("bob's"), identity("nothing")}
        assert await store.versions({identity("m"): ALICE}) == {identity("m"): 3}
        assert await store.versions({identity("bob's"): BOB}) == {identity("bob's"): 1}
        assert await standing() == before._replace(status=Status.SUPERSEDED, version=3)
        active = VectorQuery(scopes=(ALICE,), dense=NORTH, sparse=words((7, 1.0)))
        assert list(await store.search(active)) == []

        assert await store.restate([state("m", version=3, status=Status.ACTIVE)]) == set()
        assert list(await store.search(active)) == []
        assert await store.restate([state("m", version=4, status=Status.ACTIVE)]) == set()
        assert only(await store.search(active)) == before._replace(version=4)
        assert await store.restate([]) == set()

    async def test_what_ranking_must_know_is_found_with_the_point_and_told_anew_with_its_state(
        self, store: ReplaceableVectorStore
    ) -> None:
        features = RankingFeatures(
            about=("小明", "Ada"),
            stated_length=120,
            quoted=(identity("turn"),),
            at=1_772_000_000,
            successor=identity("n"),
            corrected=(identity("said"),),
            held=(1_704_000_000, 1_712_000_000),
        )
        await store.upsert([replace(point("m"), features=features), point("bare", dense=EAST)])
        query = VectorQuery(scopes=(ALICE,), dense=NORTH)

        found = {hit.id: hit.features for hit in await store.search(query)}
        assert found == {identity("m"): features, identity("bare"): RankingFeatures()}

        again = replace(
            state("m", version=2, status=Status.ACTIVE),
            features=RankingFeatures(about=("Bo",), quoted=(identity("turn"), identity("other"))),
        )
        await store.restate([again])
        found = {hit.id: hit.features for hit in await store.search(query)}
        assert found[identity("m")] == again.features._replace(stated_length=120)

    async def test_a_batch_may_hold_several_versions_and_repeats(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert(
            [point("m", version=3), point("n", version=1), point("m", version=2), point("o")]
        )

        assert await store.versions(dict.fromkeys(map(identity, "mno"), ALICE)) == {
            identity("m"): 3,
            identity("n"): 1,
            identity("o"): 1,
        }

    async def test_removing_and_asking_for_versions_reach_one_scope_only(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert(
            [point("mine"), point("in project", Scope(user_id="alice", project_id="p"))]
        )

        await store.remove({identity("mine"): BOB, identity("in project"): ALICE})
        assert await store.versions({identity("mine"): BOB}) == {}
        assert await store.versions({identity("in project"): ALICE}) == {}
        assert await store.versions({identity("mine"): ALICE}) == {identity("mine"): 1}

        await store.remove({identity("mine"): ALICE})
        assert await store.versions({identity("mine"): ALICE}) == {}

    async def test_a_vector_by_meaning_is_read_back_from_its_scope_alone(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert([point("mine")])

        found = await store.dense({identity("mine"): ALICE, identity("nothing"): ALICE})
        assert found.keys() == {identity("mine")}
        (hit,) = await store.search(
            VectorQuery(scopes=(ALICE,), dense=list(found[identity("mine")]))
        )
        assert hit.cosine == pytest.approx(1.0, abs=1e-5)
        assert await store.dense({identity("mine"): BOB}) == {}

    async def test_the_terms_of_a_point_are_read_back_from_its_scope_alone(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert([point("mine"), point("theirs", scope=BOB)])

        asked = {identity("mine"): ALICE, identity("nothing"): ALICE, identity("theirs"): ALICE}
        found = await store.terms(asked)
        assert {one: sorted(terms) for one, terms in found.items()} == {
            identity("mine"): sorted(point("mine").sparse.indices)
        }
        assert await store.terms({}) == {}

    async def test_many_points_are_written_in_one_call(self, store: ReplaceableVectorStore) -> None:
        points = [point(f"p{n}") for n in range(600)]
        await store.upsert(points)

        versions = await store.versions({vector_point.id: ALICE for vector_point in points})
        assert len(versions) == 600

    async def test_a_vector_of_another_size_is_refused(self, store: ReplaceableVectorStore) -> None:
        with pytest.raises(EmbeddingModelMismatch, match="3 dimensions"):
            await store.upsert([point("m", dense=(1.0, 0.0, 0.0))])
