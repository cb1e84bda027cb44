"""Gathers the material of a context: memories, summaries, the profile, the last messages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from palimpsest.api.context import ContextRequest
from palimpsest.api.recall import (
    DEFAULT_RECORD_TYPES,
    RecallDetail,
    RecallRequest,
    RecallResult,
    RecordType,
)
from palimpsest.model.context_format import FormatName
from palimpsest.model.profile import Profile
from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import UserState
from palimpsest_server.domain.context.formats.registry import FORMATS, ContextFormat
from palimpsest_server.domain.profiles.layered_profile import is_profile_visible, join_layers
from palimpsest_server.domain.ranking.exclusion_reasons import explain_withdrawn_turn
from palimpsest_server.stores.profiles import ProfileReader
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.turns import TurnReader
from services.recall.context.deduplicate import (
    drop_messages_in_prompt,
    drop_quoted_messages,
    prefer_messages,
)
from services.recall.context.important_memories import ImportantMemoryReader
from services.recall.context.running_summary import summarize_conversation_so_far
from services.recall.context.session_summaries import SessionSummaryReader, current_summary_id
from services.recall.recall import RecallHandler

TOKENS_PER_ITEM = 20
"""Tokens of a short message with its speaker. Divides the budget into the number of results to
recall.
"""
FEWEST_ITEMS, MOST_ITEMS = 40, 100
"""Bounds of the number of recalled results. With fewer than are ranked, a memory hides the message
that it quotes.
"""

MESSAGES_BEFORE_LAST = 60
"""The most messages before the last ones that are summarised."""


@dataclass(frozen=True)
class GatheredContext:
    results: Sequence[RecallResult] = ()
    """Results, best first."""
    recall_id: str | None = None
    profile: str = ""
    conversations: Sequence[tuple[datetime, str]] = ()
    """The end and the summary of each earlier conversation, latest first."""
    messages: Sequence[Turn] = ()
    """The last messages of the current conversation, oldest first."""
    running_summary: str = ""

    @property
    def told(self) -> str:
        """A text in the user's language: profile or summaries, otherwise the user's last messages."""
        said = (message.text for message in self.messages if message.role is Role.USER)
        return self.profile or " ".join(text for _, text in self.conversations) or " ".join(said)


class ContextMaterialReader:
    def __init__(
        self,
        *,
        recall_handler: RecallHandler,
        important_memories: ImportantMemoryReader,
        session_summaries: SessionSummaryReader,
        turns: TurnReader,
        profiles: ProfileReader,
        last_messages: int,
    ) -> None:
        self._recall_handler = recall_handler
        self._important_memories = important_memories
        self._session_summaries = session_summaries
        self._turns = turns
        self._profiles = profiles
        self._last_messages = last_messages

    async def gather(self, request: ContextRequest, state: UserState) -> GatheredContext:
        """Gather the material for a context.

        Raises:
            TransientError: one of the stores that it reads is not available.
        """
        form = FORMATS[request.format]
        (
            (found, recall_id),
            (profile, is_known),
            latest,
            messages,
            running_summary,
        ) = await asyncio.gather(
            self._recall(request, form, state),
            self._read_profile(request, form, state),
            self._session_summaries.read(request, state),
            self._read_messages(request, state, limit=self._count_messages(request, form)),
            self._session_summaries.read_current(request, state),
        )
        if form.profile and not is_known and (request.query is None or form.policy is None):
            # Without a profile, the most important memories take its place.
            found = await self._important_memories.read(request, state)
        running_summary = running_summary or await self._sum_up(request, form, state, messages)
        results = [result for result in found if result.record is not RecordType.SUMMARY]
        # A running summary replaces the stored one of the current conversation.
        own = current_summary_id(request) if form.running_summary else None
        asked_for = [
            result for result in found if result.record is RecordType.SUMMARY and result.id != own
        ]
        conversations = [(result.occurred_at, result.content) for result in asked_for] or [
            (summary.ended_at, summary.text) for summary in latest if summary.id != own
        ]
        return GatheredContext(
            results=drop_messages_in_prompt(
                results, messages, (*request.context, request.query or "")
            ),
            recall_id=recall_id,
            profile=profile,
            conversations=sorted(conversations, reverse=True),
            messages=messages,
            running_summary=running_summary,
        )

    async def _recall(
        self, request: ContextRequest, form: ContextFormat, state: UserState
    ) -> tuple[Sequence[RecallResult], str | None]:
        """Return what matters to the question; without a question, what matters most."""
        if form.policy is None:
            return (), None
        if request.query is None:
            at_the_start = request.format is not FormatName.DEFAULT
            return (
                await self._important_memories.read(request, state) if at_the_start else ()
            ), None
        limit = request.limit
        if limit is None and request.format is FormatName.DEFAULT:
            limit = request.token_budget // TOKENS_PER_ITEM
            limit = min(max(limit, FEWEST_ITEMS), MOST_ITEMS)
        answer = await self._recall_handler.recall(
            RecallRequest(
                user_id=request.user_id,
                agent_id=request.agent_id,
                project_id=request.project_id,
                query=request.query,
                context=request.context,
                policy=request.policy or form.policy,
                limit=limit,
                records=DEFAULT_RECORD_TYPES,
                include=frozenset({RecallDetail.GRAPH}),
            ),
        )
        if request.format is FormatName.DEFAULT:
            return drop_quoted_messages(
                prefer_messages(_drop_outdated(answer.results))
            ), answer.recall_id
        return answer.results, answer.recall_id

    async def _read_profile(
        self, request: ContextRequest, form: ContextFormat, state: UserState
    ) -> tuple[str, bool]:
        """Return the text of the user's and the agent's own profile, and whether the user has one.

        An outdated profile counts as missing.
        """
        if not form.profile:
            return "", False
        of_user, of_agent = await asyncio.gather(
            self._read_layer(request.user_id, None, state),
            self._read_layer(request.user_id, request.agent_id, state),
        )
        joined = join_layers(of_user, of_agent if request.agent_id is not None else None)
        return "" if joined is None else joined.narrative, of_user is not None

    async def _read_layer(
        self, user_id: str, agent_id: str | None, state: UserState
    ) -> Profile | None:
        profile = (await self._profiles.latest([user_id], agent_id=agent_id)).get(user_id)
        return profile if profile is not None and is_profile_visible(profile, state) else None

    def _count_messages(self, request: ContextRequest, form: ContextFormat) -> int:
        if request.last_messages is not None:
            return request.last_messages
        return self._last_messages if form.last_messages is None else form.last_messages

    async def _read_messages(
        self, request: ContextRequest, state: UserState, *, limit: int
    ) -> Sequence[Turn]:
        """Return the last messages of the current conversation, the oldest first."""
        if request.session_id is None or limit == 0:
            return ()
        visible = set(request.scope.visible())
        said = await self._turns.latest(SessionKey(request.user_id, request.session_id), limit)
        shown = [turn for turn in said if explain_withdrawn_turn(turn, state) is None]
        return [turn for turn in shown if turn.scope in visible]

    async def _sum_up(
        self,
        request: ContextRequest,
        form: ContextFormat,
        state: UserState,
        messages: Sequence[Turn],
    ) -> str:
        """Summarise the messages before the last ones, unless a stored summary does."""
        wanted = self._count_messages(request, form)
        if wanted and not any((turn.sequence or 0) > 1 for turn in messages[:1]):
            return ""
        shown = {turn.id for turn in messages}
        said = await self._read_messages(request, state, limit=wanted + MESSAGES_BEFORE_LAST)
        not_told = state.not_told.get(current_summary_id(request) or "", frozenset())
        earlier = [turn for turn in said if turn.id not in shown and turn.id not in not_told]
        language = request.language or state.settings.language
        return (
            await asyncio.to_thread(summarize_conversation_so_far, earlier, language)
            if earlier
            else ""
        )


def _drop_outdated(results: Sequence[RecallResult]) -> list[RecallResult]:
    """Return the results without outdated messages, because a prompt cannot mark them."""
    return [result for result in results if not result.outdated]
