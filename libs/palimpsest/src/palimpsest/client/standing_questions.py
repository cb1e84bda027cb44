"""Calls on standing questions, over HTTP: `client.questions`."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Unpack

from palimpsest.api.change_events import MEMORY_EVENTS
from palimpsest.api.standing_questions import (
    AddQuestionRequest,
    QuestionList,
    QuestionListQuery,
    QuestionQuery,
    StandingQuestion,
)
from palimpsest.client.call_fields import ScopeFields
from palimpsest.client.change_events import watch_changes
from palimpsest.client.connections import ClientConnections
from palimpsest.client.request_validation import build_valid_request, encode_path_id
from palimpsest.client.webhooks import NoAnswer


class QuestionCalls:
    """Calls on the standing questions that a scope sees."""

    def __init__(self, connections: ClientConnections, *, timeout_seconds: float) -> None:
        self._connections = connections
        self._timeout_seconds = timeout_seconds

    async def add(
        self, query: str, *, limit: int = 10, **whose: Unpack[ScopeFields]
    ) -> StandingQuestion:
        """Keep a question, and return it with the answer that holds now."""
        request = build_valid_request(AddQuestionRequest, query=query, limit=limit)
        return await self._connections.console.command(
            "POST", "/v1/questions", _scope(whose), request, StandingQuestion
        )

    async def list(self, *, everywhere: bool = False, **whose: Unpack[ScopeFields]) -> QuestionList:
        """List the questions with their answers, the oldest first.

        With `everywhere` those of all projects, and of all agents if none is named.
        """
        query = build_valid_request(QuestionListQuery, everywhere=everywhere, **whose)
        return await self._connections.console.command(
            "GET", "/v1/questions", query, None, QuestionList
        )

    async def get(self, question_id: str, **whose: Unpack[ScopeFields]) -> StandingQuestion:
        """Return a question with the answer that holds now.

        Raises:
            NotFound: this scope sees no question of this id.
        """
        return await self._connections.console.command(
            "GET", _path(question_id), _scope(whose), None, StandingQuestion
        )

    async def delete(self, question_id: str, **whose: Unpack[ScopeFields]) -> None:
        """Delete a question.

        Raises:
            NotFound: this scope sees no question of this id.
        """
        await self._connections.console.command(
            "DELETE", _path(question_id), _scope(whose), None, NoAnswer
        )

    async def watch(
        self, question_id: str, **whose: Unpack[ScopeFields]
    ) -> AsyncGenerator[StandingQuestion, None]:
        """Yield the question now, and again whenever its answer has become another one.

        Raises:
            NotFound: this scope sees no question of this id.
        """
        changes = watch_changes(
            self._connections, timeout_seconds=self._timeout_seconds, type=MEMORY_EVENTS, **whose
        )
        known = await self.get(question_id, **whose)
        yield known
        async with aclosing(changes):
            async for _ in changes:
                present = await self.get(question_id, **whose)
                if present.answer.changed_at != known.answer.changed_at:
                    yield present
                known = present


def _scope(whose: ScopeFields) -> QuestionQuery:
    return build_valid_request(QuestionQuery, **whose)


def _path(question_id: str) -> str:
    return f"/v1/questions/{encode_path_id(question_id)}"
