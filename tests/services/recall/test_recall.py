"""What recall returns, and all that it must not."""

import asyncio
from datetime import timedelta
from operator import mul

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from palimpsest_server.domain.ranking.ranking_features import RankingFeatures
from palimpsest_server.domain.ranking.ranking_policy import DIALOGUE
from palimpsest_server.domain.ranking.weight_fitting import read_weights
from palimpsest_server.embedders.embedder import QueryVectors
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.models.token_counter import get_token_counter
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from services.recall.recall import CROWD
from tests.support.services.recall.world import NOW, World
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.turns import InMemoryTurns

ADA = Scope(user_id="ada")
COACH = Scope(user_id="ada", agent_id="coach")
ATLAS = Scope(user_id="ada", agent_id="coach", project_id="atlas")
EVERYWHERE = {"agent_id": "coach", "project_id": "atlas"}


HOSTILE = [
    ("a_b", "c"), ("a", "b_c"), ("ada", None), ("ada", "shared"), ("ada", "none"), ("ada", "null"),
    ("ada/..", "x"), ("ada", "a b.c"), ("小明", "助手"), ("小明", None), ("🐦", "🐦"), ("u" * 200, "a" * 200),
]  # fmt: skip


class RecallContract:
    """The same promises on the in-memory twins and on the embedded stores."""

    async def test_a_memory_comes_back_with_its_evidence(self, world: World) -> None:
        memory = await world.remembered("Ada drinks oolong tea", subject="Ada", attribute="drink")
        (result,) = (await world.recall("which tea does Ada drink?")).results
        assert result.id == memory.id
        assert result.record is RecordType.MEMORY
        assert result.content == "Ada drinks oolong tea"
        assert result.evidence == memory.evidence
        assert (result.subject, result.attribute, result.status) == ("Ada", "drink", Status.ACTIVE)
        assert result.score > 0

    async def test_a_turn_comes_back_as_its_own_evidence(self, world: World) -> None:
        turn = await world.said("I drink oolong tea", speaker="Ada", sequence=3)
        (result,) = (await world.recall("oolong tea")).results
        assert (result.record, result.id, result.speaker) == (RecordType.TURN, turn.id, "Ada")
        (evidence,) = result.evidence
        assert (evidence.session_id, evidence.message_id) == ("s", "m3")
        assert (evidence.quote, evidence.said_by) == ("I drink oolong tea", Role.USER)

    async def test_what_reads_as_it_was_found_is_ranked_once(self, world: World) -> None:
        await world.remembered("Ada drinks oolong tea")
        await world.remembered("Ada gave the tea pot away")
        assert len(await world.recalled("which tea does Ada drink?")) == 2
        ranked = "palimpsest_recall_step_duration_seconds_count"
        assert world.counted(ranked, step="rank") == 1
        assert world.counted("palimpsest_recall_returned_memories_total") == 2

    async def test_chinese_is_found_by_its_words(self, world: World) -> None:
        await world.said("我最喜欢喝乌龙茶")
        await world.remembered("小明住在上海")
        assert await world.recalled("喜欢喝什么茶") == ["我最喜欢喝乌龙茶"]

    async def test_nonsense_returns_nothing(self, world: World) -> None:
        await world.remembered("Ada drinks oolong tea")
        for nonsense in ("xyzzy plugh", "?!…", "🎉"):
            response = await world.recall(nonsense)
            assert (response.results, response.gated) == ((), True)
        assert not (await world.recall("oolong")).gated

    async def test_each_result_has_its_relevance_and_its_access_counters_when_asked(
        self, world: World
    ) -> None:
        await world.remembered("Ada drinks oolong tea")
        (result,) = (await world.recall("oolong tea", include=["accesses"])).results
        assert result.relevance is not None
        assert 0.7 <= result.relevance <= 1.0
        assert result.accesses is not None
        assert (result.accesses.count, result.accesses.last_at) == (0, None)
        (plain,) = (await world.recall("oolong tea")).results
        assert plain.accesses is None

    async def test_greetings_and_thanks_return_nothing_however_near(self, world: World) -> None:
        await world.remembered("says hi and thanks a lot to the oolong seller")
        await world.remembered("用户常对邻居说你好、谢谢")
        for query in ("hi", "Thanks a lot!", "你好", "谢谢，帮大忙了"):
            response = await world.recall(query)
            assert (response.results, response.gated) == ((), True)
        assert not (await world.recall("thanks", context=["oolong seller"])).gated

    async def test_the_score_is_explained_when_asked(self, world: World) -> None:
        await world.said("do you like oolong tea?", sequence=1)
        await world.said("oolong tea, said Ada, oolong all day", speaker="Ada", sequence=2)
        await world.said("and tea for the cat", sequence=3)
        results = (await world.recall("Ada oolong tea", include=["explanation"])).results
        (first,) = [result for result in results if result.speaker == "Ada"]
        parts = first.parts
        assert parts is not None
        whole = parts.dense + parts.sparse + parts.neighbours + parts.speaker + parts.length
        assert first.score == pytest.approx(whole)
        assert parts.speaker > 0
        assert parts.neighbours > 0
        assert parts.cosine is not None
        (unexplained, *_) = (await world.recall("Ada oolong tea")).results
        assert unexplained.parts is None

    async def test_what_was_returned_leaves_a_trace_of_what_its_ranking_was_made_of(
        self, world: World
    ) -> None:
        memory = await world.remembered("Ada drinks oolong tea")
        turn = await world.said("oolong tea from the market", sequence=20)
        answer = await world.recall("oolong tea", include=["explanation"])
        await world.access_log.flush()
        (accessed,) = world.published.accesses
        assert (accessed.recall_id, accessed.memory_ids) == (answer.recall_id, (memory.id,))
        signs = {ranked_result.id: ranked_result.signs for ranked_result in accessed.returned}
        assert signs.keys() == {memory.id, turn.id}
        for result in answer.results:
            assert result.parts is not None
            weighed = sum(map(mul, signs[result.id], read_weights(DIALOGUE)))
            assert weighed == pytest.approx(result.score, abs=1e-3)

    async def test_a_turn_is_found_by_what_was_said_beside_it(self, world: World) -> None:
        await world.said("which tea do you drink, Ada?", sequence=1)
        await world.said("only oolong", sequence=2, found=False)
        await world.said("good to know", sequence=3, found=False)
        contents = await world.recalled("which tea does she drink?")
        assert contents == ["which tea do you drink, Ada?", "only oolong"]

    async def test_a_memory_and_the_turn_it_quotes_leave_room_for_another(
        self, world: World
    ) -> None:
        turn = await world.said("I drink oolong tea every day", sequence=1)
        memory = await world.remembered("I drink oolong tea every day", quotes=turn)
        await world.said("tea from a market", sequence=20)
        response = await world.recall("oolong tea", limit=2)
        assert response.results[0].id in {memory.id, turn.id}
        assert response.results[1].content == "tea from a market"
        assert len((await world.recall("oolong tea", limit=3)).results) == 3

    async def test_filler_is_no_result_and_leads_to_what_stands_beside_it(
        self, world: World
    ) -> None:
        for number in range(1, 10):
            await world.said("ok", speaker="Nora", sequence=10 * number)
        await world.said("the piano was tuned on Monday", speaker="Bo", sequence=91, found=False)
        await world.remembered("Nora plays the cello")
        assert await world.recalled("Nora", limit=2) == ["Nora plays the cello"]
        for text, sequence in (("Nora, 记住了。", 1), ("好的，谢谢。", 2)):
            await world.said(text, session="z", sequence=sequence)
        assert "好的，谢谢。" not in await world.recalled("好的谢谢")

    async def test_filler_that_was_projected_before_it_was_known_as_such_is_no_result(
        self, world: World
    ) -> None:
        for number in range(1, 4):
            turn = await world.said("Got it, thanks!", sequence=10 * number, found=False)
            await world.project(
                turn.id, RecordType.TURN, ADA, "got thanks", session_id="s", sequence=10 * number,
                features=RankingFeatures(stated_length=15),
            )  # fmt: skip
        await world.remembered("Ada got a violin and gave thanks for it")
        answer = await world.recall("what has Ada got, thanks?", limit=2, include=["explanation"])
        assert [result.content for result in answer.results] == [
            "Ada got a violin and gave thanks for it"
        ]
        assert {one.why for one in answer.fell_out} == {"says_nothing"}

    @pytest.mark.parametrize("record", ["memory", "turn"])
    async def test_one_fact_said_six_ways_leaves_room_for_others(
        self, world: World, record: str
    ) -> None:
        oolong = ["我喜欢喝乌龙茶", "我最爱喝乌龙", "乌龙茶是我最喜欢喝的茶", "平时我都喝乌龙茶", "我只喜欢喝乌龙茶", "我就爱喝乌龙茶"]  # fmt: skip
        others = ["早上我要喝一杯意式浓缩", "周末偶尔喝点红酒"]
        for number, content in enumerate([*oolong, *others]):
            if record == "memory":
                await world.remembered(content)
            else:
                await world.said(content, sequence=10 * number + 1)
        found = await world.recalled("我喜欢喝什么？", limit=6)
        assert len(found) == 6
        assert set(others) < set(found)
        assert len(await world.recalled("我喜欢喝什么？", limit=8)) == 8
        counted = get_token_counter()
        budget = 3 * max(map(counted, oolong)) + sum(map(counted, others))
        within = await world.recalled("我喜欢喝什么？", limit=8, token_budget=budget)
        assert set(others) < set(within)

    async def test_all_layers_are_searched_and_each_can_be_asked_for(self, world: World) -> None:
        await world.remembered("tea for Ada", ADA)
        await world.remembered("tea for the coach", COACH)
        await world.remembered("tea for atlas", ATLAS)
        assert len(await world.recalled("tea", **EVERYWHERE)) == 3
        assert set(await world.recalled("tea", agent_id="coach")) == {
            "tea for Ada",
            "tea for the coach",
        }
        assert await world.recalled("tea") == ["tea for Ada"]
        assert await world.recalled("tea", layers=["project"], **EVERYWHERE) == ["tea for atlas"]
        assert await world.recalled("tea", layers=["project"], agent_id="coach") == []

    async def test_records_and_kinds_can_be_asked_for(self, world: World) -> None:
        await world.said("tea, said long ago")
        await world.remembered("tea as a fact")
        await world.remembered("tea as a goal", kind="goal")
        assert await world.recalled("tea", records=["turn"]) == ["tea, said long ago"]
        assert set(await world.recalled("tea", records=["memory"])) == {
            "tea as a fact",
            "tea as a goal",
        }
        assert await world.recalled("tea", kinds=["goal"]) == ["tea as a goal"]
        assert await world.recalled("tea", kinds=["goal"], records=["turn"]) == []

    async def test_only_named_memories_answer_whatever_the_question_asks_for(
        self, world: World
    ) -> None:
        await world.said("I moved to Rome, where tea is rare")
        rome = await world.remembered("I live in Rome", subject="user", attribute="home")
        tea = await world.remembered("Ada drinks tea in Rome", scope=ADA)
        of_coach = await world.remembered("Rome has tea", scope=COACH)
        for question in ("tea in Rome", "Where do I live?"):
            named = [tea.id, of_coach.id, "no id", "{"]
            assert set(await world.recalled(question, memory_ids=named)) <= {tea.content}
        assert await world.recalled("tea in Rome", memory_ids=[tea.id]) == [tea.content]
        assert await world.recalled("Where do I live?", memory_ids=[rome.id]) == [rome.content]
        assert await world.recalled("tea in Rome", memory_ids=[]) == []
        assert await world.recalled(
            "tea in Rome", memory_ids=[tea.id], policy="gated"
        ) == await world.recalled("tea in Rome", memory_ids=[tea.id])

    @pytest.mark.parametrize(
        "status", [status for status in Status if status not in {Status.ACTIVE, Status.PURGED}]
    )
    async def test_only_active_memories_are_shown_whatever_the_projection_says(
        self, world: World, status: Status
    ) -> None:
        await world.remembered("the canary sings", status=status)
        assert await world.recalled("canary") == []
        assert world.counted("palimpsest_recall_dropped_hits_total", why="not_active") == 1

    async def test_what_may_not_be_shown_leaves_its_place_to_what_comes_next(
        self, world: World
    ) -> None:
        for number in range(6):
            await world.remembered(f"oolong tea {number}", status=Status.FORGOTTEN)
        await world.remembered("Ada drinks oolong tea in the long evenings of winter")
        await world.remembered("Ada also has a pot for oolong tea somewhere in the kitchen")
        assert len(await world.recalled("oolong tea", limit=2)) == 2

    @pytest.mark.parametrize(
        ("fields", "why"),
        [
            ({"valid_until": NOW}, "no_longer_valid"),
            ({"expires_at": NOW - timedelta(seconds=1)}, "no_longer_valid"),
            ({"epoch": 0}, "erased"),
        ],
    )
    async def test_what_is_over_or_erased_is_not_shown(
        self, world: World, fields: dict[str, object], why: str
    ) -> None:
        world.states.erase("ada", epoch=1)
        await world.remembered("the canary sings", details={"epoch": 1, **fields})
        await world.said("a canary that was erased", epoch=0)
        assert await world.recalled("canary") == []
        assert world.counted("palimpsest_recall_dropped_hits_total", why=why) >= 1

    async def test_what_begins_later_or_ends_later_is_shown(self, world: World) -> None:
        await world.remembered("the flight leaves soon", valid_from=NOW + timedelta(days=3))
        await world.remembered("the flight is booked", valid_until=NOW + timedelta(days=3))
        assert len(await world.recalled("flight")) == 2

    async def test_asked_about_a_moment_what_held_then_is_shown_and_what_was_said_later_is_not(
        self, world: World
    ) -> None:
        then, since = NOW - timedelta(days=150), NOW - timedelta(days=30)
        past = {"status": Status.SUPERSEDED, "valid_from": then, "valid_until": since}
        await world.remembered("the framework is Vue", details=past)
        await world.remembered("the framework is React", valid_from=since)
        await world.remembered(
            "the framework is Ember", details={**past, "status": Status.FORGOTTEN}
        )
        await world.said("the framework I use is React")
        assert await world.recalled("framework", as_of=then) == ["the framework is Vue"]
        assert await world.recalled("framework", as_of=since) == ["the framework is React"]
        assert await world.recalled("framework", as_of=then - timedelta(days=1)) == []
        assert "the framework is Vue" not in await world.recalled("framework")

    async def test_a_hit_that_names_another_scope_than_its_document_is_dropped(
        self, world: World
    ) -> None:
        await world.remembered("a canary of the coach", COACH, found_as=ADA)
        await world.remembered("a canary of bob", Scope(user_id="bob"), found_as=ADA)
        assert await world.recalled("canary") == []
        assert world.counted("palimpsest_recall_dropped_hits_total", why="not_in_scope") == 2

    async def test_a_hit_without_a_document_is_dropped(self, world: World) -> None:
        await world.project(
            "3b0b6c0e-6a52-5c43-9d0e-0d0c5c1f7d11", RecordType.MEMORY, ADA, "a canary"
        )
        assert await world.recalled("canary") == []

    async def test_canaries_are_found_by_their_own_pair_and_by_no_other(self, world: World) -> None:
        for number, (user, agent) in enumerate(HOSTILE):
            scope = Scope(user_id=user, agent_id=agent)
            await world.remembered(f"canary remembered {number}", scope)
            await world.said(f"canary said {number}", scope, session=f"s{number}")
        for user, agent in HOSTILE:
            seen = {
                number
                for number, (owner, theirs) in enumerate(HOSTILE)
                if owner == user and theirs in {None, agent}
            }
            answer = await world.recalled("canary", user, agent_id=agent, limit=100)
            assert sorted(answer) == sorted(
                f"canary {how} {number}" for number in seen for how in ("remembered", "said")
            )

    async def test_with_memory_off_nothing_is_read(self, world: World) -> None:
        await world.remembered("Ada drinks oolong tea")
        world.states.turn_memory_off("ada")
        response = await world.recall("tea")
        assert (response.results, response.memory_enabled, response.gated) == ((), False, False)

    async def test_incognito_reads_nothing_and_counts_nothing(self, world: World) -> None:
        await world.remembered("Ada drinks oolong tea")
        response = await world.recall("tea", incognito=True)
        await world.access_log.flush()
        assert (response.results, response.memory_enabled) == ((), True)
        assert world.published.accesses == []

    async def test_a_recall_is_counted_once_for_the_memories_it_returned(
        self, world: World
    ) -> None:
        memory = await world.remembered("Ada drinks oolong tea")
        await world.said("tea it is", sequence=4)
        response = await world.recall("tea")
        assert len(response.results) == 2
        await world.access_log.flush()
        (access,) = world.published.accesses
        assert access.recall_id == response.recall_id
        assert access.memory_ids == (memory.id,)
        assert (access.user_id, access.epoch, access.received_at) == ("ada", 0, NOW)

    async def test_a_preview_is_not_traced_and_turns_alone_count_nothing(
        self, world: World
    ) -> None:
        turn = await world.said("tea it is")
        await world.recall("tea")
        await world.remembered("Ada drinks oolong tea")
        await world.recall("tea", preview=True)
        await world.access_log.flush()
        (access,) = world.published.accesses
        assert (access.memory_ids, [result.id for result in access.results]) == ((), [turn.id])

    async def test_the_same_question_gets_the_same_answer(self, world: World) -> None:
        for number in range(8):
            await world.remembered(f"tea number {number}")
        first = await world.recall("tea")
        again = await world.recall("tea")
        assert first.results == again.results
        assert first.recall_id != again.recall_id


class TestOnTwins(RecallContract):
    """The world of `conftest.py`."""


class TestOnEmbeddedStores(RecallContract):
    @pytest.fixture
    def world(self, embedded_world: World) -> World:
        return embedded_world


class Noting(HashingEmbedder):
    """Notes of each question whether it was asked in a crowd, once all of them are there."""

    def __init__(self, together: int) -> None:
        super().__init__()
        self.crowded: list[bool] = []
        self._all = asyncio.Barrier(together)

    async def embed_query(self, text: str, *, crowded: bool = False) -> QueryVectors:
        self.crowded.append(crowded)
        await self._all.wait()
        return await super().embed_query(text)


@pytest.mark.parametrize(("together", "in_a_crowd"), [(1, 0), (CROWD - 1, 0), (CROWD + 1, 2)])
async def test_from_so_many_recalls_at_a_time_on_questions_are_asked_in_a_crowd(
    together: int, in_a_crowd: int, clock: Clock
) -> None:
    embedder = Noting(together)
    vectors = InMemoryVectorStore(HashingEmbedder.model)
    world = World(InMemoryMemories(), InMemoryTurns(), vectors, clock, embedder)
    await world.said("I drink oolong tea", speaker="Ada", sequence=3)

    await asyncio.gather(*(world.recall(f"oolong {n}?") for n in range(together)))

    assert sum(embedder.crowded) == in_a_crowd
