"""Lines stay where a person put them, by as few changes of memories as will do."""

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.workspace.file_contents import STEP
from palimpsest.workspace.line_order import assign_places, find_moved

LINES = st.lists(st.sampled_from("abcdefghij"), unique=True)


def test_one_line_that_was_moved_is_the_only_one_that_moved() -> None:
    assert find_moved("abcde", "bcdae") == {"a"}
    assert find_moved("abcde", "eabcd") == {"e"}
    assert find_moved("abcde", "abde") == frozenset()


def test_a_moved_line_gets_a_place_between_its_neighbours() -> None:
    places = {"a": STEP, "b": 2 * STEP, "c": 3 * STEP}
    [(line, place)] = assign_places(["a", "x", "b", "c"], places).items()
    assert line == "x"
    assert STEP < place < 2 * STEP


@given(LINES, st.dictionaries(st.sampled_from("abcdefghij"), st.integers(-3, 12)))
def test_with_the_new_places_the_lines_stand_in_the_order_of_the_file(
    lines: list[str], places: dict[str, int]
) -> None:
    known = {line: place for line, place in places.items() if line in lines}
    after = {**known, **assign_places(lines, known)}
    assert sorted(lines, key=after.__getitem__) == lines
    assert len(set(after.values())) == len(lines)


@given(LINES, LINES)
def test_lines_that_did_not_move_keep_their_order(before: list[str], after: list[str]) -> None:
    moved = find_moved(before, after)
    common = [line for line in after if line in before and line not in moved]
    assert common == [line for line in before if line in common]
