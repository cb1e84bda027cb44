"""The step of a change set that erases: raise the epoch, then store the erasure for every owner."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from palimpsest.events.conversations import SummaryPublished
from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import (
    CandidatesProposed,
    ExtractorAnswer,
    SummaryProposed,
)
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.clock import Clock
from palimpsest.model.erasure import Erasure
from palimpsest.model.session_summary import summary_id
from palimpsest_server.stores.decided_erasures import DecidedErasure, ErasureStore
from palimpsest_server.stores.epochs import EpochStore

RECENT_ERASURE_PERIOD = timedelta(days=4)
"""How long erasures are remembered: longer than a question to a model or its answer may be on its
way.
"""


@dataclass(frozen=True)
class DatedErasure:
    erasure: Erasure
    at: datetime
    revision: int
    """The revision of the change set that decided the erasure."""

    def concerns(self, answer: ExtractorAnswer | SummaryPublished) -> bool:
        """Return whether a model may have been shown the erased content.

        A question that was asked after the erasure was asked without that content. A summary states
        which erasures its maker knew. A profile is made of too much to tell. A summary that a chat
        service publishes after the erasure is trusted.
        """
        asked_afterwards = (answer.received_at or answer.occurred_at) > self.at
        if isinstance(answer, SummaryPublished):
            own = summary_id(answer.user_id, answer.session_id)
            return own in self.erasure.summary_ids and not asked_afterwards
        if answer.request_id in self.erasure.window_ids:
            return True
        project = self.erasure.project_id
        in_project = project is not None and answer.project_id == project
        if isinstance(answer, SummaryProposed):
            told = self.erasure.may_be_told_in(summary_id(answer.user_id, answer.session_id))
            return (told or in_project) and answer.aware_of < self.revision
        if asked_afterwards or not self.erasure.of_what_was_said:
            return False
        return not isinstance(answer, CandidatesProposed) or in_project


class ErasureStep:
    """Carries out the step; it is idempotent. Each owner erases its own records: `erasure_worker`.

    A model's answer to an earlier question may arrive after the erasure and hold erased content.
    The step therefore remembers recent erasures.
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
        self.recent: dict[str, tuple[DatedErasure, ...]] = {}
        """Recent erasures by user, each with its time."""
        self._epochs = epochs
        self._erasures = erasures
        self._wake = wake

    async def load(self) -> None:
        """Load the recent erasures of earlier processes."""
        for erasure in await self._erasures.since(self._clock() - RECENT_ERASURE_PERIOD):
            self._note(
                erasure.user_id, DatedErasure(erasure.erasure, erasure.decided_at, erasure.revision)
            )

    def _note(self, user_id: str, erased: DatedErasure) -> None:
        if not erased.erasure.of_what_was_told:
            return
        since = erased.at - RECENT_ERASURE_PERIOD
        known = self.recent.get(user_id, ())
        lately = [
            erasure
            for erasure in known
            if erasure.at >= since and erasure.revision != erased.revision
        ]
        self.recent[user_id] = (*lately, erased)

    def concerns(self, event: Event) -> bool:
        """Return whether an answer belongs to a question asked before some of its content was erased."""
        return isinstance(event, ExtractorAnswer | SummaryPublished) and any(
            erasure.concerns(event) for erasure in self.recent.get(event.user_id, ())
        )

    async def apply(self, change_sets: Sequence[ChangeSet]) -> None:
        found = [
            (change_set, erasure) for change_set in change_sets for erasure in change_set.erasures
        ]
        if not found:
            return
        for change_set, erasure in found:
            decided = DatedErasure(erasure, change_set.decided_at, change_set.revision)
            self._note(change_set.user_id, decided)
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
