"""What every vector store finds, and of whom, run against each of them."""

from dataclasses import replace

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.ranking_features import RankingFeatures
from palimpsest_server.stores.vectors import ReplaceableVectorStore, VectorQuery
from tests.support.server.stores.points import (
    ALICE,
    BOB,
    EAST,
    HOSTILE_SCOPES,
    NORTH,
    NORTH_EAST,
    identity,
    ids,
    only,
    point,
    turn,
    words,
)


class SearchingContract:
    async def test_an_empty_store_finds_nothing(self, store: ReplaceableVectorStore) -> None:
        query = VectorQuery(scopes=(ALICE,), dense=NORTH, sparse=words((7, 1.0)))

        assert list(await store.search(query)) == []
        assert await store.versions({identity("nothing"): ALICE}) == {}
        await store.remove({identity("nothing"): ALICE})

    async def test_a_query_without_vectors_finds_nothing(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert([point("a")])

        assert list(await store.search(VectorQuery(scopes=(ALICE,)))) == []
        assert list(await store.search(VectorQuery(scopes=(ALICE,), sparse=words()))) == []
        assert list(await store.search(VectorQuery(scopes=(), dense=NORTH))) == []
        assert list(await store.search_many([])) == []

    async def test_a_find_says_of_which_version_it_is(self, store: ReplaceableVectorStore) -> None:
        query = VectorQuery(scopes=(ALICE,), dense=NORTH)
        for version in (1, 3):
            await store.upsert([point("a", version=version)])
            (hit,) = await store.search(query)
            assert hit.version == version

    async def test_both_arms_answer_at_once_and_are_merged_by_id(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert(
            [
                point("near", dense=NORTH, sparse=words((1, 1.0))),
                point("worded", dense=EAST, sparse=words((9, 2.0))),
                point("both", dense=NORTH_EAST, sparse=words((9, 1.0))),
            ]
        )

        hits = await store.search(
            VectorQuery(scopes=(ALICE,), dense=NORTH, sparse=words((9, 1.0)), limit=2)
        )

        by_id = {hit.id: hit for hit in hits}
        assert by_id.keys() == {identity("near"), identity("worded"), identity("both")}
        near, worded, both = (by_id[identity(name)] for name in ("near", "worded", "both"))
        assert near.cosine == pytest.approx(1.0, abs=1e-5)
        assert near.lexical is None
        assert worded.cosine is None
        assert both.cosine == pytest.approx(0.8, abs=1e-5)
        assert worded.lexical == pytest.approx(2 * (both.lexical or 0), rel=1e-4)

    async def test_a_hit_says_what_and_whose_it_is(self, store: ReplaceableVectorStore) -> None:
        scope = Scope(user_id="alice", agent_id="dev", project_id="atlas")
        await store.upsert([turn("t", scope, sequence=12)])

        hit = only(await store.search(VectorQuery(scopes=(scope,), dense=NORTH)))

        assert (hit.record, hit.scope, hit.session_id, hit.sequence) == (
            RecordType.TURN,
            scope,
            "session",
            12,
        )

    async def test_only_the_named_are_found_by_either_arm_and_of_their_scope_alone(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert(
            [
                *(
                    point(f"near {place}", dense=NORTH, sparse=words((9, 1.0)))
                    for place in range(9)
                ),
                point("far", dense=EAST, sparse=words((9, 0.5))),
                point("of bob", BOB, dense=NORTH, sparse=words((9, 1.0))),
            ]
        )
        both = VectorQuery(scopes=(ALICE,), dense=NORTH, sparse=words((9, 1.0)), limit=2)

        async def found(*named: str) -> set[str]:
            return set(ids(await store.search(replace(both, ids=frozenset(named)))))

        assert await found(identity("far"), identity("of bob"), "no id") == {identity("far")}
        assert await found(identity("near 7"), identity("far")) == {
            identity("near 7"),
            identity("far"),
        }
        assert await found("no id") == await found() == set()
        hit = only(await store.search(replace(both, ids=frozenset({identity("far")}))))
        assert hit.cosine is not None
        assert hit.lexical is not None

    async def test_scopes_are_exact_whatever_the_ids_look_like(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert(
            [point(f"canary {place}", scope) for place, scope in enumerate(HOSTILE_SCOPES)]
        )

        answers = await store.search_many(
            [
                VectorQuery(scopes=(scope,), dense=NORTH, sparse=words((7, 1.0)))
                for scope in HOSTILE_SCOPES
            ]
        )

        for place, (scope, hits) in enumerate(zip(HOSTILE_SCOPES, answers, strict=True)):
            hit = only(hits)
            assert hit.id == identity(f"canary {place}")
            assert hit.scope == scope

    async def test_a_query_over_the_visible_scopes_sees_those_and_no_more(
        self, store: ReplaceableVectorStore
    ) -> None:
        reader = Scope(user_id="alice", agent_id="dev", project_id="atlas")
        unseen = [
            Scope(user_id="alice", agent_id="other"),
            Scope(user_id="alice", agent_id="dev", project_id="other"),
            Scope(user_id="bob", agent_id="dev", project_id="atlas"),
        ]
        await store.upsert([point(str(scope), scope) for scope in [*reader.visible(), *unseen]])

        hits = await store.search(VectorQuery(scopes=reader.visible(), dense=NORTH))

        assert {hit.scope for hit in hits} == set(reader.visible())

    async def test_the_limit_holds_for_each_arm_over_all_scopes_together(
        self, store: ReplaceableVectorStore
    ) -> None:
        agent = Scope(user_id="alice", agent_id="dev")
        await store.upsert([point(f"user {n}", ALICE, dense=NORTH_EAST) for n in range(4)])
        await store.upsert([point(f"agent {n}", agent, dense=NORTH) for n in range(4)])

        hits = await store.search(VectorQuery(scopes=(ALICE, agent), dense=NORTH, limit=5))

        assert len(hits) == 5
        assert [hit.scope for hit in hits[:4]] == [agent] * 4

    async def test_only_what_was_asked_for_by_record_status_and_kind(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert(
            [
                turn("turn"),
                point("fact"),
                point("old fact", status=Status.SUPERSEDED),
                point("forgotten", status=Status.FORGOTTEN),
                point("preference", kind=Kind.PREFERENCE),
            ]
        )

        async def found(
            *,
            records: frozenset[RecordType] = frozenset(RecordType),
            statuses: frozenset[Status] = frozenset({Status.ACTIVE}),
            kinds: frozenset[Kind] | None = None,
        ) -> set[str]:
            query = VectorQuery(
                scopes=(ALICE,),
                dense=NORTH,
                sparse=words((7, 1.0)),
                records=records,
                statuses=statuses,
                kinds=kinds,
            )
            return set(ids(await store.search(query)))

        def named(*names: str) -> set[str]:
            return {identity(name) for name in names}

        assert await found() == named("turn", "fact", "preference")
        assert await found(records=frozenset({RecordType.TURN})) == named("turn")
        assert await found(kinds=frozenset({Kind.FACT})) == named("fact")
        assert await found(
            kinds=frozenset({Kind.FACT}),
            statuses=frozenset({Status.ACTIVE, Status.SUPERSEDED}),
        ) == named("fact", "old fact")
        assert await found(statuses=frozenset({Status.FORGOTTEN})) == named("forgotten")

    async def test_only_what_was_said_within_a_span_of_time_where_one_is_asked_for(
        self, store: ReplaceableVectorStore
    ) -> None:
        said = {"early": 100, "first": 200, "last": 299, "late": 300}
        await store.upsert(
            [
                replace(point(name), features=RankingFeatures(at=moment))
                for name, moment in said.items()
            ]
            + [point("undated")]
        )

        async def found(since: int | None = None, until: int | None = None) -> set[str]:
            query = VectorQuery(scopes=(ALICE,), dense=NORTH, sparse=words((7, 1.0)))
            query = replace(query, since=since, until=until)
            return {hit.id for hit in await store.search(query)}

        def named(*names: str) -> set[str]:
            return {identity(name) for name in names}

        assert await found(since=200, until=300) == named("first", "last")
        assert await found(since=299) == named("last", "late")
        assert await found(until=200) == named("early")
        assert await found() == named(*said, "undated")

    async def test_a_hit_says_whether_it_still_holds(self, store: ReplaceableVectorStore) -> None:
        await store.upsert([point("now"), point("before", status=Status.SUPERSEDED)])
        either = frozenset({Status.ACTIVE, Status.SUPERSEDED})
        hits = await store.search(VectorQuery(scopes=(ALICE,), statuses=either, dense=NORTH))
        assert {hit.id: hit.status for hit in hits} == {
            identity("now"): Status.ACTIVE,
            identity("before"): Status.SUPERSEDED,
        }

    async def test_how_rare_a_word_is_among_others_moves_nobodys_score(
        self, store: ReplaceableVectorStore
    ) -> None:
        query = VectorQuery(scopes=(ALICE,), sparse=words((5, 1.0)))
        await store.upsert([point("a", sparse=words((5, 1.0))), point("b", sparse=words((6, 1.0)))])
        before = only(await store.search(query)).lexical

        await store.upsert(
            [point(f"bob {n}", BOB, sparse=words((5, 1.0), (6, 1.0))) for n in range(20)]
        )

        assert only(await store.search(query)).lexical == pytest.approx(before, rel=1e-5)

    async def test_a_rare_word_weighs_more_than_a_common_one(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert([point(f"common {n}", sparse=words((1, 1.0))) for n in range(9)])
        await store.upsert([point("rare", sparse=words((2, 1.0)))])

        hits = await store.search(
            VectorQuery(scopes=(ALICE,), sparse=words((1, 1.0), (2, 1.0)), limit=20)
        )

        assert hits[0].id == identity("rare")
        # ln((N - n + 0.5) / (n + 0.5) + 1), which is Qdrant's
        assert hits[0].lexical == pytest.approx(1.99243, rel=1e-3)
        assert hits[1].lexical == pytest.approx(0.14660, rel=1e-3)

    async def test_several_questions_at_once_answer_as_they_would_one_by_one(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert([point("a"), point("b", BOB), turn("c"), turn("d", BOB)])
        queries = [
            VectorQuery(scopes=(ALICE,), dense=NORTH),
            VectorQuery(scopes=(), dense=NORTH),
            VectorQuery(
                scopes=(BOB,), sparse=words((7, 1.0)), records=frozenset({RecordType.TURN})
            ),
        ]

        together = await store.search_many(queries)

        assert [list(hits) for hits in together] == [
            list(await store.search(query)) for query in queries
        ]
        assert list(map(len, together)) == [2, 0, 1]
