"""Context: what is known of the user and matters now, written down for a prompt."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import date, datetime
from time import perf_counter
from typing import Any
from zoneinfo import ZoneInfo

from palimpsest.contracts.context import (
    Citation,
    ContextRequest,
    ContextResponse,
    LastMessage,
)
from palimpsest.contracts.recall import RECALLED, Include, Recalled, RecallRequest, Record
from palimpsest.domain.clock import Clock
from palimpsest.domain.context.fitting import fitted
from palimpsest.domain.context.formats.table import FORMATS, Format, FormatName
from palimpsest.domain.context.marking import marked
from palimpsest.domain.context.material import Item, Material, Persona, Talk
from palimpsest.domain.memory import RelationType, Status
from palimpsest.domain.ranking.earlier_conversations import refers_to_an_earlier_conversation
from palimpsest.domain.ranking.policies.profile import AT_THE_START, ON_REQUEST, READ_UNDER_A_BUDGET
from palimpsest.domain.summaries.summary import SessionSummary, summary_id
from palimpsest.domain.turn import Role, Turn
from palimpsest.domain.user import UserState
from palimpsest.providers.tokens import TokenCounter
from palimpsest.stores.profiles import ProfileReader
from palimpsest.stores.sessions import SessionKey
from palimpsest.stores.summaries import SummaryReader
from palimpsest.stores.turns import TurnReader
from palimpsest.stores.users import UserStates
from palimpsest.stores.written_language import WrittenLanguages
from services.recall.as_said import as_said
from services.recall.recalling import Recalling
from services.recall.speaking import language_for

TOKENS_OF_AN_ITEM = 20
"""A short message with its speaker: so many are recalled that the budget can be filled."""
FEWEST_ITEMS, MOST_ITEMS = 40, 100
"""Recalled for a block. With fewer than are ranked, a memory hides the message that it quotes."""


class Contexts:
    """The one handler of contexts, behind HTTP and Kafka."""

    def __init__(  # noqa: PLR0913 - what it is made of
        self,
        *,
        recalling: Recalling,
        states: UserStates,
        turns: TurnReader,
        summaries: SummaryReader,
        profiles: ProfileReader,
        written: WrittenLanguages,
        counter: Callable[[], TokenCounter],
        clock: Clock,
        last_messages: int,
    ) -> None:
        self._recalling = recalling
        self._states = states
        self._turns = turns
        self._summaries = summaries
        self._profiles = profiles
        self._written = written
        self._counter = counter
        self._clock = clock
        self._last_messages = last_messages

    async def context(self, request: ContextRequest) -> ContextResponse:
        """The block, the prompt around it, and the last messages.

        Raises:
            TransientError: something it reads from is not to be had.
        """
        started = perf_counter()
        state = (await self._states.of([request.user_id]))[request.user_id]
        form = FORMATS[request.format]
        zone = ZoneInfo(state.settings.time_zone)
        enabled = state.settings.memory_enabled and not request.incognito
        gathered = await self._gathered(request, form, state) if enabled else _Gathered()
        written = self._written if enabled else None
        language = await language_for(request, state, gathered.told, written)
        material = Material(
            language=language,
            profile=gathered.profile,
            talks=tuple(Talk(_day(ended, zone), text) for ended, text in gathered.talks),
            items=_items(gathered.results, zone),
            # Outside the block, and made of what was said all the same.
            running=marked(gathered.running),
            persona=Persona(request.persona.name, request.persona.personality),
            system_prompt=request.system_prompt,
            citations=request.citations,
        )
        count = await asyncio.to_thread(self._counter)
        kept = fitted(material, form.write, budget=request.token_budget, count=count)
        # Where memory is off or unseen nothing is said, not even that nobody is known.
        prompt = form.write(kept) if enabled else form.write(kept)._replace(block="")
        block = marked(prompt.block)
        return ContextResponse(
            recall_id=gathered.recall_id,
            block=block,
            text=prompt.block,
            system_prompt=f"{prompt.before}{block}{prompt.after}",
            messages=tuple(map(_message, gathered.messages)),
            running_summary=gathered.running or None,
            citations=tuple(
                Citation(number=item.number, id=one.id, record=one.record)
                for item in kept.items
                for one in [gathered.results[item.number - 1]]
            ),
            tokens=count(block),
            memory_enabled=state.settings.memory_enabled,
            took_ms=round((perf_counter() - started) * 1000, 3),
        )

    async def _gathered(
        self, request: ContextRequest, form: Format, state: UserState
    ) -> "_Gathered":
        about_last_time = request.query is not None and refers_to_an_earlier_conversation(
            request.query
        )
        wants_talks = request.format is FormatName.PROFILE or (
            request.format is FormatName.DEFAULT and (request.query is None or about_last_time)
        )
        recalled, profile, summaries, messages, running = await asyncio.gather(
            self._recalled(request, form),
            self._profile(request.user_id, form, state),
            self._talks(request, state, on_request=about_last_time and form.policy is None)
            if wants_talks
            else _no_talks(),
            self._messages(request, form, state),
            self._running(request, state),
        )
        results, recall_id = recalled
        return _Gathered(results, recall_id, profile, summaries, messages, running)

    async def _recalled(
        self, request: ContextRequest, form: Format
    ) -> tuple[Sequence[Recalled], str | None]:
        policy = request.policy or form.policy
        if request.query is None or policy is None:
            return (), None
        limit = request.limit
        if limit is None and request.format is FormatName.DEFAULT:
            limit = request.token_budget // TOKENS_OF_AN_ITEM
            limit = min(max(limit, FEWEST_ITEMS), MOST_ITEMS)
        answer = await self._recalling.recall(
            RecallRequest(
                **_asked(request),
                context=request.context,
                policy=policy,
                limit=limit,
                records=RECALLED,
                include=frozenset({Include.GRAPH}),
            )
        )
        if request.format is FormatName.DEFAULT:
            return as_said(answer.results), answer.recall_id
        return answer.results, answer.recall_id

    async def _profile(self, user_id: str, form: Format, state: UserState) -> str:
        """The account of the user that stands; nothing where there is none, or of an older epoch."""
        if not form.profile:
            return ""
        found = (await self._profiles.latest([user_id])).get(user_id)
        if found is None or found.epoch < state.epoch or state.is_told_anew(found.revision):
            return ""
        return found.narrative

    async def _talks(
        self, request: ContextRequest, state: UserState, *, on_request: bool
    ) -> Sequence[SessionSummary]:
        """The nearest to what is asked about an earlier conversation, else the latest."""
        scopes = request.scope.visible()
        if on_request and request.query is not None:
            answer = await self._recalling.recall(
                RecallRequest(
                    **_asked(request),
                    records=frozenset({Record.SUMMARY}),
                    limit=ON_REQUEST,
                    preview=True,
                )
            )
            if answer.results:
                found = await self._summaries.by_ids(scopes, [one.id for one in answer.results])
                return [one for one in found if self._is_told(one, state)]
        budgeted = request.format is FormatName.PROFILE
        found = await self._summaries.latest(
            scopes, now=self._clock(), limit=READ_UNDER_A_BUDGET if budgeted else AT_THE_START
        )
        return [one for one in found if self._is_told(one, state)]

    def _is_told(self, summary: SessionSummary, state: UserState) -> bool:
        gone = summary.epoch < state.epoch or state.is_going(summary.id, summary.scope)
        return summary.counts(self._clock()) and not gone

    async def _messages(
        self, request: ContextRequest, form: Format, state: UserState
    ) -> Sequence[Turn]:
        if request.session_id is None:
            return ()
        wanted = form.last_messages if form.last_messages is not None else self._last_messages
        if request.last_messages is not None:
            wanted = request.last_messages
        session = SessionKey(request.user_id, request.session_id)
        visible = set(request.scope.visible())
        said = await self._turns.latest(session, wanted)
        return [turn for turn in said if turn.scope in visible and _is_shown(turn, state)]

    async def _running(self, request: ContextRequest, state: UserState) -> str:
        if request.session_id is None:
            return ""
        identity = summary_id(request.user_id, request.session_id)
        found = await self._summaries.by_ids(request.scope.visible(), [identity])
        return found[0].text if found and self._is_told(found[0], state) else ""


class _Gathered:
    def __init__(
        self,
        results: Sequence[Recalled] = (),
        recall_id: str | None = None,
        profile: str = "",
        summaries: Sequence[SessionSummary] = (),
        messages: Sequence[Turn] = (),
        running: str = "",
    ) -> None:
        found = [(one.occurred_at, one.content) for one in results if _is_talk(one)]
        latest = [(one.ended_at, one.text) for one in summaries]
        self.results = [one for one in results if not _is_talk(one)]
        self.recall_id = recall_id
        self.profile = profile
        self.talks = sorted(found or latest, reverse=True)
        """When each ended, and what it was about; the latest first."""
        self.messages = messages
        self.running = running

    @property
    def told(self) -> str:
        """What is told of the user, else what they said last: either is in their language."""
        said = (one.text for one in self.messages if one.role is Role.USER)
        return self.profile or " ".join(text for _, text in self.talks) or " ".join(said)


def _asked(request: ContextRequest) -> dict[str, Any]:
    """Who asks, and what: the same for all that is recalled for a block."""
    return request.model_dump(include={"user_id", "agent_id", "project_id", "query"})


def _is_talk(result: Recalled) -> bool:
    return result.record is Record.SUMMARY


async def _no_talks() -> Sequence[SessionSummary]:
    return ()


def _items(results: Sequence[Recalled], zone: ZoneInfo) -> tuple[Item, ...]:
    numbers = {one.id: number for number, one in enumerate(results, start=1)}
    return tuple(
        Item(
            number=numbers[one.id],
            content=" ".join(one.content.split()) if one.record is Record.TURN else one.content,
            summary=one.summary,
            kind=one.kind,
            speaker=one.speaker,
            on=_day(one.occurred_at, zone),
            until=_day(one.valid_until, zone)
            if one.status is Status.SUPERSEDED and one.valid_until
            else None,
            conflicts=tuple(sorted(numbers[other] for other in _contradicting(one, results))),
        )
        for one in results
    )


def _contradicting(one: Recalled, results: Sequence[Recalled]) -> set[str]:
    """What is returned with it and says otherwise: by a relation, or of the same attribute."""
    return {
        other.id
        for other in results
        if other.id != one.id
        and (_related_as_contradicting(one, other) or _related_as_contradicting(other, one))
    }


def _related_as_contradicting(one: Recalled, other: Recalled) -> bool:
    return any(
        related.id == other.id and related.type is RelationType.CONTRADICTS
        for related in one.related
    )


def _day(moment: datetime, zone: ZoneInfo) -> date:
    return moment.astimezone(zone).date()


def _is_shown(turn: Turn, state: UserState) -> bool:
    gone = turn.epoch < state.epoch or state.is_going(turn.id, turn.scope)
    return not gone and turn.id not in state.withheld


def _message(turn: Turn) -> LastMessage:
    return LastMessage(
        message_id=turn.message_id,
        role=turn.role,
        speaker=turn.speaker,
        text=turn.text,
        occurred_at=turn.occurred_at,
    )
