"""Makes the items of a context from recalled results, each with its day and dates in its words."""

from collections.abc import Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from palimpsest.api.recall import RecallResult
from palimpsest.model.memory import Status
from palimpsest_language.time_expressions.dated_words import DatedText
from palimpsest_server.domain.context.material import ContextItem
from palimpsest_server.domain.memory_dates import (
    find_said_at,
    write_message_dates,
    write_statement_dates,
)
from palimpsest_server.domain.todos.due_time import compute_stated_due_time
from services.recall.context.conflicting_results import find_conflicting_results


def build_items(
    results: Sequence[RecallResult], *, time_zone: str, now: datetime
) -> tuple[ContextItem, ...]:
    """Return one item for each result, numbered from 1.

    Args:
        results: memories and messages, best first.
        time_zone: the user's time zone.
        now: the moment of the context; earlier todos are overdue.
    """
    zone = ZoneInfo(time_zone)
    numbers = {result.id: number for number, result in enumerate(results, start=1)}
    differing = find_conflicting_results(results)
    return tuple(
        ContextItem(
            number=numbers[result.id],
            content=_write_content(result, time_zone),
            summary=_write_summary(result, time_zone),
            kind=result.kind,
            speaker=result.speaker,
            said_by=result.said_by,
            on=_day(result.occurred_at, zone),
            at=result.occurred_at,
            until=_day(result.valid_until, zone)
            if result.status is Status.SUPERSEDED and result.valid_until
            else None,
            overdue_since=_find_overdue_day(result, time_zone, now),
            conflicts=tuple(sorted(numbers[other] for other in differing.get(result.id, ()))),
        )
        for result in results
    )


def _write_content(result: RecallResult, time_zone: str) -> DatedText:
    if result.kind is not None:
        return _write_statement(result, result.content, time_zone)
    text = " ".join(result.content.split())
    return write_message_dates(text, said_at=result.occurred_at, time_zone=time_zone)


def _write_summary(result: RecallResult, time_zone: str) -> DatedText | None:
    if result.summary is None:
        return None
    return _write_statement(result, result.summary, time_zone)


def _write_statement(result: RecallResult, text: str, time_zone: str) -> DatedText:
    if result.kind is None:
        return write_message_dates(text, said_at=result.occurred_at, time_zone=time_zone)
    said_at = find_said_at(result.evidence, otherwise=result.valid_from or result.occurred_at)
    return write_statement_dates(
        text, kind=result.kind, time=result.time, said_at=said_at, time_zone=time_zone
    )


def _find_overdue_day(result: RecallResult, time_zone: str, now: datetime) -> date | None:
    """Return the past day on which an open todo was due; None if it is not overdue."""
    if result.kind is None or not result.kind.properties.is_todo or result.time is None:
        return None
    if result.status is not Status.ACTIVE or result.time.recurrence is not None:
        return None
    due = compute_stated_due_time(
        result.time,
        words="\n".join([*(piece.quote for piece in result.evidence), result.content]),
        said_at=result.valid_from or result.occurred_at,
        time_zone=time_zone,
    )
    if due is None or due.over_at > now:
        return None
    return _day(due.at, ZoneInfo(time_zone))


def _day(moment: datetime, zone: ZoneInfo) -> date:
    return moment.astimezone(zone).date()
