"""The best assignment of what was found to what was expected. Pure.

The rule in words stands in tests/golden/extraction/README.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from palimpsest.bench.extraction_dialogues import Dialogue, ExpectedMemory, ExpectedTodo, MustNot
from palimpsest.bench.extraction_found import Found, dated, due_kept
from palimpsest.bench.extraction_likeness import (
    is_memory,
    is_todo,
    kept_details,
    restates,
    violates,
)
from palimpsest.bench.extraction_wording import holds_any


@dataclass(frozen=True, kw_only=True)
class Matched:
    """For one dialogue: positions in its expected memories and todos, and in what was found."""

    memories: Mapping[int, int]
    """Expected memory → found."""
    todos: Mapping[int, int]
    restating: Mapping[int, tuple[Literal["memory", "todo"], int]]
    """Found → the matched expectation that it says once more."""
    wrong: tuple[int, ...]
    """Found, and neither matched nor restating."""
    violations: tuple[MustNot, ...]


def match(dialogue: Dialogue, found: Sequence[Found]) -> Matched:
    """The best assignment of what was found to what was expected, each used at most once.

    As many that are not optional as can be, then as many optional ones, then the closest.
    """
    memories, todos = dialogue.expected.memories, dialogue.expected.todos
    expected: tuple[ExpectedMemory | ExpectedTodo, ...] = (*memories, *todos)
    closeness = [[_closeness(one, other, dialogue) for one in expected] for other in found]
    assigned = _best(closeness, len(expected))
    chosen = set(assigned.values())
    restating: dict[int, tuple[Literal["memory", "todo"], int]] = {}
    for position, other in enumerate(found):
        if position in chosen:
            continue
        for target in assigned:
            if restates(other, expected[target], dialogue):
                inside = target < len(memories)
                index = target if inside else target - len(memories)
                restating[position] = ("memory" if inside else "todo", index)
                break
    return Matched(
        memories={one: at for one, at in assigned.items() if one < len(memories)},
        todos={one - len(memories): at for one, at in assigned.items() if one >= len(memories)},
        restating=restating,
        wrong=tuple(at for at in range(len(found)) if at not in chosen and at not in restating),
        violations=tuple(
            one for one in dialogue.expected.must_not if any(violates(f, one) for f in found)
        ),
    )


def _closeness(
    expected: ExpectedMemory | ExpectedTodo, found: Found, dialogue: Dialogue
) -> int | None:
    """How well a match would be; none where there is no match."""
    wanted = 1_000 if expected.optional else 100_000
    cited = 30 * bool(set(found.message_ids) & set(expected.stated_in))
    if isinstance(expected, ExpectedTodo):
        if not is_todo(found, expected):
            return None
        due = expected.due is not None and due_kept(expected.due, found, dialogue.zone)
        return wanted + cited + 20 * due
    if not is_memory(found, expected, dialogue):
        return None
    kept = len(kept_details(expected, [found])) / max(1, len(expected.details))
    on_day = expected.date is not None and dated(expected.date, found, dialogue.zone)
    return (
        wanted
        + cited
        + 20 * (found.kind in expected.kinds)
        + 15 * holds_any(found.value or "", expected.value)
        + round(10 * kept)
        + 5 * (found.kind is expected.kinds[0])
        + 5 * on_day
    )


def _best(closeness: Sequence[Sequence[int | None]], targets: int) -> dict[int, int]:
    """The assignment of rows to targets with the greatest sum, target → row.

    Exact. Targets that no row has in common are assigned apart: there are few together.
    """
    assigned: dict[int, int] = {}
    for together in _together(closeness, targets):
        rows = [
            row
            for row, line in enumerate(closeness)
            if any(line[at] is not None for at in together)
        ]
        lines = [[closeness[row][at] for at in together] for row in rows]
        best = _best_together(lines, len(together))
        assigned |= {together[target]: rows[row] for target, row in best.items()}
    return assigned


def _together(closeness: Sequence[Sequence[int | None]], targets: int) -> list[list[int]]:
    groups = [{target} for target in range(targets)]
    for line in closeness:
        possible = {target for target in range(targets) if line[target] is not None}
        joined = [group for group in groups if group & possible]
        if len(joined) > 1:
            groups = [group for group in groups if not group & possible]
            groups.append(set().union(*joined))
    return [sorted(group) for group in groups]


def _best_together(closeness: Sequence[Sequence[int | None]], targets: int) -> dict[int, int]:
    """Over the subsets of targets."""
    best: dict[int, tuple[int, dict[int, int]]] = {0: (0, {})}
    for row, line in enumerate(closeness):
        for taken, (total, assigned) in sorted(best.items()):
            for target in range(targets):
                worth = line[target]
                if worth is None or taken >> target & 1:
                    continue
                wider = taken | 1 << target
                if wider not in best or best[wider][0] < total + worth:
                    best[wider] = (total + worth, {**assigned, target: row})
    return max(best.values(), key=lambda one: one[0])[1]
