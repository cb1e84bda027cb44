"""What every vector store promises, run against each of them."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import NAMESPACE_URL, uuid5

import pytest

from palimpsest.contracts.recall import Record
from palimpsest.domain.errors import EmbeddingModelMismatch
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Status
from palimpsest.domain.ranking.signs import Signs
from palimpsest.domain.scope import Scope
from palimpsest.domain.vectors import EmbeddingModel, SparseVector
from palimpsest.stores.vectors import (
    ReplaceableVectorStore,
    VectorHit,
    VectorPoint,
    VectorQuery,
    VectorState,
)

MODEL = EmbeddingModel(name="tiny", dimension=4)
OTHER_MODEL = EmbeddingModel(name="other", dimension=3)

NORTH = (1.0, 0.0, 0.0, 0.0)
NORTH_EAST = (0.8, 0.6, 0.0, 0.0)
EAST = (0.0, 1.0, 0.0, 0.0)

ALICE = Scope(user_id="alice")
BOB = Scope(user_id="bob")

HOSTILE_SCOPES = (
    Scope(user_id="a_b", agent_id="c"),
    Scope(user_id="a", agent_id="b_c"),
    Scope(user_id="a"),
    Scope(user_id="a", agent_id="none"),
    Scope(user_id="a", agent_id="null"),
    Scope(user_id="a", agent_id="shared"),
    Scope(user_id="a", agent_id=" "),
    Scope(user_id="a", project_id="none"),
    Scope(user_id="a", agent_id="none", project_id="none"),
    Scope(user_id="A"),
    Scope(user_id="a/../b", agent_id="x.y"),
    Scope(user_id="张三", agent_id="助手", project_id="项目 一"),
    Scope(user_id="🦉", agent_id='"quoted" \\ {filter}'),
    Scope(user_id="u" * 200, agent_id="v" * 200, project_id="w" * 200),
)


def words(*pairs: tuple[int, float]) -> SparseVector:
    return SparseVector(
        indices=tuple(index for index, _ in pairs), values=tuple(value for _, value in pairs)
    )


def identity(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, name))


def point(
    name: str,
    scope: Scope = ALICE,
    *,
    version: int = 1,
    dense: Sequence[float] = NORTH,
    sparse: SparseVector | None = None,
    record: Record = Record.MEMORY,
    status: Status = Status.ACTIVE,
    kind: Kind | None = Kind.FACT,
    session_id: str | None = None,
    sequence: int | None = None,
) -> VectorPoint:
    return VectorPoint(
        id=identity(name),
        record=record,
        scope=scope,
        version=version,
        dense=dense,
        sparse=sparse or words((7, 1.0)),
        status=status,
        kind=kind,
        session_id=session_id,
        sequence=sequence,
    )


def state(name: str, scope: Scope = ALICE, *, version: int, status: Status) -> VectorState:
    return VectorState(
        id=identity(name), scope=scope, version=version, status=status, kind=Kind.FACT
    )


def turn(name: str, scope: Scope = ALICE, *, sequence: int = 1) -> VectorPoint:
    return point(
        name, scope, record=Record.TURN, kind=None, session_id="session", sequence=sequence
    )


def ids(hits: Sequence[VectorHit]) -> list[str]:
    return [hit.id for hit in hits]


def only(hits: Sequence[VectorHit]) -> VectorHit:
    assert len(hits) == 1
    return hits[0]


class VectorStoreContract:
    """Subclasses give a `store` fixture: opened, empty, of `MODEL`."""

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
            Record.TURN,
            scope,
            "session",
            12,
        )

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
            records: frozenset[Record] = frozenset(Record),
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
        assert await found(records=frozenset({Record.TURN})) == named("turn")
        assert await found(kinds=frozenset({Kind.FACT})) == named("fact")
        assert await found(
            kinds=frozenset({Kind.FACT}),
            statuses=frozenset({Status.ACTIVE, Status.SUPERSEDED}),
        ) == named("fact", "old fact")
        assert await found(statuses=frozenset({Status.FORGOTTEN})) == named("forgotten")

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
        assert await standing() == before._replace(status=Status.SUPERSEDED)
        active = VectorQuery(scopes=(ALICE,), dense=NORTH, sparse=words((7, 1.0)))
        assert list(await store.search(active)) == []

        assert await store.restate([state("m", version=3, status=Status.ACTIVE)]) == set()
        assert list(await store.search(active)) == []
        assert await store.restate([state("m", version=4, status=Status.ACTIVE)]) == set()
        assert only(await store.search(active)) == before
        assert await store.restate([]) == set()

    async def test_what_ranking_must_know_is_found_with_the_point_and_told_anew_with_its_state(
        self, store: ReplaceableVectorStore
    ) -> None:
        signs = Signs(
            about=("小明", "Ada"),
            spoken=120,
            quoted=(identity("turn"),),
            at=1_772_000_000,
            successor=identity("n"),
        )
        await store.upsert([replace(point("m"), signs=signs), point("bare", dense=EAST)])
        query = VectorQuery(scopes=(ALICE,), dense=NORTH)

        found = {hit.id: hit.signs for hit in await store.search(query)}
        assert found == {identity("m"): signs, identity("bare"): Signs()}

        again = replace(
            state("m", version=2, status=Status.ACTIVE),
            signs=Signs(about=("Bo",), quoted=(identity("turn"), identity("other"))),
        )
        await store.restate([again])
        found = {hit.id: hit.signs for hit in await store.search(query)}
        assert found[identity("m")] == again.signs._replace(spoken=120)

    async def test_only_what_was_said_within_a_span_of_time_where_one_is_asked_for(
        self, store: ReplaceableVectorStore
    ) -> None:
        said = {"early": 100, "first": 200, "last": 299, "late": 300}
        await store.upsert(
            [replace(point(name), signs=Signs(at=moment)) for name, moment in said.items()]
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
            VectorQuery(scopes=(BOB,), sparse=words((7, 1.0)), records=frozenset({Record.TURN})),
        ]

        together = await store.search_many(queries)

        assert [list(hits) for hits in together] == [
            list(await store.search(query)) for query in queries
        ]
        assert list(map(len, together)) == [2, 0, 1]

    async def test_many_points_are_written_in_one_call(self, store: ReplaceableVectorStore) -> None:
        points = [point(f"p{n}") for n in range(600)]
        await store.upsert(points)

        versions = await store.versions({each.id: ALICE for each in points})
        assert len(versions) == 600

    async def test_a_vector_of_another_size_is_refused(self, store: ReplaceableVectorStore) -> None:
        with pytest.raises(EmbeddingModelMismatch, match="3 dimensions"):
            await store.upsert([point("m", dense=(1.0, 0.0, 0.0))])

    async def test_a_replacement_is_seen_only_after_the_switch_and_as_a_whole(
        self, store: ReplaceableVectorStore
    ) -> None:
        query = VectorQuery(scopes=(ALICE, BOB), dense=NORTH)
        await store.upsert([point("old"), point("only bob's", BOB)])

        replacement = await store.begin_replacement()
        await replacement.upsert([point("new"), point("old", version=4)])
        assert set(ids(await store.search(query))) == {identity("old"), identity("only bob's")}
        await replacement.switch()
        await store.close()
        await store.open()

        assert set(ids(await store.search(query))) == {identity("old"), identity("new")}
        assert await store.versions({identity("old"): ALICE}) == {identity("old"): 4}

    async def test_a_replacement_that_is_given_up_leaves_no_trace(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert([point("old")])
        replacement = await store.begin_replacement()
        await replacement.upsert([point("new")])
        await replacement.discard()

        again = await store.begin_replacement()
        await again.upsert([point("newer")])
        await again.switch()
        await store.close()
        await store.open()

        hits = await store.search(VectorQuery(scopes=(ALICE,), dense=NORTH))
        assert ids(hits) == [identity("newer")]
