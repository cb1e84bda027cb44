"""What is so follows from what was done."""

from palimpsest_lab.simulation.ground_truth import GroundTruth
from palimpsest_lab.simulation.user_actions import KnowableItem, UserActionType
from tests.support.lab.simulation.people import act, on

MOVES = [
    act(1, UserActionType.STATE, "city", "Leeds", day=10),
    act(2, UserActionType.REPEAT, "city", "Leeds", day=20),
    act(3, UserActionType.CHANGE, "city", "Austin", day=30),
]
LEEDS, AUSTIN, DUBLIN = (
    KnowableItem("ann", "city", value) for value in ("Leeds", "Austin", "Dublin")
)


def test_one_value_holds_until_another_was_said() -> None:
    truth = GroundTruth.after(MOVES)
    assert [truth.holds(LEEDS, on(day)) for day in (9, 10, 29, 30)] == [False, True, True, False]
    assert truth.holding(on(31)) == [AUSTIN]
    assert list(truth.lines["ann", "city"].turns()) == [on(10), on(30)]


def test_what_is_late_holds_between_what_was_said_before_and_after() -> None:
    truth = GroundTruth.after(
        [*MOVES, act(4, UserActionType.LATE, "city", "Dublin", day=40, occurred_at=on(25))]
    )
    assert [truth.holds(DUBLIN, on(day)) for day in (24, 25, 30)] == [False, True, False]
    assert truth.holding(on(41)) == [AUSTIN]


def test_of_several_values_each_holds_until_it_is_said_to_be_over() -> None:
    truth = GroundTruth.after(
        [
            act(1, UserActionType.STATE, "likes", "oysters", day=1),
            act(2, UserActionType.STATE, "likes", "marzipan", day=2),
            act(3, UserActionType.STOP, "likes", "oysters", day=5),
        ]
    )
    assert {item.value for item in truth.holding(on(4))} == {"oysters", "marzipan"}
    assert {item.value for item in truth.holding(on(5))} == {"marzipan"}


def test_what_was_told_is_known_from_its_first_telling_and_what_is_forgotten_is_not() -> None:
    first, again = (act(n, UserActionType.TELL, None, "I am left-handed", day=n) for n in (1, 2))
    item = KnowableItem("ann", None, "I am left-handed")
    assert GroundTruth.after([first, again]).told == {item: first}
    forgotten = GroundTruth.after(
        [first, act(3, UserActionType.FORGET, None, "I am left-handed", day=3)]
    )
    assert not forgotten.holds(item, on(2))
    assert forgotten.holding(on(4)) == []


def test_chat_is_nothing() -> None:
    assert GroundTruth.after([act(1, UserActionType.CHAT)]) == GroundTruth()
