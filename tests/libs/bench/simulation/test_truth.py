"""What is so follows from what was done."""

from palimpsest.bench.simulation.acts import Doing, Item
from palimpsest.bench.simulation.truth import Truth
from tests.libs.bench.simulation.people import act, on

MOVES = [
    act(1, Doing.STATE, "city", "Leeds", day=10),
    act(2, Doing.REPEAT, "city", "Leeds", day=20),
    act(3, Doing.CHANGE, "city", "Austin", day=30),
]
LEEDS, AUSTIN, DUBLIN = (Item("ann", "city", value) for value in ("Leeds", "Austin", "Dublin"))


def test_one_value_holds_until_another_was_said() -> None:
    truth = Truth.after(MOVES)
    assert [truth.holds(LEEDS, on(day)) for day in (9, 10, 29, 30)] == [False, True, True, False]
    assert truth.holding(on(31)) == [AUSTIN]
    assert list(truth.lines["ann", "city"].turns()) == [on(10), on(30)]


def test_what_is_late_holds_between_what_was_said_before_and_after() -> None:
    truth = Truth.after([*MOVES, act(4, Doing.LATE, "city", "Dublin", day=40, occurred_at=on(25))])
    assert [truth.holds(DUBLIN, on(day)) for day in (24, 25, 30)] == [False, True, False]
    assert truth.holding(on(41)) == [AUSTIN]


def test_of_several_values_each_holds_until_it_is_said_to_be_over() -> None:
    truth = Truth.after(
        [
            act(1, Doing.STATE, "likes", "oysters", day=1),
            act(2, Doing.STATE, "likes", "marzipan", day=2),
            act(3, Doing.STOP, "likes", "oysters", day=5),
        ]
    )
    assert {item.value for item in truth.holding(on(4))} == {"oysters", "marzipan"}
    assert {item.value for item in truth.holding(on(5))} == {"marzipan"}


def test_what_was_told_is_known_from_its_first_telling_and_what_is_forgotten_is_not() -> None:
    first, again = (act(n, Doing.TELL, None, "I am left-handed", day=n) for n in (1, 2))
    item = Item("ann", None, "I am left-handed")
    assert Truth.after([first, again]).told == {item: first}
    forgotten = Truth.after([first, act(3, Doing.FORGET, None, "I am left-handed", day=3)])
    assert not forgotten.holds(item, on(2))
    assert forgotten.holding(on(4)) == []


def test_chat_is_nothing() -> None:
    assert Truth.after([act(1, Doing.CHAT)]) == Truth()
