from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.turn import ImageReference, Role, Turn
from palimpsest.model.window import Window, WindowTrigger
from palimpsest_server.domain.extraction_windows import (
    MAXIMUM_WINDOW_TOKENS,
    cut_windows,
    maximum_window_messages,
    minimum_window_messages,
    take_context_before,
)
from tests.support.turns import turn

U, A, T = Role.USER, Role.AGENT, Role.TOOL


def dialogue(*roles: Role) -> list[Turn]:
    return [turn(number, role=role) for number, role in enumerate(roles, start=1)]


def stretches(windows: Sequence[Window]) -> list[tuple[int, int, str]]:
    return [
        (window.first_sequence, window.last_sequence, window.trigger.value) for window in windows
    ]


def windows_of(
    turns: Sequence[Turn], rounds: int = 2, **more: object
) -> list[tuple[int, int, str]]:
    return stretches([window for window, _ in cut_windows(turns, rounds=rounds, **more)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ((), []),
        ((U,), []),
        ((U, A, U), []),
        ((U, A, U, A), [(1, 4, "rounds")]),
        ((U, A, U, A, A, T, U, A, U, A), [(1, 4, "rounds"), (5, 10, "rounds")]),
        ((U, U, A, A, U, T, A), [(1, 7, "rounds")]),
        ((U, U, U, U, U), [(1, 4, "rounds")]),
        ((A, A, A, A, A, A, A, A, A), [(1, 8, "rounds")]),
    ],
    ids=[
        "nothing was said",
        "a message waits for its reply",
        "one round and a half",
        "two rounds",
        "further replies wait for the next window",
        "several messages before a reply are one round",
        "people among themselves",
        "agents among themselves",
    ],
)
def test_every_so_many_rounds(
    roles: tuple[Role, ...], expected: list[tuple[int, int, str]]
) -> None:
    assert windows_of(dialogue(*roles)) == expected


def test_the_end_of_a_session_closes_what_has_come_together() -> None:
    assert windows_of(dialogue(U, A, U), endings={3}) == [(1, 3, "session_end")]
    assert windows_of(dialogue(U, A, U, A), endings={1}) == [(1, 1, "session_end")]
    assert windows_of(dialogue(U, A, U, A), endings={4}) == [(1, 4, "rounds")]
    assert windows_of([], endings={0}) == []


def test_silence_or_a_request_closes_everything() -> None:
    assert windows_of(dialogue(U, A, U), closing=WindowTrigger.IDLE) == [(1, 3, "idle")]
    assert windows_of(dialogue(U, A, U, A, U), closing=WindowTrigger.REQUESTED) == [
        (1, 4, "rounds"),
        (5, 5, "requested"),
    ]


@pytest.mark.parametrize("text", ["长" * 1_100, "so " * 1_100, "长" * 3_200, "word " * 4_000])
def test_a_window_with_its_context_never_grows_beyond_its_tokens(text: str) -> None:
    turns = [turn(number, text=text) for number in range(1, 13)]
    windows = list(cut_windows(turns, rounds=50, closing=WindowTrigger.SESSION_END))
    assert [each for _, stretch in windows for each in stretch] == turns
    for window, fresh in windows:
        earlier = turns[: window.first_sequence - 1]
        context = take_context_before(earlier, messages=10, fresh=fresh)
        size = sum(len(each.text.encode()) for each in (*context, *fresh)) / 3
        assert size <= MAXIMUM_WINDOW_TOKENS + len(turns) or (len(fresh) == 1 and not context)


def test_short_messages_are_cut_by_rounds_alone() -> None:
    turns = [turn(number, text="我们下周讨论预算 " * 8) for number in range(1, 21)]
    assert [len(stretch) for _, stretch in cut_windows(turns, rounds=5)] == [10, 10]


def test_a_window_is_named_by_its_first_turn() -> None:
    (window, _), (two, _) = cut_windows(
        dialogue(U, A, U, A, U), rounds=2, closing=WindowTrigger.IDLE
    )
    ((shorter, _),) = cut_windows(dialogue(U), rounds=2, closing=WindowTrigger.IDLE)
    assert shorter.id == window.id != two.id


SESSIONS = st.lists(st.sampled_from(Role), max_size=40)


@given(
    SESSIONS,
    st.integers(1, 4),
    st.sets(st.integers(0, 40), max_size=3),
    st.lists(st.integers(1, 7), min_size=40, max_size=40),
)
def test_every_turn_is_fresh_in_exactly_one_window_whatever_the_batching(
    roles: list[Role], rounds: int, endings: set[int], batches: list[int]
) -> None:
    turns = dialogue(*roles)
    at_once = [window for window, _ in cut_windows(turns, rounds=rounds, endings=endings)]

    in_batches: list[Window] = []
    arrived = windowed = 0
    for size in batches:
        arrived = min(arrived + size, len(turns))
        for window, _ in cut_windows(turns[windowed:arrived], rounds=rounds, endings=endings):
            in_batches.append(window)
            windowed = window.last_sequence
    assert in_batches == at_once

    closed = [
        *at_once,
        *(w for w, _ in cut_windows(turns[windowed:], rounds=rounds, closing=WindowTrigger.IDLE)),
    ]
    fresh = [
        number for each in closed for number in range(each.first_sequence, each.last_sequence + 1)
    ]
    assert fresh == [each.sequence for each in turns]


@given(SESSIONS, st.integers(1, 4))
def test_fewest_and_most_messages_bound_what_fills_a_window(roles: list[Role], rounds: int) -> None:
    turns = dialogue(*roles)
    for window, stretch in cut_windows(turns, rounds=rounds):
        assert window.trigger is WindowTrigger.ROUNDS
        assert minimum_window_messages(rounds) <= len(stretch) <= maximum_window_messages(rounds)
    if len(turns) >= maximum_window_messages(rounds):
        assert list(cut_windows(turns, rounds=rounds))


def test_context_is_the_last_of_what_came_before_and_no_more_than_fits() -> None:
    earlier = [turn(number) for number in range(1, 6)]
    assert take_context_before(earlier, messages=2) == tuple(earlier[-2:])
    assert take_context_before(earlier, messages=10) == tuple(earlier)
    assert take_context_before(earlier, messages=0) == ()

    long = [turn(1), turn(2, text="x" * 60_000), turn(3, images=(ImageReference(url="u" * 9_000),))]
    assert take_context_before(long, messages=10) == (long[2],)
