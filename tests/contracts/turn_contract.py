"""The promises of every store of turns."""

from datetime import datetime, timedelta

from palimpsest.model.scope import Scope
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.turns import TurnPlacement, TurnStore
from tests.support.turns import MORNING, turn

NOW = MORNING
SESSION = SessionKey("lin", "s")
LIN = Scope(user_id="lin")


def new(*numbers: int) -> list[TurnPlacement]:
    return [TurnPlacement(turn(number), accepted=False) for number in numbers]


class TurnStoreContract:
    async def test_a_placed_turn_is_read_back_as_it_was(self, store: TurnStore) -> None:
        said = turn(1, agent_id="a", project_id="p", speaker="Lin", text="我下周搬到杭州。")
        assert await store.place([TurnPlacement(said, accepted=False)], now=NOW)

        kept = (await store.standing([said.id, "unknown"]))[said.id]

        assert kept.item == said
        assert kept.state is OutboxState.STORED
        assert kept.pending_since == NOW

    async def test_turns_of_a_user_are_found_by_id_in_every_place(self, store: TurnStore) -> None:
        hers = [turn(1), turn(2, agent_id="a"), turn(3, agent_id="a", project_id="p")]
        foreign = turn(1, user_id="bo")
        placements = [TurnPlacement(said, accepted=False) for said in (*hers, foreign)]
        assert await store.place(placements, now=NOW)
        ids = [said.id for said in (*hers, foreign)]
        found = await store.of_user_by_ids("lin", ids)
        assert {said.id for said in found} == {said.id for said in hers}
        assert await store.of_user_by_ids("lin", []) == []

    async def test_what_is_withheld_stays_as_it_was_said(self, store: TurnStore) -> None:
        await store.place(new(1, 2), now=NOW)
        await store.accept([turn(3, sequence=None)], now=NOW)
        await store.withhold([turn(1).id, turn(3).id, "unknown"])
        await store.withhold([])

        kept = await store.standing([turn(number).id for number in (1, 2, 3)])
        assert {kept[turn(number).id].item.withheld for number in (1, 3)} == {True}
        assert kept[turn(2).id].item == turn(2)
        assert kept[turn(1).id].item.text == turn(1).text
        assert kept[turn(1).id].state is OutboxState.STORED

    async def test_all_turns_with_one_agent_are_read_session_by_session(
        self, store: TurnStore
    ) -> None:
        with_agent = [
            turn(number, agent_id="a", session_id=session)
            for session in ("t", "s")
            for number in (1, 2)
        ]
        others = [
            turn(9),
            turn(1, agent_id="a", user_id="bo"),
            turn(3, agent_id="b", session_id="t"),
        ]
        placements = [TurnPlacement(each, accepted=False) for each in (*with_agent, *others)]
        assert await store.place(placements, now=NOW)
        await store.accept([turn(8, agent_id="a", sequence=None)], now=NOW)

        turns = await store.of_agent("lin", "a")

        assert [(each.session_id, each.sequence) for each in turns] == [
            ("s", 1),
            ("s", 2),
            ("t", 1),
            ("t", 2),
        ]
        assert [each.sequence for each in await store.of_agent("lin", None)] == [9]

    async def test_accepting_twice_keeps_the_first_and_answers_it(self, store: TurnStore) -> None:
        first = turn(1, sequence=None)
        assert await store.accept([first, turn(2, sequence=None)], now=NOW) == {}

        again = turn(1, sequence=None, text="something else")
        stood = await store.accept([again, turn(3, sequence=None)], now=NOW)

        assert {each: kept.item.text for each, kept in stood.items()} == {first.id: first.text}
        assert len(await store.standing([turn(number).id for number in (1, 2, 3)])) == 3

    async def test_what_was_received_long_ago_is_found_and_removed(self, store: TurnStore) -> None:
        later = NOW + timedelta(days=1)
        young = TurnPlacement(turn(3).model_copy(update={"received_at": later}), accepted=False)
        await store.place([*new(1, 2), young], now=NOW)
        await store.accept([turn(4, sequence=None)], now=NOW)

        old = await store.received_before(later, limit=10)
        assert {each.sequence for each in old} == {1, 2}
        assert len(await store.received_before(later, limit=1)) == 1

        await store.remove([each.id for each in old])
        assert await store.received_before(later, limit=10) == []
        assert [each.sequence for each in await store.stretch(SESSION, after=0, limit=9)] == [3]

    async def test_a_turn_says_behind_which_end_it_was_placed(self, store: TurnStore) -> None:
        await store.accept([turn(2, sequence=None)], now=NOW)
        placements = [
            TurnPlacement(turn(1), accepted=False, behind_end="first end"),
            TurnPlacement(turn(2), accepted=True, behind_end="second end"),
            TurnPlacement(turn(3), accepted=False),
        ]
        assert await store.place(placements, now=NOW)

        standing = await store.standing([turn(number).id for number in (1, 2, 3)])

        ends = {kept.item.sequence: kept.behind_end for kept in standing.values()}
        assert ends == {1: "first end", 2: "second end", 3: None}

    async def test_an_accepted_turn_takes_its_place_once(self, store: TurnStore) -> None:
        await store.accept([turn(1, sequence=None)], now=NOW)

        assert await store.place([TurnPlacement(turn(1), accepted=True)], now=NOW)
        assert not await store.place([TurnPlacement(turn(1).at(2), accepted=True)], now=NOW)

        assert await store.last_sequences([SESSION]) == {SESSION: 1}

    async def test_an_accepted_turn_is_placed_in_the_project_of_its_session(
        self, store: TurnStore
    ) -> None:
        await store.accept([turn(1, sequence=None)], now=NOW)

        placed = turn(1, project_id="alpha")
        assert await store.place([TurnPlacement(placed, accepted=True)], now=NOW)

        assert (await store.standing([placed.id]))[placed.id].item == placed

    async def test_a_taken_number_is_refused_and_nothing_after_it_is_kept(
        self, store: TurnStore
    ) -> None:
        await store.place(new(1, 2), now=NOW)

        late = [TurnPlacement(turn(3), accepted=False)]
        late += [
            TurnPlacement(turn(7).at(2), accepted=False),
            TurnPlacement(turn(8).at(4), accepted=False),
        ]

        assert not await store.place(late, now=NOW)
        assert [each.message_id for each in await store.stretch(SESSION, after=0, limit=10)] == [
            "m1",
            "m2",
            "m3",
        ]

    async def test_a_turn_that_stands_is_not_placed_as_new(self, store: TurnStore) -> None:
        await store.accept([turn(1, sequence=None)], now=NOW)

        assert not await store.place(new(1), now=NOW)
        assert (await store.standing([turn(1).id]))[turn(1).id].item.sequence is None

    async def test_sessions_are_numbered_apart(self, store: TurnStore) -> None:
        others = [turn(1, user_id="bo"), turn(1, session_id="t")]
        placements = [TurnPlacement(other, accepted=False) for other in others]

        assert await store.place([*new(1, 2), *placements], now=NOW)
        sessions = [SESSION, SessionKey("bo", "s"), SessionKey("lin", "t"), SessionKey("lin", "u")]
        assert list((await store.last_sequences(sessions)).values()) == [2, 1, 1, 0]

    async def test_a_stretch_is_in_order_and_leaves_out_the_unnumbered(
        self, store: TurnStore
    ) -> None:
        await store.place(new(1, 2, 3, 4, 5), now=NOW)
        await store.accept([turn(6, sequence=None)], now=NOW)

        stretch = await store.stretch(SESSION, after=1, limit=3)

        assert [each.sequence for each in stretch] == [2, 3, 4]

    async def test_what_was_accepted_waits_for_its_number_in_order(self, store: TurnStore) -> None:
        await store.accept([turn(3, sequence=None), turn(1, sequence=None)], now=NOW)
        await store.accept([turn(2, sequence=None)], now=NOW + timedelta(seconds=1))
        await store.place(new(7), now=NOW)
        assert [each.message_id for each in await store.unnumbered()] == ["m3", "m1", "m2"]

        await store.place([TurnPlacement(turn(1).at(8), accepted=True)], now=NOW)
        assert [each.message_id for each in await store.unnumbered()] == ["m3", "m2"]

    async def test_marks_go_forward_only(self, store: TurnStore) -> None:
        await store.place(new(1, 2), now=NOW)
        first, second = turn(1).id, turn(2).id
        await store.mark([first], OutboxState.PUBLISHED, now=NOW)
        await store.mark([first], OutboxState.CONFIRMED, now=NOW)
        await store.mark([first, second], OutboxState.PUBLISHED, now=NOW + timedelta(minutes=1))

        kept = await store.standing([first, second])

        assert kept[first].state is OutboxState.CONFIRMED
        assert kept[first].pending_since is None
        assert kept[second].state is OutboxState.PUBLISHED
        assert kept[second].pending_since == NOW + timedelta(minutes=1)

    async def test_what_waits_comes_in_the_order_in_which_it_came(self, store: TurnStore) -> None:
        numbers = [3, 1, 2, 5, 4]
        await store.accept([turn(number, sequence=None) for number in numbers], now=NOW)
        await store.accept([turn(9, sequence=None)], now=NOW + timedelta(hours=1))

        async def waiting(before: datetime) -> list[str]:
            due = [each.id for each in await store.due(OutboxState.STORED, before=before)]
            kept = await store.standing(due)
            return [kept[each].item.message_id for each in due]

        later = NOW + timedelta(minutes=1)
        assert await waiting(NOW) == []
        assert await waiting(later) == ["m3", "m1", "m2", "m5", "m4"]

        renewed = [turn(number).id for number in (3, 1, 2, 5)]
        await store.mark(renewed, OutboxState.STORED, now=NOW + timedelta(minutes=2))
        assert await waiting(later) == ["m4"]
        assert await waiting(NOW + timedelta(minutes=3)) == ["m4", "m3", "m1", "m2", "m5"]

    async def test_what_is_due_is_told_since_when(self, store: TurnStore) -> None:
        assert await store.due(OutboxState.STORED, before=NOW) == []
        await store.accept([turn(1, sequence=None), turn(2, sequence=None)], now=NOW)
        await store.mark([turn(2).id], OutboxState.PUBLISHED, now=NOW + timedelta(minutes=1))
        later = NOW + timedelta(minutes=2)

        assert await store.due(OutboxState.STORED, before=later) == [(turn(1).id, NOW)]
        await store.mark([turn(1).id], OutboxState.DROPPED, now=NOW)
        assert await store.due(OutboxState.STORED, before=later) == []

    async def test_turns_are_read_in_exactly_the_scopes_asked_for(self, store: TurnStore) -> None:
        agent = turn(2, agent_id="a")
        project = turn(3, agent_id="a", project_id="p")
        stranger = turn(1, user_id="bo")
        everything = [turn(1), agent, project, stranger]
        await store.place([TurnPlacement(each, accepted=False) for each in everything], now=NOW)
        ids = [each.id for each in everything]

        async def read(*scopes: Scope) -> set[str]:
            return {each.id for each in await store.by_ids(scopes, ids)}

        assert await read(LIN) == {turn(1).id}
        assert await read(LIN, Scope(user_id="lin", agent_id="a")) == {turn(1).id, agent.id}
        assert await read(Scope(user_id="lin", agent_id="a", project_id="p")) == {project.id}
        assert await read(Scope(user_id="lin", project_id="p")) == set()
        assert await read() == set()

    async def test_neighbours_are_read_by_place_and_scope(self, store: TurnStore) -> None:
        hidden = turn(2, agent_id="a")
        other_session = turn(1, session_id="t")
        placements = [*new(1), TurnPlacement(hidden, accepted=False), *new(3, 4)]
        await store.place([*placements, TurnPlacement(other_session, accepted=False)], now=NOW)

        places = [("s", 1), ("s", 2), ("s", 4), ("t", 1), ("t", 9)]
        found = {each.id for each in await store.around([LIN], places)}

        assert found == {turn(1).id, turn(4).id, other_session.id}
        assert await store.around([LIN], []) == []
