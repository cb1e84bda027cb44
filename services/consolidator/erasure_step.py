"""The step of a change set that erases: the epoch first, then written down for all who keep any."""

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
"""Longer than a question or its answer may be on its way."""


@dataclass(frozen=True)
class DatedErasure:
    erasure: Erasure
    at: datetime
    revision: int
    """Of the change set that decided it."""

    def concerns(self, answer: ExtractorAnswer | SummaryPublished) -> bool:
        """Return whether a model may have been shown what was erased then.

        What was asked afterwards was asked without it. A summary says itself of
        which erasures its maker knew; a profile is made of too much to tell. Of
        a chat service it is believed of what it says afterwards.
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
    """Idempotent, like every step. The erasing itself is each owner's, see `delivery.erasure_worker`.

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
        self.recent: dict[str, tuple[DatedErasure, ...]] = {}
        """By user: what of all that they had said was erased lately, and when."""
        self._epochs = epochs
        self._erasures = erasures
        self._wake = wake

    async def load(self) -> None:
        """Remember what earlier processes have erased."""
        for one in await self._erasures.since(self._clock() - RECENT_ERASURE_PERIOD):
            self._note(one.user_id, DatedErasure(one.erasure, one.decided_at, one.revision))

    def _note(self, user_id: str, erased: DatedErasure) -> None:
        if not erased.erasure.of_what_was_told:
            return
        since = erased.at - RECENT_ERASURE_PERIOD
        known = self.recent.get(user_id, ())
        lately = [one for one in known if one.at >= since and one.revision != erased.revision]
        self.recent[user_id] = (*lately, erased)

    def concerns(self, event: Event) -> bool:
        """Return whether an answer belongs to a question asked before some of its subject was erased."""
        return isinstance(event, ExtractorAnswer | SummaryPublished) and any(
            one.concerns(event) for one in self.recent.get(event.user_id, ())
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
