from math import log2

from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.delivery.bisection import Bisection


def walk(size: int, poison: set[int]) -> tuple[list[int], list[int], int]:
    """What was handled, what was set aside, and how many calls it took."""
    bisection = Bisection(range(size))
    handled: list[int] = []
    set_aside: list[int] = []
    calls = 0
    while part := bisection.part:
        calls += 1
        if poison.intersection(part):
            if (item := bisection.failed()) is not None:
                set_aside.append(item)
        else:
            handled += part
            bisection.succeeded()
    return handled, set_aside, calls


batches = st.integers(0, 300).flatmap(
    lambda size: st.tuples(st.just(size), st.sets(st.integers(0, max(size - 1, 0))))
)


@given(batches)
def test_exactly_the_poison_is_set_aside_and_the_rest_handled_once_in_order(
    batch: tuple[int, set[int]],
) -> None:
    size, poison = batch
    handled, set_aside, _ = walk(size, poison)
    assert handled == [item for item in range(size) if item not in poison]
    assert set_aside == [item for item in range(size) if item in poison]


@given(batches)
def test_each_poison_item_costs_a_logarithm_of_calls(batch: tuple[int, set[int]]) -> None:
    size, poison = batch
    calls = walk(size, poison)[2]
    found = [item for item in poison if item < size]
    assert calls <= 1 + len(found) * 2 * (log2(max(size, 2)) + 1)


def test_an_empty_batch_is_done() -> None:
    assert walk(0, set()) == ([], [], 0)
