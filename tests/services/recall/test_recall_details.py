"""What a request may ask for besides a question: policy, time, context, history, a revision."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from palimpsest.api.recall import NameLink, QuestionIntent
from palimpsest.model.change_set import MemoryChange
from palimpsest.model.entity import EntityKind
from palimpsest.model.memory import Memory, Relation, RelationType, Status
from palimpsest.model.scope import Scope
from palimpsest.model.user import UserSettings, UserState
from palimpsest_server.domain.entities.entity_overlay import EntityOverlay, collect_entity_keys
from palimpsest_server.stores.memories import RecordedRecall
from tests.support.services.recall.world import NOW, World

ATLAS = Scope(user_id="ada", agent_id="coach", project_id="atlas")


async def moved_from_vue_to_react(world: World) -> tuple[Memory, Memory]:
    vue = await world.said("我喜欢用 Vue 写商品页", sequence=1)
    await world.said("好的，我用 Vue 搭商品页", sequence=2)
    react = await world.said("商品页改用 React 了", sequence=9)
    new = await world.remembered("用户改用 React", quotes=react, projected=True)
    old = await world.remembered(
        "用户喜欢用 Vue 写商品页",
        quotes=vue,
        status=Status.SUPERSEDED,
        superseded_by=new.id,
        valid_until=NOW - timedelta(days=3),
        projected=True,
    )
    return old, new


class AskingContract:
    async def test_what_was_superseded_leads_to_what_holds_now(self, world: World) -> None:
        old, new = await moved_from_vue_to_react(world)
        results = (await world.recall("商品页用 Vue 吗", include=["explanation"])).results
        assert results[0].id == new.id
        assert old.id not in {result.id for result in results}
        parts = results[0].parts
        assert parts is not None
        assert parts.succession > 0
        contents = [result.content for result in results]
        assert contents.index("用户改用 React") < contents.index("我喜欢用 Vue 写商品页")
        assert contents.index("用户改用 React") < contents.index("好的，我用 Vue 搭商品页")

    async def test_it_leads_on_where_the_projection_knows_only_the_first_step(
        self, world: World
    ) -> None:
        now = await world.remembered("Ada lives in Oslo", projected=True)
        between = await world.remembered(
            "Ada lives in Rome", status=Status.SUPERSEDED, superseded_by=now.id
        )
        await world.remembered(
            "Ada lives in Paris",
            status=Status.SUPERSEDED,
            superseded_by=between.id,
            projected=True,
        )
        assert await world.recalled("does Ada live in Paris?") == ["Ada lives in Oslo"]

    @pytest.mark.parametrize("became", [Status.ARCHIVED, Status.FORGOTTEN])
    async def test_it_leads_nowhere_where_what_took_its_place_is_not_to_be_shown(
        self, world: World, became: Status
    ) -> None:
        heir = await world.remembered("Ada lives in Rome", status=became)
        await world.remembered(
            "Ada lives in Paris",
            status=Status.SUPERSEDED,
            superseded_by=heir.id,
            projected=True,
        )
        async with asyncio.timeout(60):
            assert await world.recalled("does Ada live in Paris?") == []

    async def test_a_question_about_the_past_finds_what_was(self, world: World) -> None:
        old, _ = await moved_from_vue_to_react(world)
        for asked in (
            await world.recall("商品页以前喜欢用什么写"),
            await world.recall("商品页喜欢用什么写", include=["history"]),
        ):
            (was,) = [result for result in asked.results if result.id == old.id]
            assert (was.status, was.valid_until) == (Status.SUPERSEDED, old.valid_until)

    async def test_a_turn_that_states_what_was_forgotten_comes_last(self, world: World) -> None:
        turn = await world.said("I take my oolong tea with milk", sequence=1)
        await world.remembered(
            "takes oolong tea with milk", quotes=turn, status=Status.FORGOTTEN, projected=True
        )
        await world.said("the oolong market opens at nine", sequence=20)
        assert await world.recalled("do I take my oolong tea with milk?") == [
            "the oolong market opens at nine",
            "I take my oolong tea with milk",
        ]

    async def test_history_tells_what_a_memory_took_the_place_of(self, world: World) -> None:
        first = await world.remembered("Ada lives in Rome", status=Status.SUPERSEDED)
        then = await world.remembered(
            "Ada lives in Paris", status=Status.SUPERSEDED, supersedes=(first.id,)
        )
        await world.remembered("Ada lives in Oslo", supersedes=(then.id,))
        answer = await world.recall("where does Ada live, Oslo?", include=["history"])
        (now,) = [result for result in answer.results if result.content == "Ada lives in Oslo"]
        assert {memory.content for memory in now.history} == {
            "Ada lives in Rome",
            "Ada lives in Paris",
        }
        (now, *_) = (await world.recall("Ada lives in Oslo")).results
        assert now.history == ()

    @pytest.mark.parametrize("policy", ["default", "layered", "blended", "companion"])
    @pytest.mark.parametrize(
        ("question", "contents"),
        [
            ("where does Ada live?", ["Ada lives in Boston", "Ada lives in Seattle", "home is Austin, where does she live"]),
            ("我住在哪里", ["我住在北京", "我住在上海", "我现在搬到深圳，住在南山"]),
        ],
    )  # fmt: skip
    async def test_with_history_what_stands_comes_first_and_tells_what_it_took_the_place_of(
        self, world: World, question: str, contents: list[str], policy: str
    ) -> None:
        first, second, now = contents
        heir = await world.remembered(now, projected=True)
        between = await world.remembered(
            second, status=Status.SUPERSEDED, superseded_by=heir.id, projected=True
        )
        old = await world.remembered(
            first, status=Status.SUPERSEDED, superseded_by=between.id, projected=True
        )
        await self._supersedes(world, between, old)
        await self._supersedes(world, heir, between)
        without = await world.recall(question, policy=policy, limit=1)
        for limit in (1, 4):
            answer = await world.recall(question, policy=policy, limit=limit, include=["history"])
            assert answer.results[0].id == without.results[0].id == heir.id
            assert {memory.content for memory in answer.results[0].history} == {first, second}
            assert all(result.status is Status.SUPERSEDED for result in answer.results[1:])

    @staticmethod
    async def _supersedes(world: World, memory: Memory, old: Memory) -> None:
        after = memory.model_copy(update={"supersedes": (old.id,), "version": 2})
        before = (await world.memories.by_ids([memory.scope], [memory.id]))[0]
        await world.memories.apply([MemoryChange(before=before, after=after)])

    async def test_the_graph_tells_what_a_memory_is_related_to_and_nothing_of_others(
        self, world: World
    ) -> None:
        tea = await world.remembered("Ada buys her tea at the market")
        foreign = await world.remembered("a secret", Scope(user_id="bob"))
        await world.remembered(
            "Ada drinks oolong",
            entities=("Ada", "oolong"),
            relations=(
                Relation(type=RelationType.REFINES, memory_id=tea.id, strength=0.7),
                Relation(type=RelationType.SUPPORTS, memory_id=foreign.id),
            ),
        )
        (result, *_) = (await world.recall("oolong", include=["graph"])).results
        assert result.entities == ("Ada", "oolong")
        (related,) = result.related
        assert (related.type, related.content, related.strength) == (
            RelationType.REFINES,
            tea.content,
            0.7,
        )

    async def test_the_graph_tells_what_names_the_same_and_nothing_of_others(
        self, world: World
    ) -> None:
        market = await world.remembered("Ada buys her tea at the market", entities=("Ada",))
        secret = await world.remembered("Ada is a spy", Scope(user_id="bob"), entities=("Ada",))
        oolong = await world.remembered("Ada drinks oolong", entities=("Ada", "oolong"))
        overlay = EntityOverlay()
        overlay.read(
            {key for memory in (market, secret, oolong) for key in collect_entity_keys(memory)}, ()
        )
        changes = [MemoryChange(before=None, after=memory) for memory in (market, secret, oolong)]
        await world.entities.write([change.after for change in overlay.following(changes)])
        (result, *_) = (await world.recall("oolong", include=["graph"])).results
        (linked,) = result.related
        assert (linked.type, linked.entity, linked.content) == (
            NameLink.SHARES_ENTITY,
            "Ada",
            market.content,
        )

    async def test_the_graph_tells_kinds_of_names_and_first_what_shares_most_of_them(
        self, world: World
    ) -> None:
        said = [
            ("Nora works at Globex", ("Nora", "Globex")),
            ("Globex is headquartered in Lisbon", ("Globex", "Lisbon")),
            ("Nora runs the canteen of Globex", ("Nora", "Globex")),
            ("Nora plays chess", ("Nora",)),
            ("Nora likes tea", ("Nora",)),
        ]
        memories = [await world.remembered(text, entities=names) for text, names in said]
        overlay = EntityOverlay()
        overlay.read({key for memory in memories for key in collect_entity_keys(memory)}, ())
        changes = [MemoryChange(before=None, after=memory) for memory in memories]
        await world.entities.write([change.after for change in overlay.following(changes)])
        answer = await world.recall("where does Nora work, at Globex?", include=["graph"])
        (result,) = [
            recall_result
            for recall_result in answer.results
            if recall_result.content == "Nora works at Globex"
        ]
        assert result.entity_kinds == {
            "Nora": EntityKind.PERSON,
            "Globex": EntityKind.ORGANISATION,
        }
        assert [(memory.content, memory.entity_kind, memory.strength) for memory in result.related][
            :2
        ] == [
            ("Nora runs the canteen of Globex", EntityKind.ORGANISATION, 0.75),
            ("Globex is headquartered in Lisbon", EntityKind.ORGANISATION, 0.5),
        ]

    async def test_of_what_a_memory_is_related_to_only_what_holds_is_told(
        self, world: World
    ) -> None:
        holds = await world.remembered("Ada buys her tea at the market", kind="preference")
        others = [
            await world.remembered("Ada bought it at the shop", status=Status.SUPERSEDED),
            await world.remembered("Ada is out of tea", valid_until=NOW - timedelta(hours=1)),
            await world.remembered("Ada hates tea", status=Status.PENDING),
        ]
        later = await world.remembered("Ada grows tea", valid_from=NOW - timedelta(minutes=5))
        await world.remembered(
            "Ada drinks oolong",
            relations=[
                Relation(type=RelationType.REFINES, memory_id=other.id)
                for other in (holds, *others, later)
            ],
        )

        async def told(**fields: object) -> set[str]:
            asked = await world.recall("oolong", "ada", include=["graph"], **fields)
            (result, *_) = asked.results
            return {memory.id for memory in result.related}

        assert await told() == await told(kinds=["fact"]) == {holds.id, later.id}
        then = (NOW - timedelta(minutes=30)).isoformat()
        assert later.id not in await told(as_of=then)

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
