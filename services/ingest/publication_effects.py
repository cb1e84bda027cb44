"""Looks up the effects of ingest's publications in the stores of their readers."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from palimpsest.model.change_set import change_set_id
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Turn
from palimpsest.model.window import Window
from palimpsest_server.stores.accepted_requests import AcceptedRequest, request_id
from palimpsest_server.stores.dead_letters import DeadLetterReader, EventKey
from services.ingest.ingest_stores import KnownIdReader


class IndexedVersionReader(Protocol):
    async def versions(self, scope_of_ids: Mapping[str, Scope]) -> Mapping[str, int]: ...


class PublicationEffects:
    """Tells which publications have had their effect."""

    def __init__(
        self,
        *,
        vectors: IndexedVersionReader | None,
        ledger: KnownIdReader,
        change_sets: KnownIdReader,
        dead_letters: DeadLetterReader,
    ) -> None:
        self._vectors = vectors
        self._ledger = ledger
        self._change_sets = change_sets
        self._dead_letters = dead_letters

    @property
    def sees_turns(self) -> bool:
        """False in a process without vectors; another process must confirm turns then."""
        return self._vectors is not None

    async def turns(self, turns: Sequence[Turn]) -> set[str]:
        """Return the ids of the turns that have become searchable."""
        if self._vectors is None:
            return set()
        return set(await self._vectors.versions({turn.id: turn.scope for turn in turns}))

    async def requests(self, requests: Sequence[AcceptedRequest]) -> set[str]:
        """Return the request ids of those that the consolidator has decided."""
        causes = {
            request_id(event.user_id, event.event_id): change_set_id(event.user_id, event.event_id)
            for event in requests
        }
        decided = await self._change_sets.known(list(causes.values()))
        return {each for each, cause in causes.items() if cause in decided}

    async def windows(self, windows: Sequence[Window]) -> set[str]:
        """Return the ids of the windows that the extractor has stored."""
        return await self._ledger.known([window.id for window in windows])

    async def dead_lettered(self, events: Collection[EventKey]) -> set[EventKey]:
        """Return the dead-lettered events, which only a replay gives an effect."""
        return await self._dead_letters.known(events)
