"""The archive of a user without erased records, from the moment at which an erasure is decided."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from palimpsest.model.erasure import Erasure
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Turn
from palimpsest.model.window import Window
from palimpsest_server.stores.accepted_requests import AcceptedRequest
from palimpsest_server.stores.dead_letters import DeadLetter
from palimpsest_server.stores.decided_erasures import DecidedErasure, ErasureStore
from palimpsest_server.stores.erasure.dead_letters import is_letter_erased
from palimpsest_server.stores.erasure.ingest import is_request_erased
from palimpsest_server.stores.user_archive import UserArchive
from palimpsest_server.stores.user_states import UserStates


@dataclass(frozen=True)
class ErasedData:
    """Records of a user that were erased, though some stage may still hold them."""

    epoch: int
    """Data of a lower epoch is erased."""
    under_way: tuple[DecidedErasure, ...]

    @property
    def erasures(self) -> tuple[Erasure, ...]:
        return tuple(decided.erasure for decided in self.under_way)

    def takes(self, said: Turn | SessionSummary) -> bool:
        if said.epoch < self.epoch:
            return True
        return any(erasure.takes(said.id, said.scope) for erasure in self.erasures)


class VisibleArchive:
    """Reads the decided erasures at each call, so that no erased record is shown afterwards."""

    def __init__(self, archive: UserArchive, users: UserStates, erasures: ErasureStore) -> None:
        self._archive = archive
        self._users = users
        self._erasures = erasures

    async def erased(self, user_id: str) -> ErasedData:
        state = (await self._users.of([user_id]))[user_id]
        decided = await self._erasures.of_user(user_id)
        epochs = (erasure.erasure.epoch for erasure in decided if erasure.erasure.everything)
        return ErasedData(
            epoch=max(state.epoch, *epochs, 0),
            under_way=tuple(erasure for erasure in decided if erasure.waiting_for),
        )

    async def turns(self, user_id: str) -> AsyncIterator[Turn]:
        erased = await self.erased(user_id)
        async for turn in self._archive.turns(user_id):
            if not erased.takes(turn):
                yield turn

    async def summaries(self, user_id: str) -> AsyncIterator[SessionSummary]:
        erased = await self.erased(user_id)
        async for summary in self._archive.summaries(user_id):
            if not erased.takes(summary):
                yield summary

    async def requests(self, user_id: str) -> AsyncIterator[tuple[str, AcceptedRequest]]:
        erased = await self.erased(user_id)
        async for identity, event in self._archive.requests(user_id):
            gone = any(is_request_erased(erasure, identity, event) for erasure in erased.under_way)
            if not gone and (event.epoch or 0) >= erased.epoch:
                yield identity, event

    async def windows(self, user_id: str) -> AsyncIterator[Window]:
        async for window in self._archive.windows(user_id):
            yield window

    async def dead_letters(self, user_id: str) -> AsyncIterator[DeadLetter]:
        erased = await self.erased(user_id)
        async for letter in self._archive.dead_letters(user_id):
            if not any(is_letter_erased(letter, erasure) for erasure in erased.under_way):
                yield letter
