"""Effects of what ingest published, seen in the stores of its readers."""

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
    """The place where the effect of a publication is seen."""

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
        """False in a process without vectors: another one has to look after the turns."""
        return self._vectors is not None

    async def turns(self, turns: Sequence[Turn]) -> set[str]:
        """The ids of those that have become searchable."""
        if self._vectors is None:
            return set()
        return set(await self._vectors.versions({turn.id: turn.scope for turn in turns}))

    async def requests(self, requests: Sequence[AcceptedRequest]) -> set[str]:
        """The request ids of those that the consolidator has decided about."""
        causes = {
            request_id(event.user_id, event.event_id): change_set_id(event.user_id, event.event_id)
            for event in requests
        }
        decided = await self._change_sets.known(list(causes.values()))
        return {each for each, cause in causes.items() if cause in decided}

    async def windows(self, windows: Sequence[Window]) -> set[str]:
        """The ids of those that the extractor has written down."""
        return await self._ledger.known([window.id for window in windows])

    async def dead_lettered(self, events: Collection[EventKey]) -> set[EventKey]:
        """Return events that will have no effect unless they are replayed."""
        return await self._dead_letters.known(events)
