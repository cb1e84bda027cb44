"""Results lead to what they took the place of, to what took their place, and to the graph."""

import asyncio
from datetime import timedelta

import pytest

from palimpsest.api.recall import NameLink
from palimpsest.model.change_set import MemoryChange
from palimpsest.model.entity import EntityKind
from palimpsest.model.memory import Memory, Relation, RelationType, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.entities.entity_overlay import EntityOverlay, collect_entity_keys
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


class LeadingContract:
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


class TestOnTwins(LeadingContract):
    """The world of `conftest.py`."""


class TestOnEmbeddedStores(LeadingContract):
    @pytest.fixture
    def world(self, embedded_world: World) -> World:
        return embedded_world
