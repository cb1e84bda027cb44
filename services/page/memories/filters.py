"""Filters of the list of memories, as the address of the page has them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from palimpsest.api.resources import MemorySort
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from services.page.visit import Visit

ANY_STATUS = "any"
PAGE_SIZE = 50


@dataclass(frozen=True)
class MemoryFilters:
    """The chosen filters; an empty one sets no condition."""

    text: str = ""
    kind: str = ""
    status: str = ""
    agent_id: str = ""
    project_id: str = ""
    tag: str = ""
    since: str = ""
    until: str = ""
    sort: str = ""

    @property
    def are_default(self) -> bool:
        """True if all active memories are listed, newest first."""
        return self == MemoryFilters()

    @property
    def beyond_search(self) -> int:
        """The number of filters that are folded away until somebody asks for them."""
        folded = (self.agent_id, self.project_id, self.tag, self.since, self.until, self.sort)
        return sum(bool(value) for value in folded)


def read_filters(visit: Visit) -> MemoryFilters:
    """Read the filters; a value that is none of the choices counts as empty."""
    choices: Mapping[str, frozenset[str]] = {
        "kind": frozenset(Kind),
        "status": frozenset(Status) | {ANY_STATUS},
        "sort": frozenset(MemorySort),
    }
    fields = MemoryFilters.__dataclass_fields__
    given = {name: visit.query[name] for name in fields if name in visit.query}
    return MemoryFilters(
        **{name: value for name, value in given.items() if value in choices.get(name, {value})}
    )


def build_list_query(visit: Visit, filters: MemoryFilters) -> dict[str, Any]:
    """Return the fields of the client's call `list` for these filters."""
    scope = visit.scope()
    query: dict[str, Any] = {
        **scope,
        "everywhere": not scope.get("project_id"),
        "text": filters.text or None,
        "kind": [filters.kind] if filters.kind else None,
        "tag": [filters.tag] if filters.tag else None,
        "status": _choose_statuses(filters.status),
        "limit": PAGE_SIZE,
        "cursor": visit.query.get("cursor"),
    }
    if filters.since:
        query["since"] = visit.times.parse_field(filters.since)
    if filters.until:
        # The last day is included.
        query["until"] = visit.times.parse_field(filters.until) + timedelta(days=1)
    if filters.sort:
        query["sort"] = filters.sort
    return query


def _choose_statuses(chosen: str) -> list[Status]:
    if chosen == ANY_STATUS:
        return [status for status in Status if status is not Status.PURGED]
    return [Status(chosen)] if chosen else [Status.ACTIVE]
