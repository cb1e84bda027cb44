"""The best assignment of what was found to what was expected. Pure.

The rule in words stands in tests/golden/extraction/README.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from palimpsest_lab.extraction.expectation_match import (
    find_kept_details,
    is_expected_memory,
    is_expected_todo,
    is_forbidden,
    is_restatement,
)
from palimpsest_lab.extraction.extracted_items import (
    ExtractedItem,
    has_stated_date,
    is_due_date_kept,
)
from palimpsest_lab.extraction.golden_dialogues import (
    ForbiddenMemory,
    GoldenDialogue,
    GoldenMemory,
    GoldenTodo,
)
from palimpsest_lab.extraction.phrase_search import has_any_phrase


@dataclass(frozen=True, kw_only=True)
class ItemAssignment:
    """The assignment of one dialogue.

    Positions of expected memories and todos, and of found ones.
    """

    memories: Mapping[int, int]
    """Expected memory → found."""
    todos: Mapping[int, int]
    restating: Mapping[int, tuple[Literal["memory", "todo"], int]]
    """Found → the matched expectation that it says once more."""
    wrong: tuple[int, ...]
    """Found, and neither matched nor restating."""
    violations: tuple[ForbiddenMemory, ...]


def assign_items(dialogue: GoldenDialogue, items: Sequence[ExtractedItem]) -> ItemAssignment:
    """The best assignment of what was found to what was expected, each used at most once.

    As many that are not optional as can be, then as many optional ones, then the closest.
    """
    memories, todos = dialogue.expected.memories, dialogue.expected.todos
    expected: tuple[GoldenMemory | GoldenTodo, ...] = (*memories, *todos)
    closeness = [[_closeness(one, other, dialogue) for one in expected] for other in items]
    assigned = _best(closeness, len(expected))
    chosen = set(assigned.values())
    restating: dict[int, tuple[Literal["memory", "todo"], int]] = {}
    for position, other in enumerate(items):
        if position in chosen:
            continue
        for target in assigned:
            if is_restatement(other, expected[target], dialogue):
                inside = target < len(memories)
                index = target if inside else target - len(memories)
                restating[position] = ("memory" if inside else "todo", index)
                break
    return ItemAssignment(
        memories={one: at for one, at in assigned.items() if one < len(memories)},
        todos={one - len(memories): at for one, at in assigned.items() if one >= len(memories)},
        restating=restating,
        wrong=tuple(at for at in range(len(items)) if at not in chosen and at not in restating),
        violations=tuple(
            memory
            for memory in dialogue.expected.must_not
            if any(is_forbidden(f, memory) for f in items)
        ),
    )


def _closeness(
    expected: GoldenMemory | GoldenTodo, item: ExtractedItem, dialogue: GoldenDialogue
) -> int | None:
    """Return the closeness of a match; empty if there is no match."""
    wanted = 1_000 if expected.optional else 100_000
    cited = 30 * bool(set(item.message_ids) & set(expected.stated_in))
    if isinstance(expected, GoldenTodo):
        if not is_expected_todo(item, expected):
            return None
        due = expected.due is not None and is_due_date_kept(expected.due, item, dialogue.zone)
        return wanted + cited + 20 * due
    if not is_expected_memory(item, expected, dialogue):
        return None
    kept = len(find_kept_details(expected, [item])) / max(1, len(expected.details))
    on_day = expected.date is not None and has_stated_date(expected.date, item, dialogue.zone)
    return (
        wanted
        + cited
        + 20 * (item.kind in expected.kinds)
        + 15 * has_any_phrase(item.value or "", expected.value)
        + round(10 * kept)
        + 5 * (item.kind is expected.kinds[0])
        + 5 * on_day
    )


def _best(closeness: Sequence[Sequence[int | None]], targets: int) -> dict[int, int]:
    """The assignment of rows to targets with the greatest sum, target → row.

    Exact, by the Hungarian method: with rows and targets made up to a square of zeros, which
    stand for not being assigned, the prices of both are raised until each row has a target that
    costs no more than its prices say. What fits nothing is left out of the square, whose cost
    grows with the third power of its side.
    """
    fitting = [row for row, line in enumerate(closeness) if any(line)]
    fitted = [one for one in range(targets) if any(closeness[row][one] for row in fitting)]
    size = max(len(fitting), len(fitted))
    costs = [[0] * size for _ in range(size)]
    for place, row in enumerate(fitting):
        costs[place][: len(fitted)] = [-(closeness[row][one] or 0) for one in fitted]
    return {
        fitted[target]: fitting[place]
        for target, place in enumerate(_assigned(costs)[: len(fitted)])
        if place < len(fitting) and closeness[fitting[place]][fitted[target]] is not None
    }


def _assigned(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return the row of each column of a square of costs, so that their sum is the least."""
    size = len(costs)
    row_prices, column_prices = [0] * (size + 1), [0] * (size + 1)
    row_of = [size] * (size + 1)
    for row in range(size):
        row_of[size] = row
        column, slack, before = size, [inf] * size, [size] * size
        visited = [False] * (size + 1)
        while row_of[column] != size:
            visited[column] = True
            here = row_of[column]
            for other in range(size):
                reduced = costs[here][other] - row_prices[here] - column_prices[other]
                if not visited[other] and reduced < slack[other]:
                    slack[other], before[other] = reduced, column
            nearest = min(
                (each for each in range(size) if not visited[each]), key=slack.__getitem__
            )
            step = int(slack[nearest])
            for each in range(size + 1):
                if visited[each]:
                    row_prices[row_of[each]] += step
                    column_prices[each] -= step
                elif each < size:
                    slack[each] -= step
            column = nearest
        while column != size:
            row_of[column], column = row_of[before[column]], before[column]
    return row_of[:size]
