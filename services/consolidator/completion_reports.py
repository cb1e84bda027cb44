"""Completion reports: stored as they come, and read for todos that may be older than the reports."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.events.writes import TurnStored
from palimpsest.model.clock import Clock
from palimpsest.model.todo import Todo
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.todos.settlement import CompletionReport, report_completions
from palimpsest_server.stores.completions import CompletionStore
from palimpsest_server.stores.todos import TodoStore
from services.consolidator.event_contents import collect_candidates


class CompletionReports:
    def __init__(self, completions: CompletionStore, todos: TodoStore, *, clock: Clock) -> None:
        self._completions = completions
        self._todos = todos
        self._clock = clock

    async def note(self, events: Sequence[Event]) -> None:
        """Store completion reports. Call it before any event of the batch is decided."""
        now = self._clock()
        await self._completions.write(
            [
                completion_report
                for event in events
                for completion_report in extract_completion_reports(event, now)
            ]
        )
        withheld = (event.turn for event in events if isinstance(event, TurnStored))
        await self._completions.withhold([turn.id for turn in withheld if turn.withheld])

    async def before(
        self,
        events: Sequence[Event],
        settings: Mapping[str, UserSettings],
        epochs: Mapping[str, int],
    ) -> tuple[list[CompletionReport], list[Todo]]:
        """Read earlier reports that may close todos of these events, with the todos beside them."""
        now = self._clock()
        # Reports of these events themselves are applied when each event is decided.
        own = {
            completion_report.id: completion_report
            for event in events
            for completion_report in extract_completion_reports(event, now)
        }
        since = dict[str, datetime]()
        for user_id, moment in _moments(own.values(), events, settings):
            since[user_id] = min(moment, since.get(user_id, moment))
        if not since:
            return [], []
        heard = [
            report
            for report in await self._completions.since(since)
            if report.id not in own and report.epoch >= epochs.get(report.user_id, 0)
        ]
        ids: dict[str, set[str]] = {}
        for one in heard:
            ids.setdefault(one.user_id, set()).add(one.id)
        speaking = {report.user_id for report in own.values()}
        concerned = [
            *await self._todos.open_of(speaking | ids.keys()),
            *await self._todos.closed_by(ids),
        ]
        return heard, concerned


def extract_completion_reports(event: Event, now: datetime) -> list[CompletionReport]:
    if not isinstance(event, CandidatesProposed) or not event.completions:
        return []
    return report_completions(event.completions, event.scope, epoch=event.epoch or 0, now=now)


def _moments(
    said: Iterable[CompletionReport], events: Sequence[Event], settings: Mapping[str, UserSettings]
) -> Iterator[tuple[str, datetime]]:
    """Yield a user id and a moment for each report and each candidate todo."""
    for completion_report in said:
        yield completion_report.user_id, completion_report.completion.said_at
    for event in events:
        for candidate in collect_candidates(event, settings[event.user_id]):
            if candidate.kind.properties.is_todo:
                yield event.user_id, candidate.valid_from
