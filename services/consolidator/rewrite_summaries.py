"""Has summaries rewritten without content that was forgotten or corrected, or with restored content.

Until then the current summary is not shown. The mark on a withheld summary is removed only when the
ledger knows the question, or when nothing is to be asked. A lost question is therefore asked again.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from palimpsest.events.extractor_requests import SummaryRequested
from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.clock import Clock
from palimpsest.model.identifiers import derive_id
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.user import UserState
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.domain.summaries.summary_visibility import is_erased, is_rewrite_needed
from palimpsest_server.stores.expiring_cache import ExpiringCache
from palimpsest_server.stores.ledger import LedgerReader
from palimpsest_server.stores.summaries import SummaryStore
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.withheld_messages import WithheldStore, WithheldSummaryReview

REWRITE_INTERVAL = timedelta(seconds=2)
REVIEWS_PER_LOOK = 64

FIRST_RETRY_DELAY = timedelta(minutes=1)
"""Time after which a question is asked again if the ledger does not know it. That it was asked is
not stored.
"""

_log = structlog.get_logger("palimpsest.consolidator")


class SummaryRewriter:
    def __init__(
        self,
        *,
        withheld: WithheldStore,
        summaries: SummaryStore,
        ledger: LedgerReader,
        users: UserStates,
        publisher: Publisher,
        owns: Callable[[str], bool],
        clock: Clock,
    ) -> None:
        self._withheld = withheld
        self._summaries = summaries
        self._ledger = ledger
        self._users = users
        self._publisher = publisher
        self._owns = owns
        self._clock = clock
        self._asked = ExpiringCache[str, bool](FIRST_RETRY_DELAY)

    async def watch(self) -> None:
        """Ask for due rewrites periodically, until cancelled."""
        await run_periodically(
            self.look,
            every=REWRITE_INTERVAL,
            log=_log,
            failure="could not have sessions told anew",
        )

    async def look(self) -> int:
        """Ask for summaries to rewrite, and return the number of questions."""
        reviews = await self._withheld.untold(limit=REVIEWS_PER_LOOK)
        mine = [review for review in reviews if self._owns(review.withheld.user_id)]
        states = await self._users.of({review.withheld.user_id for review in mine})
        return sum(
            [await self._look_at(review, states[review.withheld.user_id]) for review in mine]
        )

    async def _look_at(self, review: WithheldSummaryReview, state: UserState) -> int:
        withheld, now = review.withheld, self._clock()
        standing = await self._summaries.of_users({withheld.user_id: withheld.summary_ids})
        questions = [
            build_rewrite_request(summary, state, now=now)
            for summary in standing
            if not is_erased(summary, state) and is_rewrite_needed(summary, state)
        ]
        known = await self._ledger.known([question.question_id for question in questions])
        unknown = [question for question in questions if question.question_id not in known]
        if not unknown:
            await self._withheld.looked_at(review)
            return 0
        asked = self._asked.living(
            [summary_requested.question_id for summary_requested in unknown], now
        )
        fresh = [
            summary_requested
            for summary_requested in unknown
            if summary_requested.question_id not in asked
        ]
        if fresh:
            await self._publisher.publish(EXTRACTIONS, fresh)
            self._asked.keep(
                {summary_requested.question_id: True for summary_requested in fresh}, now
            )
        return len(fresh)


def build_rewrite_request(
    standing: SessionSummary, state: UserState, *, now: datetime
) -> SummaryRequested:
    """Build the request for a summary of the same messages, without those that must not be shown."""
    left_out = sorted(state.not_told.get(standing.id, ()))
    return SummaryRequested.about(
        standing.scope,
        standing.session_id,
        through=standing.through,
        epoch=standing.epoch,
        settings=state.settings,
        now=now,
        # Forgetting, restoring and forgetting again makes three questions: each names another
        # version.
        anew=derive_id("left_out", standing.scope.user_id, str(standing.version), *left_out),
    )
