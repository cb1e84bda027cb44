"""Sessions are summed up anew without what was forgotten or set right since, or with what was restored.

Until then what stands is not told. The mark on what is withheld goes only once the ledger knows
the question, or nothing is to be asked: so a question that is lost on its way is asked again.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from palimpsest.contracts.envelope import derived_event_id
from palimpsest.contracts.questions import SummaryRequested, summary_question_id
from palimpsest.contracts.topics import EXTRACTIONS
from palimpsest.delivery.looking import look_again_and_again
from palimpsest.delivery.publishing import Publisher
from palimpsest.domain.clock import Clock
from palimpsest.domain.identifiers import derive
from palimpsest.domain.summaries.summary import SessionSummary
from palimpsest.domain.summaries.telling import is_erased, is_to_be_told_anew
from palimpsest.domain.user import UserState
from palimpsest.stores.ledger import LedgerReader
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
        self._asked: dict[str, datetime] = {}

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
        self._asked = {
            question: at for question, at in self._asked.items() if self._clock() < at + ASK_AGAIN
        }
        asked = 0
        for one in mine:
            user_id = one.withheld.user_id
            asked += await self._look_at(one, (await self._users.of([user_id]))[user_id])
        return asked

    async def _look_at(self, one: Untold, state: UserState) -> int:
        withheld = one.withheld
        standing = await self._summaries.of_users({withheld.user_id: withheld.summary_ids})
        questions = [
            told_anew(each, state, now=self._clock())
            for each in standing
            if not is_erased(each, state) and is_to_be_told_anew(each, state)
        ]
        known = await self._ledger.known([each.question_id for each in questions])
        unknown = [each for each in questions if each.question_id not in known]
        if not unknown:
            await self._withheld.looked_at(one)
            return 0
        asked = [each for each in unknown if each.question_id not in self._asked]
        await self._publisher.publish(EXTRACTIONS, asked)
        self._asked |= {each.question_id: self._clock() for each in asked}
        return len(asked)


def told_anew(standing: SessionSummary, state: UserState, *, now: datetime) -> SummaryRequested:
    """About the same messages, without those that may not be told now."""
    user_id = standing.scope.user_id
    left_out = sorted(state.not_told.get(standing.id, ()))
    question_id = summary_question_id(
        user_id,
        standing.session_id,
        through=standing.through,
        # Forgotten, restored and forgotten again is three questions: each is of another version.
        anew=(anew := derive("left_out", user_id, str(standing.version), *left_out)),
    )
    return SummaryRequested(
        event_id=derived_event_id("SummaryRequested", user_id, question_id),
        occurred_at=now,
        received_at=now,
        epoch=standing.epoch,
        user_id=user_id,
        agent_id=standing.scope.agent_id,
        project_id=standing.scope.project_id,
        session_id=standing.session_id,
        question_id=question_id,
        through=standing.through,
        anew=anew,
        settings=state.settings,
    )
