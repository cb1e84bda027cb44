"""The step of a change set that erases: the epoch first, then written down for all who keep any."""

from collections.abc import Callable, Sequence

from palimpsest.domain.change_set import ChangeSet
from palimpsest.domain.clock import Clock
from palimpsest.stores.epochs import EpochStore
from palimpsest.stores.erasures import DecidedErasure, ErasureStore


class Erasing:
    """Idempotent, like every step. The erasing itself is each owner's, see `delivery.obeying`."""

    def __init__(
        self,
        epochs: EpochStore,
        erasures: ErasureStore,
        *,
        wake: Callable[[], None],
        clock: Clock,
    ) -> None:
        self._clock = clock
        self._epochs = epochs
        self._erasures = erasures
        self._wake = wake

    async def apply(self, change_sets: Sequence[ChangeSet]) -> None:
        found = [(one, erasure) for one in change_sets for erasure in one.erasures]
        if not found:
            return
        for change_set, erasure in found:
            if erasure.everything:
                await self._epochs.raise_to(change_set.user_id, erasure.epoch)
        await self._erasures.put(
            [
                DecidedErasure(
                    id=change_set.id,
                    user_id=change_set.user_id,
                    revision=change_set.revision,
                    decided_at=change_set.decided_at,
                    known_since=self._clock(),
                    erasure=erasure,
                )
                for change_set, erasure in found
            ]
        )
        self._wake()
