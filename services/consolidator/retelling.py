"""Sessions are summed up anew without what was forgotten or set right since, or with what was restored.

Until then what stands is not told. The mark on what is withheld goes only once the ledger knows
the question, or nothing is to be asked: so a question that is lost on its way is asked again.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from palimpsest.contracts.questions import SummaryRequested
from palimpsest.contracts.topics import EXTRACTIONS
from palimpsest.delivery.looking import look_again_and_again
from palimpsest.delivery.publishing import Publisher
from palimpsest.domain.clock import Clock
from palimpsest.domain.identifiers import derive
from palimpsest.domain.summaries.summary import SessionSummary
from palimpsest.domain.summaries.telling import is_erased, is_to_be_told_anew
from palimpsest.domain.user import UserState
from palimpsest.stores.ledger import LedgerReader
from palimpsest.stores.recent import Recent
from palimpsest.stores.summaries import SummaryStore
from palimpsest.stores.users import UserStates
from palimpsest.stores.withheld import Untold, WithheldStore

INTERVAL = timedelta(seconds=2)
LOOKED_AT = 64

ASK_AGAIN = timedelta(minutes=1)
"""Where the ledger does not know the question by then. That it was asked is not written down."""

_log = structlog.get_logger("palimpsest.consolidator")


class Retelling:
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
        self._asked = Recent[str, bool](ASK_AGAIN)

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        await look_again_and_again(
            self.look,
            every=INTERVAL,
            failed=lambda words: _log.warning("could not have sessions told anew", error=words),
        )

    async def look(self) -> int:
        """Ask for what is to be told anew; how many questions that were."""
        found = await self._withheld.untold(limit=LOOKED_AT)
        mine = [one for one in found if self._owns(one.withheld.user_id)]
        states = await self._users.of({one.withheld.user_id for one in mine})
        return sum([await self._look_at(one, states[one.withheld.user_id]) for one in mine])

    async def _look_at(self, one: Untold, state: UserState) -> int:
        withheld, now = one.withheld, self._clock()
        standing = await self._summaries.of_users({withheld.user_id: withheld.summary_ids})
        questions = [
            told_anew(each, state, now=now)
            for each in standing
            if not is_erased(each, state) and is_to_be_told_anew(each, state)
        ]
        known = await self._ledger.known([each.question_id for each in questions])
        unknown = [each for each in questions if each.question_id not in known]
        if not unknown:
            await self._withheld.looked_at(one)
            return 0
        asked = self._asked.living([each.question_id for each in unknown], now)
        fresh = [each for each in unknown if each.question_id not in asked]
        if fresh:
            await self._publisher.publish(EXTRACTIONS, fresh)
            self._asked.keep({each.question_id: True for each in fresh}, now)
        return len(fresh)


def told_anew(standing: SessionSummary, state: UserState, *, now: datetime) -> SummaryRequested:
    """About the same messages, without those that may not be told now."""
    left_out = sorted(state.not_told.get(standing.id, ()))
    return SummaryRequested.about(
        standing.scope,
        standing.session_id,
        through=standing.through,
        epoch=standing.epoch,
        settings=state.settings,
        now=now,
        # Forgotten, restored and forgotten again is three questions: each is of another version.
        anew=derive("left_out", standing.scope.user_id, str(standing.version), *left_out),
    )
