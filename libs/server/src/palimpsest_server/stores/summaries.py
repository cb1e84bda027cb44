"""Summaries of sessions: read by scope, written by one service, each version once."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary


class SummaryReader(Protocol):
    async def by_ids(self, scopes: Sequence[Scope], ids: Sequence[str]) -> list[SessionSummary]:
        """Return summaries by id that live in exactly one of these scopes, in no order."""
        ...

    async def latest(
        self, scopes: Sequence[Scope], *, now: datetime, before: datetime | None = None
    ) -> list[SessionSummary]:
        """Return all valid summaries of exactly these scopes of one user, latest session first.

        `before` leaves out sessions that ended at or after that moment.
        """
        ...


class SummaryStore(SummaryReader, Protocol):
    async def of_users(self, ids: Mapping[str, Collection[str]]) -> list[SessionSummary]:
        """Return the summaries of these ids, by user id, whatever their scope, placeholders included."""
        ...

    async def made_since(
        self, user_id: str, moment: datetime, *, now: datetime
    ) -> list[SessionSummary]:
        """Return this user's valid summaries made after the moment, oldest session first."""
        ...

    async def write(self, summaries: Sequence[SessionSummary]) -> None:
        """Write each summary, unless the same or a later version is stored."""
        ...

    async def page(self, *, limit: int, after: str | None) -> list[SessionSummary]:
        """Return a page of all users' summaries by id."""
        ...

    async def over(self, *, now: datetime, limit: int) -> list[SessionSummary]:
        """Return expired summaries, longest expired first."""
        ...

    async def remove(self, ids: Mapping[str, Collection[str]]) -> None:
        """Delete summaries, given by user id."""
        ...

    async def erase(self, user_id: str, *, before_epoch: int) -> list[SessionSummary]:
        """Delete and return a user's summaries of epochs below `before_epoch`, so that their points can follow."""
        ...


class InMemorySummaries:
    """The twin of `MongoSummaries`."""

    def __init__(self) -> None:
        self._summaries: dict[str, SessionSummary] = {}

    async def by_ids(self, scopes: Sequence[Scope], ids: Sequence[str]) -> list[SessionSummary]:
        return [
            summary
            for summary in self._summaries.values()
            if summary.id in ids and summary.scope in scopes
        ]

    async def latest(
        self, scopes: Sequence[Scope], *, now: datetime, before: datetime | None = None
    ) -> list[SessionSummary]:
        summaries = [
            summary
            for summary in self._summaries.values()
            if summary.scope in scopes
            and summary.counts(now)
            and (before is None or summary.ended_at < before)
        ]
        return latest_first(summaries)

    async def of_users(self, ids: Mapping[str, Collection[str]]) -> list[SessionSummary]:
        return [
            summary
            for summary in self._summaries.values()
            if summary.id in ids.get(summary.scope.user_id, ())
        ]

    async def made_since(
        self, user_id: str, moment: datetime, *, now: datetime
    ) -> list[SessionSummary]:
        summaries = [
            summary
            for summary in self._summaries.values()
            if summary.scope.user_id == user_id and summary.made_at > moment and summary.counts(now)
        ]
        return latest_first(summaries)[::-1]

    async def write(self, summaries: Sequence[SessionSummary]) -> None:
        for summary in summaries:
            standing = self._summaries.get(summary.id)
            if standing is None or standing.version < summary.version:
                self._summaries[summary.id] = summary

    async def page(self, *, limit: int, after: str | None) -> list[SessionSummary]:
        ordered = sorted(self._summaries.values(), key=lambda summary: summary.id)
        return [summary for summary in ordered if after is None or summary.id > after][:limit]

    async def over(self, *, now: datetime, limit: int) -> list[SessionSummary]:
        summaries = [summary for summary in self._summaries.values() if summary.expires_at <= now]
        return sorted(summaries, key=lambda summary: (summary.expires_at, summary.id))[:limit]

    async def remove(self, ids: Mapping[str, Collection[str]]) -> None:
        for user in await self.of_users(ids):
            del self._summaries[user.id]

    async def erase(self, user_id: str, *, before_epoch: int) -> list[SessionSummary]:
        erased = [
            summary
            for summary in self._summaries.values()
            if summary.scope.user_id == user_id and summary.epoch < before_epoch
        ]
        for session_summary in erased:
            del self._summaries[session_summary.id]
        return erased


async def find_latest_matching(
    summaries: SummaryReader,
    scopes: Sequence[Scope],
    told: Callable[[SessionSummary], bool],
    *,
    now: datetime,
    limit: int,
    before: datetime | None = None,
) -> list[SessionSummary]:
    """Return the latest summaries for which `told` is true. Others do not count towards the limit."""
    found = await summaries.latest(scopes, now=now, before=before)
    return [summary for summary in found if told(summary)][:limit]


def latest_first(summaries: Sequence[SessionSummary]) -> list[SessionSummary]:
    return sorted(summaries, key=lambda summary: (summary.ended_at, summary.id), reverse=True)
