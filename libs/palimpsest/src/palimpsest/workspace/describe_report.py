"""Descriptions of a synchronisation, in words and as JSON."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from palimpsest.workspace.place_sync import SyncReport
from palimpsest.workspace.places import find_folder

_DONE = {"add": "added", "edit": "changed", "forget": "forgotten"}


def describe_report(report: SyncReport) -> Iterator[str]:
    """Yield lines on what was done, without what the memories say."""
    folder = find_folder(report.scope)
    counts = Counter(_DONE[command.action] for command in report.commands)
    done = [f"{count} {words}" for words, count in counts.items()]
    done += [f"wrote {file}" for file in report.written]
    if done:
        yield f"{folder}: {', '.join(done)}"
    if report.outcome == "memory_off":
        yield f"{folder}: memory is off, so nothing is read or written"
    if report.asked:
        yield (
            f"{folder}: {report.asked} lines were gone and stand there again; tick the line at the"
            " top of the file to forget them"
        )
    for file, reason in report.held.items():
        yield f"{folder}: {file} is left alone, for {reason}"
    for reason in report.refused:
        yield f"{folder}: a line was not remembered: {reason}"


def describe_plan(report: SyncReport) -> Iterator[str]:
    """Yield a line on each thing that would be done, with the new words."""
    folder = find_folder(report.scope)
    for command in report.commands:
        whom = command.memory_id or command.kind
        yield f"{folder}: would {command.action} {whom}: {command.content or ''}".rstrip(": ")
    for file in report.written:
        yield f"{folder}: would write {file}"


def build_report_fields(report: SyncReport) -> dict[str, Any]:
    """Return the report as fields of JSON."""
    return {
        **report.scope.model_dump(),
        "outcome": report.outcome,
        "commands": [
            command.model_dump(
                mode="json",
                include={"action", "memory_id", "content", "kind"},
                exclude_none=True,
            )
            for command in report.commands
        ],
        "written": [file.value for file in report.written],
        "left_alone": {file.value: reason for file, reason in report.held.items()},
        "asked": report.asked,
        "refused": report.refused,
    }
