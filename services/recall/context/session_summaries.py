"""Reads summaries of earlier conversations and of the current one for a context."""

from collections.abc import Sequence

from palimpsest.api.context import ContextRequest
from palimpsest.api.recall import RecallRequest, RecordType
from palimpsest.model.clock import Clock
from palimpsest.model.context_format import FormatName
from palimpsest.model.session_summary import SessionSummary, summary_id
from palimpsest.model.user import UserState
from palimpsest_language.question_intents.earlier_conversations import (
    refers_to_earlier_conversation,
)
from palimpsest_language.question_intents.question_times import names_a_past_time
from palimpsest_server.domain.context.formats.registry import FORMATS
from palimpsest_server.domain.ranking.policies.summary_selection import (
    SUMMARIES_ON_REQUEST,
    count_latest_summaries,
)
from palimpsest_server.domain.summaries.summary_visibility import is_summary_visible
from palimpsest_server.stores.summaries import SummaryReader, find_latest_matching
from services.recall.recall import RecallHandler


class SessionSummaryReader:
    def __init__(
        self, recall_handler: RecallHandler, summaries: SummaryReader, clock: Clock
    ) -> None:
        self._recall_handler = recall_handler
        self._summaries = summaries
        self._clock = clock

    async def read(self, request: ContextRequest, state: UserState) -> Sequence[SessionSummary]:
        """Return the summaries nearest to a question about an earlier conversation, or the latest.

        Empty if the format has no summaries, or if recall returns them.

        Raises:
            TransientError: the summaries or the projection are not available.
        """
        form, query = FORMATS[request.format], request.query
        if not form.profile:
            return ()
        about_last_time = query is not None and refers_to_earlier_conversation(query)
        if query is not None and form.policy is not None:
            # Recall returns the summaries of a named time; other questions need none.
            zone = state.settings.time_zone
            if not about_last_time or names_a_past_time(query, now=self._clock(), time_zone=zone):
                return ()
        elif query is not None and about_last_time:
            nearest = await self._nearest(request, query, state)
            if nearest is not None:
                return nearest
        return await self._latest(request, state)

    async def read_current(self, request: ContextRequest, state: UserState) -> str:
        """Return the summary of the current conversation; empty if there is none."""
        own = current_summary_id(request)
        if own is None:
            return ""
        summaries = await self._summaries.by_ids(request.scope.visible(), [own])
        return summaries[0].text if summaries and self._is_told(summaries[0], state) else ""

    async def _nearest(
        self, request: ContextRequest, query: str, state: UserState
    ) -> Sequence[SessionSummary] | None:
        """Return the summaries nearest to the question; None if none was found."""
        answer = await self._recall_handler.recall(
            RecallRequest(
                user_id=request.user_id,
                agent_id=request.agent_id,
                project_id=request.project_id,
                query=query,
                records=frozenset({RecordType.SUMMARY}),
                limit=SUMMARIES_ON_REQUEST,
                preview=True,
            )
        )
        if not answer.results:
            return None
        ids = [result.id for result in answer.results]
        summaries = await self._summaries.by_ids(request.scope.visible(), ids)
        return [summary for summary in summaries if self._is_told(summary, state)]

    async def _latest(self, request: ContextRequest, state: UserState) -> Sequence[SessionSummary]:
        given = request.format is FormatName.PROFILE and "token_budget" in request.model_fields_set
        limit = count_latest_summaries(request.token_budget if given else None)
        return await find_latest_matching(
            self._summaries,
            request.scope.visible(),
            lambda summary: self._is_told(summary, state),
            now=self._clock(),
            limit=limit,
        )

    def _is_told(self, summary: SessionSummary, state: UserState) -> bool:
        return summary.counts(self._clock()) and is_summary_visible(summary, state)


def current_summary_id(request: ContextRequest) -> str | None:
    """Return the id of the summary of the current conversation; None without a session."""
    session = request.session_id
    return None if session is None else summary_id(request.user_id, session)
