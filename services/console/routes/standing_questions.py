"""Standing questions as people look after them."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from palimpsest.api.standing_questions import (
    AddQuestionRequest,
    QuestionList,
    QuestionListQuery,
    QuestionQuery,
    StandingQuestion,
)
from palimpsest.model.identifiers import derive_id
from palimpsest.model.value_types import Identifier
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.runtime.http import Permission, declare_permission
from services.console.command_responses import (
    CONFLICT_RESPONSE,
    NOT_FOUND_RESPONSE,
    IdempotencyKey,
    ResponseDescriptions,
)
from services.console.request_redaction import redact_request
from services.console.standing_questions import StandingQuestions

_NOT_FOUND: ResponseDescriptions = {404: NOT_FOUND_RESPONSE}
_CONFLICT: ResponseDescriptions = {409: CONFLICT_RESPONSE}
_Whose = Annotated[QuestionQuery, Query()]


def build_router(questions: StandingQuestions, privacy: PrivacyPolicy) -> APIRouter:
    router = APIRouter(prefix="/v1/questions", tags=["questions"])

    @router.post("", openapi_extra=declare_permission(Permission.WRITE), responses=_CONFLICT)
    async def add(
        whose: _Whose,
        asked: AddQuestionRequest,
        request: Request,
        idempotency_key: IdempotencyKey = None,
    ) -> StandingQuestion:
        """Keep a question, and answer it with what is remembered now."""
        scope = whose.scope
        key = idempotency_key or secrets.token_hex(16)
        question_id = derive_id(
            "standing question", scope.user_id, scope.agent_id, scope.project_id, key
        )
        return await questions.add(question_id, scope, redact_request(asked, privacy), request)

    @router.get("", openapi_extra=declare_permission(Permission.READ))
    async def page(query: Annotated[QuestionListQuery, Query()], request: Request) -> QuestionList:
        """List the questions that a scope sees with the answers that hold now, oldest first."""
        return QuestionList(questions=await questions.visible(query, request))

    @router.get(
        "/{question_id}", openapi_extra=declare_permission(Permission.READ), responses=_NOT_FOUND
    )
    async def one(question_id: Identifier, whose: _Whose, request: Request) -> StandingQuestion:
        """Return a question with the answer that holds now, without a search if nothing changed."""
        return await questions.one(whose.scope, question_id, request)

    @router.delete(
        "/{question_id}",
        status_code=204,
        openapi_extra=declare_permission(Permission.WRITE),
        responses=_NOT_FOUND,
    )
    async def delete(question_id: Identifier, whose: _Whose, request: Request) -> Response:
        """Delete a question. What is remembered stays."""
        await questions.delete(whose.scope, question_id, request)
        return Response(status_code=204)

    return router
