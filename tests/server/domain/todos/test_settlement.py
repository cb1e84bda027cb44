"""Whatever is heard first of what was to be done and what was said to be done, the same is left."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate
from palimpsest.model.todo import Todo, TodoCompletion, TodoState
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.todos.completion import complete_todo, reopen_todo, settle_todos
from palimpsest_server.domain.todos.settlement import CompletionReport, report_completions
from tests.support.extent import EVERY
from tests.support.server.domain.consolidation.samples import ALICE, candidate, day

Told = Candidate | CompletionReport


def to_do(content: str, *, on: int) -> Candidate:
    return candidate(content, on=on, kind=Kind.ACTION_ITEM)


def done(about: str | None, *, on: int) -> CompletionReport:
    words = "搞定了" if about is None else f"done with {about}"
    completion = TodoCompletion(
        quote=words, about=about, session_id="s", message_id=f"done {on}", said_at=day(on)
    )
    (said,) = report_completions([completion], ALICE, epoch=0, now=day(100))
    return said


def tell(known: Overlay, told: Told) -> None:
    if isinstance(told, CompletionReport):
        known.todos.hear([told])
    else:
        decide_candidate(known, told, received_at=day(100), epoch=0)
    settle_todos(known, "alice", time_zone="UTC")
    follow(known)


def follow(known: Overlay) -> None:
    known.todos.following(known.take_changes(), time_zone="UTC", now=day(100))


def known_after(order: Sequence[Told]) -> Overlay:
    known = Overlay()
    for told in order:
        tell(known, told)
    return known


def todos_of(known: Overlay) -> list[Todo]:
    todos = [known.todos.get(memory.id) for memory in known.everything()]
    return sorted((todo for todo in todos if todo is not None), key=lambda todo: todo.created_at)


def states(known: Overlay) -> list[tuple[str, TodoState, str | None]]:
    return [(todo.content, todo.state, todo.completed_by) for todo in todos_of(known)]


def still_open(known: Overlay) -> set[str]:
    return {todo.content for todo in todos_of(known) if todo.state is TodoState.OPEN}


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ([to_do("book flights to Tokyo", on=1), done("the flights", on=2)], set()),
        ([to_do("订去东京的机票", on=1), done("机票", on=2)], set()),
        (
            [done("the flights", on=1), to_do("book flights to Tokyo", on=2)],
            {"book flights to Tokyo"},
        ),
        (
            [to_do("订去东京的机票", on=1), to_do("订大阪的酒店", on=2), done(None, on=3)],
            {"订去东京的机票"},
        ),
        (
            [to_do("call mum", on=1), to_do("call Ann", on=2), done("Ann", on=3), done(None, on=4)],
            set(),
        ),
        ([to_do("buy milk", on=1), done("milk", on=2), done("milk", on=3)], set()),
        (
            [to_do("buy milk", on=1), to_do("buy oat milk", on=2), done("oat milk", on=3)],
            {"buy milk"},
        ),
    ],
)
def test_in_any_order_the_same_is_done(told: list[Told], left: set[str]) -> None:
    in_order = known_after(told)
    assert still_open(in_order) == left
    for order in permutations(told):
        assert states(known_after(order)) == states(in_order)


def test_what_is_to_be_done_once_more_is_open_whatever_comes_first() -> None:
    told: list[Told] = [
        to_do("buy milk", on=1),
        done("milk", on=2),
        to_do("buy milk", on=5),
    ]
    for order in permutations(told):
        assert still_open(known_after(order)) == {"buy milk"}


def test_what_was_said_twice_before_it_was_done_is_done() -> None:
    told: list[Told] = [
        to_do("buy milk", on=1),
        to_do("buy milk", on=2),
        done("milk", on=3),
    ]
    for order in permutations(told):
        assert still_open(known_after(order)) == set()


WORDS = ("buy milk", "buy oat milk", "book flights to Tokyo", "订去东京的机票", "订机票")
ABOUT = (None, "milk", "oat milk", "the flights", "机票", "东京的机票")


@st.composite
def tellings(draw: st.DrawFn) -> tuple[list[Told], list[Told]]:
    """What was said on different days, each to be done once, and the same in another order."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True))
    about = draw(st.lists(st.sampled_from(ABOUT), min_size=1, max_size=4))
    days = iter(draw(st.permutations(range(len(words) + len(about)))))
    told: list[Told] = [*(to_do(word, on=next(days)) for word in words)]
    told += [done(one, on=next(days)) for one in about]
    return told, draw(st.permutations(told))


@settings(max_examples=300 // EVERY)
@given(tellings())
def test_any_order_of_arrival_leaves_the_same_todos(told: tuple[list[Told], list[Told]]) -> None:
    one, other = (states(known_after(order)) for order in told)
    assert one == other


def test_what_somebody_opens_again_stays_open() -> None:
    known = known_after([to_do("buy milk", on=1), done("milk", on=2)])
    (todo,) = todos_of(known)
    reopen_todo(known, todo.id)
    follow(known)
    tell(known, to_do("buy bread", on=0))
    assert still_open(known) == {"buy milk", "buy bread"}


def test_what_somebody_has_closed_by_hand_stays_closed() -> None:
    known = known_after([to_do("buy milk", on=1)])
    (todo,) = todos_of(known)
    complete_todo(known, todo.id)
    follow(known)
    tell(known, done("milk", on=2))
    tell(known, to_do("buy more milk", on=0))
    assert still_open(known) == set()
