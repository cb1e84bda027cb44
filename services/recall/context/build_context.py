"""Builds a context: what is known of the user and matters now, written for a prompt."""

import asyncio
from collections.abc import Callable
from datetime import date, datetime
from time import perf_counter
from zoneinfo import ZoneInfo

from palimpsest.api.context import Citation, ContextRequest, ContextResponse, LastMessage
from palimpsest.model.clock import Clock
from palimpsest.model.prompt_markers import wrap_in_markers
from palimpsest.model.turn import Turn
from palimpsest.model.user import UserState
from palimpsest_server.domain.context.formats.registry import FORMATS
from palimpsest_server.domain.context.material import (
    ContextMaterial,
    EarlierConversation,
    PromptPersona,
)
from palimpsest_server.domain.context.token_budget import count_context_tokens, fit_to_token_budget
from palimpsest_server.domain.memory_dates import write_message_dates
from palimpsest_server.models.token_counter import TokenCounter
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.written_language import WrittenLanguages
from services.recall.context.block_language import choose_block_language
from services.recall.context.context_items import build_items
from services.recall.context.context_material import ContextMaterialReader, GatheredContext
from services.recall.revisions import Revisions


class ContextBuilder:
    """Builds contexts for requests over HTTP and Kafka."""

    def __init__(
        self,
        *,
        material_reader: ContextMaterialReader,
        states: UserStates,
        written_languages: WrittenLanguages,
        revisions: Revisions,
        counter: Callable[[], TokenCounter],
        clock: Clock,
    ) -> None:
        self._material_reader = material_reader
        self._states = states
        self._written_languages = written_languages
        self._revisions = revisions
        self._counter = counter
        self._clock = clock

    async def context(self, request: ContextRequest) -> ContextResponse:
        """Build the block, the prompt around it, and the last messages.

        Raises:
            TransientError: one of the stores that it reads is not available.
        """
        started = perf_counter()
        stale = await self._stale(request)
        state = (await self._states.of([request.user_id]))[request.user_id]
        enabled = state.settings.memory_enabled and not request.incognito
        gathered = (
            await self._material_reader.gather(request, state) if enabled else GatheredContext()
        )
        material = await self._material(request, state, gathered, enabled=enabled)
        write = FORMATS[request.format].write
        count = await asyncio.to_thread(self._counter)
        kept = fit_to_token_budget(material, write, budget=request.token_budget, count=count)
        prompt = write(kept)
        block = wrap_in_markers(prompt.block)
        return ContextResponse(
            recall_id=gathered.recall_id,
            block=block,
            text=prompt.block,
            system_prompt=f"{prompt.before}{block}{prompt.after}",
            messages=tuple(map(_message, gathered.messages)),
            running_summary=gathered.running_summary or None,
            citations=tuple(
                Citation(number=item.number, id=result.id, record=result.record)
                for item in kept.items
                for result in [gathered.results[item.number - 1]]
            ),
            tokens=count_context_tokens(kept, write, count),
            memory_enabled=state.settings.memory_enabled,
            stale=stale and enabled,
            took_ms=round((perf_counter() - started) * 1000, 3),
        )

    async def _stale(self, request: ContextRequest) -> bool:
        if request.min_revision is None or request.incognito:
            return False
        return not await self._revisions.reached(request.user_id, request.min_revision)

    async def _material(
        self, request: ContextRequest, state: UserState, gathered: GatheredContext, *, enabled: bool
    ) -> ContextMaterial:
        settings, form = state.settings, FORMATS[request.format]
        zone = ZoneInfo(settings.time_zone)
        written = self._written_languages if enabled else None
        citations = settings.citations if request.citations is None else request.citations
        return ContextMaterial(
            language=await choose_block_language(request, state, gathered.told, written),
            profile=gathered.profile,
            conversations=tuple(
                EarlierConversation(
                    _day(ended, zone),
                    write_message_dates(text, said_at=ended, time_zone=settings.time_zone),
                )
                for ended, text in gathered.conversations
            ),
            items=await asyncio.to_thread(
                build_items,
                gathered.results,
                time_zone=settings.time_zone,
                now=self._clock(),
            ),
            running_summary=gathered.running_summary if form.running_summary else "",
            persona=PromptPersona(request.persona.name, request.persona.personality),
            system_prompt=request.system_prompt,
            citations=citations,
            # While memory is off or hidden nothing is said, not even that nothing is known.
            withheld=not enabled,
        )


def _day(moment: datetime, zone: ZoneInfo) -> date:
    return moment.astimezone(zone).date()


def _message(turn: Turn) -> LastMessage:
    return LastMessage(
        message_id=turn.message_id,
        role=turn.role,
        speaker=turn.speaker,
        text=turn.text,
        occurred_at=turn.occurred_at,
    )
