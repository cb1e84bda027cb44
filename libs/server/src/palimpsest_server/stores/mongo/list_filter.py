"""Filter of a list of memories: as a query of the database, and compared with stored documents."""

from collections.abc import Collection, Container
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import HELD_STATUSES, Status
from palimpsest.model.scope import Scope
from palimpsest_server.stores.listed_scopes import EveryProject, ListedScopes, sort_ids
from palimpsest_server.stores.mongo.database import Document

_ENDS = ("valid_until", "expires_at")


@dataclass(frozen=True)
class ListFilter:
    """The statuses and kinds of a list, and the moment at which its memories hold; None sets no condition."""

    statuses: frozenset[Status] | None
    kinds: frozenset[Kind] | None
    as_of: datetime | None

    @classmethod
    def of(
        cls,
        statuses: Collection[Status] | None = None,
        kinds: Collection[Kind] | None = None,
        as_of: datetime | None = None,
    ) -> "ListFilter":
        """Build the filter; at a moment only memories hold that are active or were superseded."""
        asked = None if statuses is None else frozenset(statuses)
        if as_of is not None:
            asked = HELD_STATUSES if asked is None else HELD_STATUSES & asked
        return cls(asked, None if kinds is None else frozenset(kinds), as_of)

    def build_query(self) -> Document:
        among = {**_among("status", self.statuses), **_among("kind", self.kinds)}
        if self.as_of is None:
            return among
        later = {field: {"$not": {"$lte": self.as_of}} for field in _ENDS}
        return {**among, "valid_from": {"$lte": self.as_of}, **later}

    def accepts(self, document: Document) -> bool:
        """Compare a stored memory as the query of `build_query` does."""
        if not self.accepts_kind(document["status"], document["kind"]):
            return False
        if self.as_of is None:
            return True
        ends = (document.get(field) for field in _ENDS)
        return document["valid_from"] <= self.as_of and all(
            end is None or end > self.as_of for end in ends
        )

    def accepts_kind(self, status: str, kind: str) -> bool:
        """Return whether memories of this status and kind are shown, at whatever moment they hold."""
        return (self.statuses is None or status in self.statuses) and (
            self.kinds is None or kind in self.kinds
        )


@dataclass(frozen=True, kw_only=True)
class SharedCollection:
    """Scopes of one user whose memories lie in one collection."""

    user_id: str
    agent_ids: frozenset[str | None]
    project_ids: frozenset[str | None] | None
    """None for every project."""
    scopes: Container[Scope]

    @classmethod
    def of(cls, scopes: ListedScopes) -> "SharedCollection":
        """Build it from scopes of one user."""
        if isinstance(scopes, EveryProject):
            return cls(
                user_id=scopes.user_id, agent_ids=scopes.agent_ids, project_ids=None, scopes=scopes
            )
        return cls(
            user_id=scopes[0].user_id,
            agent_ids=frozenset(scope.agent_id for scope in scopes),
            project_ids=frozenset(scope.project_id for scope in scopes),
            scopes=frozenset(scopes),
        )

    def build_query(self) -> Document:
        """Name agents and projects separately: a project may be found with another agent."""
        projects = {} if self.project_ids is None else _any("scope.project_id", self.project_ids)
        return {
            "scope.user_id": self.user_id,
            **_any("scope.agent_id", self.agent_ids),
            **projects,
        }

    def holds(self, document: Document) -> bool:
        """Return whether a stored memory lives in one of the scopes."""
        return read_scope(document) in self.scopes


def read_scope(document: Document) -> Scope:
    """Return the scope of a stored memory."""
    place = document["scope"]
    return _scope(place["user_id"], place["agent_id"], place["project_id"])


# Asked of every document, and most of them live in a few scopes.
@lru_cache(maxsize=1_024)
def _scope(user_id: str, agent_id: str | None, project_id: str | None) -> Scope:
    # Not validated again: a stored id may be older than the rules for new ones.
    return Scope.model_construct(user_id=user_id, agent_id=agent_id, project_id=project_id)


def _any(field: str, ids: frozenset[str | None]) -> Document:
    in_order = sort_ids(ids)
    return {field: in_order[0] if len(in_order) == 1 else {"$in": in_order}}


def _among(field: str, allowed: Collection[str] | None) -> Document:
    return {} if allowed is None else {field: {"$in": sorted(str(one) for one in allowed)}}
