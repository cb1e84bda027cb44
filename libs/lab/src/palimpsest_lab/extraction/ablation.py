"""`lab ablate`: the worth of each rule of local extraction, by leaving it out.

Every dialogue is read once with all rules, and the rules that match in it are recorded. A rule is
then left out only where it matched: elsewhere it can move nothing. Measure on dialogues that the
rules were not written on, or a rule is judged by its own examples.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest_lab.extraction.benchmark import extract_dialogues
from palimpsest_lab.extraction.dialogue_readers import DialogueReader
from palimpsest_lab.extraction.dialogue_windows import cut_dialogue_windows
from palimpsest_lab.extraction.figures import (
    ExtractionCounts,
    compute_ratios,
    count_findings,
)
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue
from palimpsest_lab.reporting.report import BenchmarkReport, show_progress
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.rule_tables import STEPS, all_rules, disabled, record_matches

MEASURES = ("recall", "precision", "details_kept", "date_accuracy", "due_accuracy")
"""The figures of `bench extraction` whose change is told, each between 0 and 1."""

_COLUMNS = {"recall": "recall", "precision": "precision", "details": "details_kept"}


@dataclass(frozen=True)
class ReadDialogue:
    """A dialogue as it is understood with all rules."""

    dialogue: GoldenDialogue
    windows: Sequence[ExtractionRequested]
    counts: ExtractionCounts
    matched: frozenset[str]
    """The rules and steps that matched in it."""


@dataclass(frozen=True)
class RuleWorth:
    """The change of the figures of one set of dialogues without a rule."""

    rule: str
    data: str
    matched: int
    """The dialogues in which the rule matched."""
    changed: int
    """Those of them in which anything that is counted changed."""
    moved: Mapping[str, float]
    """Each measure without the rule, minus the measure with it."""


@dataclass
class Ablation:
    """All that was measured, up to an interruption if there was one."""

    sets: dict[str, list[ReadDialogue]] = field(default_factory=dict)
    worth: list[RuleWorth] = field(default_factory=list)
    interrupted: bool = False

    def list_unmatched(self) -> list[str]:
        """The rules that matched in no dialogue."""
        matched = {
            rule
            for read in self.sets.values()
            for read_dialogue in read
            for rule in read_dialogue.matched
        }
        return [rule for rule in list_rules() if rule not in matched]

    def list_worthless(self) -> list[str]:
        """The rules that matched somewhere and moved nothing in any set."""
        moving = {rule_worth.rule for rule_worth in self.worth if rule_worth.changed}
        return list(
            dict.fromkeys(
                rule_worth.rule for rule_worth in self.worth if rule_worth.rule not in moving
            )
        )


def list_rules() -> list[str]:
    """The ids of everything that can be left out."""
    return [*STEPS, *(row.id for row in all_rules())]


async def measure_rules(
    data: Mapping[str, Sequence[GoldenDialogue]], *, rounds: int, context_messages: int
) -> Ablation:
    """Leave out one rule after another. If it is cancelled it gives what was measured so far."""
    ablation = Ablation()
    try:
        with show_progress("reading", sum(map(len, data.values()))) as progress:
            for name, dialogues in data.items():
                ablation.sets[name] = []
                for dialogue in dialogues:
                    windows = list(
                        cut_dialogue_windows(
                            dialogue, rounds=rounds, context_messages=context_messages
                        )
                    )
                    with record_matches() as matched:
                        counts = await _count(dialogue, windows)
                    read = ReadDialogue(dialogue, windows, counts, frozenset(matched))
                    ablation.sets[name].append(read)
                    progress(1)
        tries = list(_list_tries(ablation.sets))
        with show_progress("leaving out", len(tries)) as progress:
            for rule, name in tries:
                ablation.worth.append(await _measure_rule(rule, name, ablation.sets[name]))
                progress(1)
    except asyncio.CancelledError:
        ablation.interrupted = True
    return ablation


def build_ablation_report(ablation: Ablation) -> BenchmarkReport:
    """The rules that moved something, the dearest first; the others by their number."""
    moving = [rule_worth for rule_worth in ablation.worth if rule_worth.changed]
    moving.sort(
        key=lambda rule_worth: (
            rule_worth.moved["recall"] + rule_worth.moved["precision"],
            rule_worth.rule,
        )
    )
    unmatched, worthless = ablation.list_unmatched(), ablation.list_worthless()
    remark = (
        "Changes of the figures where the rule is left out. "
        f"{len(worthless)} rules matched and moved nothing; {len(unmatched)} matched nowhere."
    )
    if ablation.interrupted:
        remark = f"Interrupted: these are the rules measured so far. {remark}"
    return BenchmarkReport(
        title="What is lost or gained without each rule",
        rows=[_row(rule_worth) for rule_worth in moving],
        figures={
            "interrupted": ablation.interrupted,
            "sets": {
                name: compute_ratios(_sum(read_dialogue.counts for read_dialogue in read))
                for name, read in ablation.sets.items()
            },
            "rules": [vars(rule_worth) for rule_worth in ablation.worth],
            "moved_nothing": worthless,
            "matched_nowhere": unmatched,
        },
        remark=remark,
    )


def _list_tries(sets: Mapping[str, Sequence[ReadDialogue]]) -> Iterator[tuple[str, str]]:
    for rule in list_rules():
        for name, read in sets.items():
            if any(rule in read_dialogue.matched for read_dialogue in read):
                yield rule, name


async def _measure_rule(rule: str, name: str, read: Sequence[ReadDialogue]) -> RuleWorth:
    counts, matched, changed = ExtractionCounts(), 0, 0
    for dialogue in read:
        without = dialogue.counts
        if rule in dialogue.matched:
            matched += 1
            with disabled([rule]):
                without = await _count(dialogue.dialogue, dialogue.windows)
            changed += without != dialogue.counts
        counts += without
    before = compute_ratios(_sum(read_dialogue.counts for read_dialogue in read))
    after = compute_ratios(counts)
    moved = {
        measure: round(after[measure] - before[measure], 4)
        for measure in MEASURES
        if after[measure] is not None and before[measure] is not None
    }
    return RuleWorth(rule, name, matched, changed, moved)


async def _count(
    dialogue: GoldenDialogue, windows: Sequence[ExtractionRequested]
) -> ExtractionCounts:
    reader = DialogueReader(LocalExtractor(), at_once=1)
    read = await extract_dialogues([dialogue], reader, windows=lambda _: windows)
    (result,) = read.results
    return count_findings(*result)


def _sum(counts: Iterator[ExtractionCounts]) -> ExtractionCounts:
    return sum(counts, ExtractionCounts())


def _row(worth: RuleWorth) -> dict[str, Any]:
    return {
        "rule": worth.rule,
        "data": worth.data,
        "matched": worth.matched,
        "changed": worth.changed,
        **{heading: worth.moved.get(measure) for heading, measure in _COLUMNS.items()},
    }
