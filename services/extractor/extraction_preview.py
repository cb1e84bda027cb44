"""Extraction as a dry run: messages are understood as they would be, and nothing is stored."""

import secrets
from datetime import timedelta

from fastapi import APIRouter

from palimpsest.api.extraction_preview import ExtractionPreview, PreviewMessage, PreviewRequest
from palimpsest.events.extraction_requests import build_extraction_requested
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.clock import Clock
from palimpsest.model.errors import NotStorable
from palimpsest.model.identifiers import derive_id
from palimpsest.model.turn import Turn, turn_id
from palimpsest.model.user import UserState
from palimpsest.model.window import Window, WindowTrigger
from palimpsest_language.off_the_record.withheld_turns import find_withheld_turn_ids
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_language.redaction.redactor import redact
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_preview import list_left_out_words
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.extraction.provider import ExtractionProvider
from palimpsest_server.models.attempt_context import RequestAttempt, bind_attempt
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.user_states import UserStates

SESSION = "preview"

_PREVIEW = """
Understands messages by the provider and the settings that this user has, and answers the memories that
would be proposed, each with the words that it rests on; of all other words, why they would not be
remembered. Nothing is stored, and nothing that is remembered is looked at: whether a memory would repeat
or replace another one is decided later. Where a language model is configured, it is asked, and counted.
"""


class ExtractionPreviewer:
    """Understands messages that nobody sent."""

    def __init__(
        self,
        provider: ExtractionProvider,
        users: UserStates,
        privacy: PrivacyPolicy,
        clock: Clock,
    ) -> None:
        self._provider = provider
        self._users = users
        self._privacy = privacy
        self._clock = clock

    async def preview(self, request: PreviewRequest) -> ExtractionPreview:
        """Return what would be remembered, and why not the rest.

        Raises:
            NotStorable: a message holds what the deployment refuses to store.
            TransientError: the provider is busy or away.
        """
        state = (await self._users.of([request.user_id]))[request.user_id]
        window = self._window(request, state)
        attempt = RequestAttempt(
            request_id=derive_id(SESSION, request.user_id, self._clock().isoformat()),
            lease=secrets.token_hex(8),
            agent_id=request.agent_id,
            epoch=state.epoch,
        )
        with bind_attempt(attempt):
            answer = await self._provider.extract(build_extraction_request(window))
        proposed = propose_candidates(window, answer, provider=self._provider.name)
        return ExtractionPreview(
            provider=self._provider.name,
            memories=proposed.event.candidates,
            left_out=list_left_out_words(window, answer, proposed.event),
            messages=tuple(turn.text for turn in window.fresh),
        )

    def _window(self, request: PreviewRequest, state: UserState) -> ExtractionRequested:
        turns = [
            self._turn(request, message, number, state.epoch)
            for number, message in enumerate(request.messages, start=1)
        ]
        withheld = find_withheld_turn_ids(turns)
        chosen = {"language": request.language, "time_zone": request.time_zone}
        given = {name: value for name, value in chosen.items() if value is not None}
        return build_extraction_requested(
            Window(
                id=derive_id("window", request.user_id, SESSION),
                user_id=request.user_id,
                session_id=SESSION,
                first_sequence=1,
                last_sequence=len(turns),
                trigger=WindowTrigger.REQUESTED,
            ),
            fresh=[turn.model_copy(update={"withheld": turn.id in withheld}) for turn in turns],
            context=(),
            participants=tuple(
                dict.fromkeys(turn.speaker for turn in turns if turn.speaker is not None)
            ),
            project_id=request.project_id,
            settings=state.settings.model_copy(update=given),
        )

    def _turn(
        self, request: PreviewRequest, message: PreviewMessage, number: int, epoch: int
    ) -> Turn:
        now = self._clock()
        redacted = redact(message.text, self._privacy)
        kinds = {finding.kind for finding in redacted.findings}
        if refused := sorted(self._privacy.blocked.intersection(kinds)):
            raise NotStorable(f"holds what may not be stored: {', '.join(refused)}")
        identity = turn_id(request.user_id, SESSION, str(number))
        return Turn(
            id=identity,
            event_id=identity,
            user_id=request.user_id,
            agent_id=request.agent_id,
            project_id=request.project_id,
            session_id=SESSION,
            message_id=str(number),
            role=message.role,
            speaker=message.speaker,
            text=redacted.text,
            occurred_at=message.occurred_at or now + timedelta(milliseconds=number),
            received_at=now,
            epoch=epoch,
            sequence=number,
        )


def build_preview_router(previewing: ExtractionPreviewer) -> APIRouter:
    router = APIRouter(prefix="/v1/extractions", tags=["extractions"])

    @router.post(
        "/preview",
        summary="Show what would be remembered of a text",
        description=_PREVIEW,
        openapi_extra=declare_permission(Permission.READ),
    )
    async def preview(request: PreviewRequest) -> ExtractionPreview:
        return await previewing.preview(request)

    return router
