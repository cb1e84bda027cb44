"""How far a run is, what was done to it, and what came of it; for people or as JSON."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.faults.child_kills import ChildKill
from tests.faults.comparing import Comparison
from tests.faults.running import Watching

MOST_SHOWN = 40
CUT = 400


class Reporter:
    """A bar while it lasts; to be entered."""

    def __init__(self, *, quiet: bool) -> None:
        self._console = Console(quiet=quiet, soft_wrap=True)
        self._bar = Progress(
            TextColumn("seed {task.fields[seed]} {task.fields[name]}"),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[doing]}"),
            console=self._console,
        )

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def of(self, seed: int, name: str) -> Watching:
        bar = self._bar
        task = bar.add_task("starting", seed=seed, name=name, doing="", total=None)
        return Watching(
            begins=lambda stage, total: bar.reset(
                task, description=stage, total=total, seed=seed, name=name, doing=""
            ),
            taken=lambda: bar.advance(task),
            say=lambda words: bar.update(task, doing=words),
        )

    def print(self, comparison: Comparison) -> None:
        self._console.print(ledger(comparison))
        self._console.print(summary(comparison), markup=False, highlight=False)
        for each in comparison.wrong[:MOST_SHOWN]:
            self._console.print(f"  wrong: {each[:CUT]}", markup=False, highlight=False)
        if len(comparison.wrong) > MOST_SHOWN:
            self._console.print(f"  and {len(comparison.wrong) - MOST_SHOWN} more")

    def print_kill(self, kill: ChildKill) -> None:
        self._console.print(kill_summary(kill), markup=False, highlight=False)
        for words in kill.wrong:
            self._console.print(f"  wrong: {words}", markup=False, highlight=False)

    def print_table(self, comparisons: Sequence[Comparison]) -> None:
        self._console.print(table(comparisons), markup=False, highlight=False)


def ledger(comparison: Comparison) -> Table:
    """All that was done to the run, in order."""
    table = Table("after", "stage", "said", "what", "to whom", "for", "clock")
    for done in comparison.ledger:
        fault = done.fault
        table.add_row(
            f"{done.after_seconds:.0f} s",
            str(done.stage + 1),
            str(done.said),
            fault.kind.value,
            fault.target,
            f"{fault.seconds:.1f} s" if fault.seconds else "",
            f"{fault.clock_seconds:+.1f} s" if fault.clock_seconds else "",
        )
    return table


def summary(comparison: Comparison) -> str:
    counts = ", ".join(f"{count} {status}" for status, count in comparison.statuses.items())
    undisturbed, disturbed = comparison.seconds
    return (
        f"seed {comparison.seed} ({comparison.scale.name}): {comparison.events} events of"
        f" {comparison.scale.users} people, {comparison.sent_again} of them sent twice,"
        f" {comparison.poison} poisonous; {len(comparison.ledger)} faults,"
        f" {comparison.starts} processes started, {comparison.said_again} things said again for"
        f" want of an answer\n"
        f"full disk: {comparison.disk}\n"
        f"{comparison.memories} memories ({counts}), {comparison.known} of them known beforehand\n"
        f"{undisturbed:.0f} s undisturbed, {disturbed:.0f} s disturbed\n"
        f"digest {comparison.digest}: {'WRONG' if comparison.wrong else 'as it must be'}"
    )


def kill_summary(kill: ChildKill) -> str:
    return (
        f"seed {kill.seed}, {kill.victim}: kill -9 after {kill.acknowledged} of {kill.statements}"
        f" statements; ready after {kill.ready_seconds:.1f} s, all acknowledged after"
        f" {kill.acknowledged_seconds:.1f} s, {kill.memories} memories {kill.complete_seconds:.1f} s"
        f" later: {'WRONG' if kill.wrong else 'as it must be'}"
    )


def told(comparison: Comparison) -> dict[str, Any]:
    """As JSON has it."""
    faults = Counter(done.fault.kind.value for done in comparison.ledger)
    return {**asdict(comparison), "scale": comparison.scale.name, "faults": dict(faults)}


def table(comparisons: Sequence[Comparison]) -> str:
    """As `deploy/README.md` has it."""
    head = (
        "seed",
        "events",
        "faults",
        "processes started",
        "known memories",
        "memories",
        "seconds undisturbed / disturbed",
        "digest",
        "ends",
    )
    rule = f"|{'|'.join(' --- ' for _ in head)}|"
    return "\n".join([f"| {' | '.join(head)} |", rule, *map(_row, comparisons)])


def _row(comparison: Comparison) -> str:
    undisturbed, disturbed = comparison.seconds
    cells = (
        comparison.seed,
        comparison.events,
        len(comparison.ledger),
        comparison.starts,
        comparison.known,
        comparison.memories,
        f"{undisturbed:.0f} / {disturbed:.0f}",
        f"`{comparison.digest}`",
        "wrong" if comparison.wrong else "equal",
    )
    return f"| {' | '.join(map(str, cells))} |"
