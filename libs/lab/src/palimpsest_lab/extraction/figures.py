"""Figures of an extractor on golden dialogues: counts that add up, and their ratios. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from palimpsest.model.kinds import Kind
from palimpsest_lab.extraction.assignment import ItemAssignment, assign_items
from palimpsest_lab.extraction.expectation_match import find_kept_details
from palimpsest_lab.extraction.extracted_items import (
    ExtractedItem,
    has_stated_date,
    is_due_date_kept,
    is_reminder_kept,
)
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue, GoldenMemory

DEFINITION = (
    "recall: matched of the expected; precision: matched of what was found, without restatements "
    "and what is optional; kind_accuracy: of the matched memories those of an acceptable kind, "
    "first_kind_accuracy of the best one; details_kept: of all expected details, "
    "details_kept_of_matched: of those of the matched; date_accuracy: of the matched memories that "
    "carry a date, due_accuracy of the todos; layer_accuracy and cited: matched memories in the "
    "expected layer, and resting on an expected message; violations: forbidden words found"
)


@dataclass(frozen=True, kw_only=True)
class ExtractionCounts:
    """Counts of one or several dialogues. Optional items count in none of these."""

    dialogues: int = 0
    expected_memories: int = 0
    matched_memories: int = 0
    wrong_memories: int = 0
    expected_todos: int = 0
    matched_todos: int = 0
    wrong_todos: int = 0
    restated: int = 0
    acceptable_kind: int = 0
    first_kind: int = 0
    layer: int = 0
    cited: int = 0
    details: int = 0
    details_of_matched: int = 0
    details_kept: int = 0
    dates: int = 0
    dates_right: int = 0
    dues: int = 0
    dues_right: int = 0
    must_not: int = 0
    violations: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(
            **{
                field.name: getattr(self, field.name) + getattr(other, field.name)
                for field in fields(self)
            }
        )


def count_findings(dialogue: GoldenDialogue, items: Sequence[ExtractedItem]) -> ExtractionCounts:
    """The counts of one dialogue."""
    matched = assign_items(dialogue, items)
    wrong_todos = sum(1 for at in matched.wrong if items[at].kind is Kind.ACTION_ITEM)
    expected = [memory for memory in dialogue.expected.memories if not memory.optional]
    counts = ExtractionCounts(
        dialogues=1,
        expected_memories=len(expected),
        wrong_memories=len(matched.wrong) - wrong_todos,
        wrong_todos=wrong_todos,
        restated=len(matched.restating),
        details=sum(len(golden_memory.details) for golden_memory in expected),
        must_not=len(dialogue.expected.must_not),
        violations=len(matched.violations),
    )
    for position, memory in enumerate(dialogue.expected.memories):
        if position in matched.memories and not memory.optional:
            counts += _of_memory(dialogue, position, matched, items)
    for position, todo in enumerate(dialogue.expected.todos):
        if todo.optional:
            continue
        counts += ExtractionCounts(expected_todos=1)
        if position in matched.todos:
            chosen, zone = items[matched.todos[position]], dialogue.zone
            stated = [
                *([is_due_date_kept(todo.due, chosen, zone)] if todo.due else []),
                *([is_reminder_kept(todo.remind_at, chosen, zone)] if todo.remind_at else []),
            ]
            counts += ExtractionCounts(matched_todos=1, dues=len(stated), dues_right=sum(stated))
    return counts


def _of_memory(
    dialogue: GoldenDialogue, position: int, matched: ItemAssignment, items: Sequence[ExtractedItem]
) -> ExtractionCounts:
    memory: GoldenMemory = dialogue.expected.memories[position]
    chosen = items[matched.memories[position]]
    saying_it = [chosen] + [
        items[at] for at, target in matched.restating.items() if target == ("memory", position)
    ]
    right_agent = memory.agent is None or memory.agent == chosen.agent_id
    return ExtractionCounts(
        matched_memories=1,
        acceptable_kind=chosen.kind in memory.kinds,
        first_kind=chosen.kind is memory.kinds[0],
        layer=memory.layer == chosen.layer and (memory.layer == "user" or right_agent),
        cited=bool(set(chosen.message_ids) & set(memory.stated_in)),
        details_of_matched=len(memory.details),
        details_kept=len(find_kept_details(memory, saying_it)),
        dates=memory.date is not None,
        dates_right=memory.date is not None and has_stated_date(memory.date, chosen, dialogue.zone),
    )


def compute_extraction_figures(
    results: Iterable[tuple[GoldenDialogue, Sequence[ExtractedItem]]],
) -> dict[str, Any]:
    """The ratios over all dialogues, and `by_language`; None where there was nothing to judge."""
    by_language: dict[str, ExtractionCounts] = {}
    for dialogue, items in results:
        before = by_language.get(dialogue.language, ExtractionCounts())
        by_language[dialogue.language] = before + count_findings(dialogue, items)
    return {
        **compute_ratios(sum(by_language.values(), ExtractionCounts())),
        "by_language": {name: compute_ratios(by_language[name]) for name in sorted(by_language)},
        "definition": DEFINITION,
    }


def compute_ratios(counts: ExtractionCounts) -> dict[str, Any]:
    memories = _retrieval(counts.expected_memories, counts.matched_memories, counts.wrong_memories)
    todos = _retrieval(counts.expected_todos, counts.matched_todos, counts.wrong_todos)
    return {
        "dialogues": counts.dialogues,
        **_retrieval(
            counts.expected_memories + counts.expected_todos,
            counts.matched_memories + counts.matched_todos,
            counts.wrong_memories + counts.wrong_todos,
        ),
        "memories": memories,
        "todos": todos,
        "kind_accuracy": _share(counts.acceptable_kind, counts.matched_memories),
        "first_kind_accuracy": _share(counts.first_kind, counts.matched_memories),
        "layer_accuracy": _share(counts.layer, counts.matched_memories),
        "cited": _share(counts.cited, counts.matched_memories),
        "details_kept": _share(counts.details_kept, counts.details),
        "details_kept_of_matched": _share(counts.details_kept, counts.details_of_matched),
        "date_accuracy": _share(counts.dates_right, counts.dates),
        "due_accuracy": _share(counts.dues_right, counts.dues),
        "restated": counts.restated,
        "violations": counts.violations,
        "must_not": counts.must_not,
    }


def _retrieval(expected: int, matched: int, wrong: int) -> dict[str, Any]:
    return {
        "expected": expected,
        "matched": matched,
        "wrong": wrong,
        "precision": _share(matched, matched + wrong),
        "recall": _share(matched, expected),
        "f1": _share(2 * matched, matched + wrong + expected),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
