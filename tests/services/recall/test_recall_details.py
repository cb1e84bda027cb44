"""What a request may ask for besides a question: policy, time, context, history, a revision."""

from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.api.recall import QuestionIntent
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.user import UserSettings, UserState
from palimpsest_server.stores.memories import RecordedRecall
from tests.support.services.recall.world import NOW, World

ATLAS = Scope(user_id="ada", agent_id="coach", project_id="atlas")


class AskingContract:
    async def test_a_message_that_says_little_is_found_by_what_came_before_it(
        self, world: World
    ) -> None:
        await world.remembered("登录页面的第一个方案是手机验证码登录")
        await world.remembered("女儿喜欢画画")
        assert await world.recalled("好的就这么办") == []
        before = ["登录页面有两个方案", "第一个方案是验证码，第二个是扫码"]
        found = await world.recalled("好的按第一个方案办", context=before)
        assert found[0] == "登录页面的第一个方案是手机验证码登录"

    async def test_a_sigh_finds_nothing_but_what_came_before_it_does(self, world: World) -> None:
        await world.remembered("登录页面的第一个方案是手机验证码登录")
        alone = await world.recall("嗯嗯")
        assert (alone.results, alone.gated) == ((), True)
        found = await world.recalled("嗯嗯", context=["登录页面的第一个方案是手机验证码登录吗"])
        assert found == ["登录页面的第一个方案是手机验证码登录"]

    async def test_a_time_in_the_question_moves_up_what_happened_then(self, world: World) -> None:
        for days, sequence in ((3, 1), (30, 20), (300, 40)):
            await world.said(
                "we went hiking in the hills",
                sequence=sequence,
                at=NOW - timedelta(days=days),
            )
        question = {"query": "where did we go hiking in February?", "limit": 3}
        (first, *others) = (await world.recall(**question)).results  # type: ignore[arg-type]
        assert first.occurred_at.month in {1, 2}
        assert len(others) == 2

    async def test_a_time_that_holds_nothing_drops_nothing(self, world: World) -> None:
        await world.said("we went hiking in the hills")
        assert await world.recalled("did we go hiking in May 2019?") != []

    async def test_a_span_of_time_is_kept_to(self, world: World) -> None:
        for days, sequence in ((3, 1), (30, 20)):
            await world.said(f"hiking {days}", sequence=sequence, at=NOW - timedelta(days=days))
        week_ago = (NOW - timedelta(days=7)).isoformat()
        assert await world.recalled("hiking", since=week_ago) == ["hiking 3"]
        assert await world.recalled("hiking", until=week_ago) == ["hiking 30"]

    async def test_a_span_of_time_is_kept_to_within_a_second(self, world: World) -> None:
        noon = NOW.replace(microsecond=0)
        for part, sequence in ((200, 1), (700, 20)):
            said_at = noon + timedelta(milliseconds=part)
            await world.said(f"hiking {part}", sequence=sequence, at=said_at)
        half = (noon + timedelta(milliseconds=500)).isoformat()
        assert await world.recalled("hiking", since=half) == ["hiking 700"]
        assert await world.recalled("hiking", until=half) == ["hiking 200"]

    async def test_a_token_budget_is_kept_to_and_shorter_ones_may_follow(
        self, world: World
    ) -> None:
        await world.said("oolong tea " + "and more of it " * 20, sequence=1)
        await world.said("my oolong tea", sequence=20)
        answer = await world.recall("oolong tea", token_budget=20, include=["explanation"])
        assert [result.content for result in answer.results] == ["my oolong tea"]
        assert "over_budget" in {one.why for one in answer.fell_out}

    async def test_the_explanation_tells_why_others_fell_out(self, world: World) -> None:
        turn = await world.said("oolong tea from the market", sequence=1)
        other = await world.said("oolong tea from the shop", sequence=20)
        lapsed = await world.remembered("green oolong tea", status=Status.FORGOTTEN, projected=True)
        hidden = await world.remembered("black oolong tea", status=Status.ARCHIVED)
        answer = await world.recall("oolong tea market", limit=2, include=["explanation"])
        why = {one.id: one.why for one in answer.fell_out}
        assert {result.id for result in answer.results} == {turn.id, other.id}
        assert why[lapsed.id] == "no_longer_holds"
        assert why.get(hidden.id) in {"not_active", "beyond_limit"}
        answer = await world.recall("oolong tea market", limit=1, include=["explanation"])
        assert {one.id: one.why for one in answer.fell_out}[other.id] == "beyond_limit"
        assert (await world.recall("oolong tea market", limit=1)).fell_out == ()
        gated = await world.recall("xyzzy plugh", include=["explanation"])
        assert {one.why for one in gated.fell_out} == {"gated"}

    async def test_layered_multiplies_by_importance(self, world: World) -> None:
        await world.remembered("oolong tea in the morning", importance=0.2)
        await world.remembered("oolong tea with milk", ATLAS, importance=1.0)
        answer = await world.recall(
            "oolong tea in the morning",
            agent_id="coach",
            project_id="atlas",
            policy="layered",
            include=["explanation"],
        )
        for result in answer.results:
            assert result.parts is not None
            assert result.parts.cosine is not None
            assert result.importance is not None
            assert result.score == pytest.approx(result.parts.cosine * result.importance)
            assert result.importance_level == result.importance * 10
        assert answer.results[0].content == "oolong tea with milk"

    async def test_blended_looks_at_when_a_memory_was_last_recalled(self, world: World) -> None:
        old = await world.remembered("oolong tea at home")
        fresh = await world.remembered("oolong tea at work")
        for memory, days in ((old, 90), (fresh, 0)):
            await world.memories.count(
                [
                    RecordedRecall(
                        user_id="ada",
                        recall_id=memory.id,
                        memory_ids=(memory.id,),
                        at=NOW - timedelta(days=days),
                    )
                ]
            )
        answer = await world.recall("oolong tea", policy="blended", include=["explanation"])
        assert [result.id for result in answer.results] == [fresh.id, old.id]
        recency = [result.parts.recency for result in answer.results if result.parts]
        assert recency == [pytest.approx(0.2), pytest.approx(0.2 * 0.049787, abs=1e-5)]

    async def test_gated_keeps_to_what_is_relevant_and_companion_to_500_characters(
        self, world: World
    ) -> None:
        words = " ".join(f"word{number}" for number in range(60))
        await world.remembered(f"oolong tea {words}")
        await world.remembered("oolong tea")
        await world.remembered("tea and cake and a long walk by the river on Sunday")
        assert await world.recalled("oolong tea", policy="gated") == ["oolong tea"]
        kept = await world.recalled("oolong tea", policy="companion")
        assert kept[0] == "oolong tea"
        assert sum(map(len, kept)) < 500

    async def test_policies_rank_memories_and_no_turns(self, world: World) -> None:
        await world.said("oolong tea, said Ada")
        for policy in ("layered", "blended", "gated", "companion"):
            assert await world.recalled("oolong tea", policy=policy) == []
            assert await world.recalled("oolong", policy=policy, records=["turn"]) == []

    async def test_nonsense_opens_no_policy(self, world: World) -> None:
        await world.remembered("Ada drinks oolong tea")
        for policy in ("layered", "blended", "gated", "companion"):
            assert (await world.recall("xyzzy plugh", policy=policy)).gated

    @pytest.mark.parametrize("policy", ["default", "layered", "blended", "gated", "companion"])
    async def test_by_how_much_the_gate_was_open_is_explained_with_every_policy(
        self, world: World, policy: str
    ) -> None:
        await world.remembered("Ada drinks oolong tea")
        for question, is_open in (("does Ada drink oolong tea?", True), ("xyzzy plugh", False)):
            answer = await world.recall(question, policy=policy, include=["explanation"])
            assert answer.gate_margin is not None
            assert (answer.gate_margin >= 0) == is_open
            assert (await world.recall(question, policy=policy)).gate_margin is None

    @pytest.mark.parametrize(
        ("question", "intent"),
        [
            ("does Ada drink oolong tea?", QuestionIntent.GENERAL),
            ("Where do I live?", QuestionIntent.ATTRIBUTE),
            ("我住在哪里？", QuestionIntent.ATTRIBUTE),
            ("What happened last week?", QuestionIntent.TIME),
            ("What did we talk about last time?", QuestionIntent.EARLIER_CONVERSATION),
            ("上次我们聊了什么？", QuestionIntent.EARLIER_CONVERSATION),
            ("What did you just say?", QuestionIntent.LAST_WORDS),
            ("What do I still have to do?", QuestionIntent.TODOS),
            ("我还有什么待办？", QuestionIntent.TODOS),
        ],
    )
    async def test_what_a_question_was_understood_to_ask_for_is_explained(
        self, world: World, question: str, intent: QuestionIntent
    ) -> None:
        answer = await world.recall(question, include=["explanation"])
        assert answer.intent is intent
        assert (await world.recall(question)).intent is None

    async def test_a_revision_that_does_not_come_is_said_to_be_stale(self, world: World) -> None:
        await world.remembered("Ada drinks oolong tea")
        answer = await world.recall("oolong", min_revision=7)
        assert answer.stale
        assert answer.results
        assert not (await world.recall("oolong", min_revision=0)).stale
        assert not (await world.recall("oolong")).stale

    async def test_words_of_time_are_meant_in_the_users_zone(self, world: World) -> None:
        settings = UserSettings(time_zone="Asia/Shanghai")
        world.states.by_user["ada"] = UserState(settings=settings)
        # 23:00 UTC is the next morning in Shanghai.
        late = datetime(2026, 2, 28, 23, tzinfo=UTC)
        await world.said("跑步五公里", sequence=1, at=late)
        await world.said("跑步五公里", sequence=20, at=late - timedelta(hours=12))
        (first, *_) = (await world.recall("3月1日跑步五公里了吗")).results
        assert first.occurred_at == late


class TestOnTwins(AskingContract):
    """The world of `conftest.py`."""


class TestOnEmbeddedStores(AskingContract):
    @pytest.fixture
    def world(self, embedded_world: World) -> World:
        return embedded_world
