"""The step of a change set that erases: the epoch first, then written down for all who keep any."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.contracts.answers import CandidatesProposed, QuestionAnswered, SummaryProposed
from palimpsest.delivery.obeying import SETTLED_AFTER
from palimpsest.domain.change_set import ChangeSet
from palimpsest.domain.clock import Clock
from palimpsest.domain.erasure import Erasure
from palimpsest.stores.epochs import EpochStore
from palimpsest.stores.erasures import DecidedErasure, ErasureStore

REMEMBERED_FOR = timedelta(days=4)
"""Longer than a question or its answer may be on its way."""


@dataclass(frozen=True)
class ErasedAt:
    erasure: Erasure
    at: datetime

    def concerns(self, answer: QuestionAnswered) -> bool:
        """Whether a model may have been shown what was erased then.

        What was asked afterwards was asked without it, once ingest had blanked
        what a summary is made of. A summary or a profile is made of too much to tell.
        """
        if answer.request_id in self.erasure.window_ids:
            return True
        blanked = self.at + 2 * SETTLED_AFTER if isinstance(answer, SummaryProposed) else self.at
        if (answer.received_at or answer.occurred_at) >= blanked:
            return False
        project = self.erasure.project_id
        return not isinstance(answer, CandidatesProposed) or (
            project is not None and answer.project_id == project
        )


class Erasing:
    """Idempotent, like every step. The erasing itself is each owner's, see `delivery.obeying`.

    What models were asked before some of what somebody said was erased may
    come back as an answer after that: so this is remembered.
    """

    def __init__(
        self,
        epochs: EpochStore,
        erasures: ErasureStore,
        *,
        wake: Callable[[], None],
        clock: Clock,
    ) -> None:
        self._clock = clock
        self.recent: dict[str, tuple[ErasedAt, ...]] = {}
        """By user: what of all that they had said was erased lately, and when."""
        self._epochs = epochs
        self._erasures = erasures
        self._wake = wake

    async def load(self) -> None:
        """Remember what earlier processes have erased."""
        for one in await self._erasures.since(self._clock() - REMEMBERED_FOR):
            self._note(one.user_id, one.erasure, one.decided_at)

    def _note(self, user_id: str, erasure: Erasure, at: datetime) -> None:
        if not erasure.of_what_was_said:
            return
        known = self.recent.get(user_id, ())
        lately = [one for one in known if one.at >= at - REMEMBERED_FOR and one.erasure != erasure]
        self.recent[user_id] = (*lately, ErasedAt(erasure, at))

    async def apply(self, change_sets: Sequence[ChangeSet]) -> None:
        found = [(one, erasure) for one in change_sets for erasure in one.erasures]
        if not found:
            return
        for change_set, erasure in found:
            self._note(change_set.user_id, erasure, change_set.decided_at)
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
