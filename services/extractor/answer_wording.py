"""Answers of questions in the words of a model, from memories that the asker sees."""

import secrets

import structlog
from fastapi import APIRouter

from palimpsest.api.answer_wording import AnswerRequest, WordedAnswer
from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError, TransientError
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Status
from palimpsest_server.extraction.question_answers import ModelAnswers
from palimpsest_server.models.attempt_context import RequestAttempt, bind_attempt
from palimpsest_server.runtime.http import Permission, declare_permission
from palimpsest_server.stores.memories import MemoryReader
from palimpsest_server.stores.user_states import UserStates

_log = structlog.get_logger("palimpsest.extractor")

_WORD = """
Answers a question from the memories that are named, in a sentence or two. Only memories that this scope sees
are read. An answer that holds a number, a day or a name that they do not hold is not given. Without a
language model, or where it is away, over its limit or has no sound answer, `text` is null. Calls are counted.
"""


class AnswerWorder:
    """Words answers by the model, where there is one."""

    def __init__(
        self, model: ModelAnswers | None, memories: MemoryReader, users: UserStates, clock: Clock
    ) -> None:
        self._model = model
        self._memories = memories
        self._users = users
        self._clock = clock

    async def word(self, request: AnswerRequest) -> WordedAnswer:
        """Return the answer that the model words; none if it has none, or cannot be asked."""
        if self._model is None:
            return WordedAnswer()
        scope = request.scope
        standing = {
            memory.id: memory
            for memory in await self._memories.by_ids(scope.visible(), request.memory_ids)
            if memory.status is not Status.PURGED
        }
        memories = [standing[key] for key in request.memory_ids if key in standing]
        if not memories:
            return WordedAnswer()
        state = (await self._users.of([scope.user_id]))[scope.user_id]
        attempt = RequestAttempt(
            request_id=derive_id("answer", scope.user_id, self._clock().isoformat()),
            lease=secrets.token_hex(8),
            agent_id=scope.agent_id,
            epoch=state.epoch,
        )
        try:
            with bind_attempt(attempt):
                text = await self._model.word(
                    request.query,
                    memories,
                    user_id=scope.user_id,
                    time_zone=state.settings.time_zone,
                )
        except (TransientError, PermanentError) as error:
            _log.warning("answer_not_worded", error=type(error).__name__)
            return WordedAnswer()
        return WordedAnswer(text=text, model=self._model.name)


def build_answer_router(worder: AnswerWorder) -> APIRouter:
    router = APIRouter(prefix="/v1/extractions", tags=["extractions"])

    @router.post(
        "/answer",
        summary="Word the answer of a question from memories",
        description=_WORD,
        openapi_extra=declare_permission(Permission.READ),
    )
    async def answer(request: AnswerRequest) -> WordedAnswer:
        return await worder.word(request)

    return router
