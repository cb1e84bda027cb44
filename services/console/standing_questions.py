"""Standing questions: answered from what is kept while nothing changed, and else asked anew.

What is remembered may change at any moment, and a question is cheap: so nothing is made anew ahead of
a reader. An answer that is read knows every change that was applied before. Recall is asked with the key
of the request, and counts no use. What answers a question is noted before erasures are looked at, and
an erasure is stored before questions are: one of the two sees that the question goes.

Where a language model is configured it words an answer, once for each set of memories. Its words are
stored first and the memories read again after it: words of what was erased meanwhile go.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from fastapi import Request

from palimpsest.api.answer_wording import AnswerRequest
from palimpsest.api.recall import RecallResponse, RecordType
from palimpsest.api.standing_questions import (
    AddQuestionRequest,
    QuestionAnswer,
    QuestionListQuery,
    StandingQuestion,
)
from palimpsest.client import ClientError
from palimpsest.model.clock import Clock
from palimpsest.model.errors import CommandRefused, RecordNotFound
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_server.runtime.http import get_request_grant
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.decided_erasures import ErasureStore
from palimpsest_server.stores.erasure.standing_questions import select_standing_questions
from palimpsest_server.stores.memories import MemoryReader
from palimpsest_server.stores.standing_questions import (
    AnswerSource,
    KnownQuestion,
    PastSource,
    StandingQuestionStore,
)
from palimpsest_server.stores.user_states import UserStates
from services.console.agent_view import is_seen
from services.console.services_connection import ServicesConnection

MAXIMUM_QUESTIONS = 200
"""The most questions of one user."""

_UNSEEN = "no question of this id can be seen from here"

OUTDATED_AFTER = timedelta(hours=1)
"""Time alone changes answers too: what was to come is over."""

ANSWERS_AT_ONCE = 4
"""The most answers that are made anew at the same time."""


class StandingQuestions:
    def __init__(
        self,
        store: StandingQuestionStore,
        memories: MemoryReader,
        change_sets: ChangeSetReader,
        users: UserStates,
        erasures: ErasureStore,
        services: ServicesConnection,
        clock: Clock,
        *,
        has_model: bool = False,
    ) -> None:
        """`has_model` tells that answers are worded by a model of the extractor."""
        self._store = store
        self._memories = memories
        self._change_sets = change_sets
        self._users = users
        self._erasures = erasures
        self._services = services
        self._clock = clock
        self._has_model = has_model
        self._room = asyncio.Semaphore(ANSWERS_AT_ONCE)

    async def add(
        self, question_id: str, scope: Scope, asked: AddQuestionRequest, request: Request
    ) -> StandingQuestion:
        """Keep a question and answer it.

        Raises:
            CommandRefused: the user has too many, the idempotency key is known with another one, or
                the question was erased meanwhile.
        """
        user_id = scope.user_id
        if len(await self._standing(user_id)) >= MAXIMUM_QUESTIONS:
            raise CommandRefused(
                f"a user keeps at most {MAXIMUM_QUESTIONS} questions", reason="too_many_questions"
            )
        revision = await self._read_revision(user_id)
        known = await self._store.add(
            KnownQuestion(
                id=question_id,
                user_id=user_id,
                scope=scope,
                epoch=(await self._users.of([user_id]))[user_id].epoch,
                created_at=self._clock(),
                added_at_revision=revision,
                query=asked.query,
                limit=asked.limit,
            )
        )
        if (known.query, known.limit) != (asked.query, asked.limit):
            raise CommandRefused(
                "the idempotency key is known with another question", reason="conflicting_duplicate"
            )
        answered = await self._answer(known, revision, request)
        if answered is None:
            raise CommandRefused("the question was erased meanwhile", reason="erased_since")
        return answered

    async def visible(
        self, query: QuestionListQuery, request: Request
    ) -> tuple[StandingQuestion, ...]:
        """Return the questions that a scope or its agent everywhere sees, the oldest first."""
        standing = await self._standing(query.user_id)
        if query.everywhere:
            seen = _select_own({known.scope for known in standing}, request)
            seen = [scope for scope in seen if is_seen(scope.agent_id, query.agent_id)]
        else:
            seen = _select_own(query.scope.visible(), request)
        shown = [known for known in standing if known.scope in seen]
        revision = await self._read_revision(query.user_id)
        answered = await asyncio.gather(
            *(self._answer(known, revision, request) for known in shown)
        )
        return tuple(question for question in answered if question is not None)

    async def one(self, scope: Scope, question_id: str, request: Request) -> StandingQuestion:
        """Return a question.

        Raises:
            RecordNotFound: this scope sees none of this id.
        """
        known = await self._find(scope, question_id, request)
        answered = await self._answer(known, await self._read_revision(scope.user_id), request)
        if answered is None:
            raise RecordNotFound(_UNSEEN)
        return answered

    async def delete(self, scope: Scope, question_id: str, request: Request) -> None:
        """Delete a question.

        Raises:
            RecordNotFound: this scope sees none of this id.
        """
        await self._store.delete((await self._find(scope, question_id, request)).id)

    async def _standing(self, user_id: str) -> Sequence[KnownQuestion]:
        epoch = (await self._users.of([user_id]))[user_id].epoch
        return await self._select_standing(user_id, await self._store.list(user_id), epoch)

    async def _select_standing(
        self, user_id: str, questions: Sequence[KnownQuestion], epoch: int
    ) -> Sequence[KnownQuestion]:
        if not questions:
            return questions
        erasures = await self._erasures.of_user(user_id)
        return select_standing_questions(questions, erasures, epoch=epoch)

    async def _find(self, scope: Scope, question_id: str, request: Request) -> KnownQuestion:
        seen = _select_own(scope.visible(), request)
        for known in await self._standing(scope.user_id):
            if known.id == question_id and known.scope in seen:
                return known
        raise RecordNotFound(_UNSEEN)

    async def _read_revision(self, user_id: str) -> int:
        page = await self._change_sets.page(user_id, limit=1, before=None)
        return page[0].revision if page else 0

    async def _answer(
        self, known: KnownQuestion, revision: int, request: Request
    ) -> StandingQuestion | None:
        async with self._room:
            return await self._answer_now(known, revision, request)

    async def _answer_now(
        self, known: KnownQuestion, revision: int, request: Request
    ) -> StandingQuestion | None:
        """Return the question with its answer; None if it turns out to be erased."""
        now = self._clock()
        is_fresh = (
            known.answered_at is not None
            and known.revision == revision
            and now - known.answered_at < OUTDATED_AFTER
        )
        if is_fresh:
            ids = [source.memory_id for source in known.sources]
        else:
            answer = await self._recall(known, revision, request)
            ids = [result.id for result in answer.results]
        memories = await self._read(known.scope, ids)
        if not is_fresh:
            known = await self._note_sources(_renew(known, memories, revision, now), ids)
            if not await self._select_standing(known.user_id, [known], known.epoch):
                await self._store.delete(known.id)
                return None
            if self._has_model and known.worded_by is None and memories:
                known = await self._word(known, request)
            await self._store.write_answer(known)
        return _show(await self._forget_outdated_words(known), memories)

    async def _word(self, known: KnownQuestion, request: Request) -> KnownQuestion:
        """Return the question with its answer in a model's words, where it has sound ones."""
        asked = AnswerRequest(
            query=known.query,
            memory_ids=tuple(source.memory_id for source in known.sources),
            **known.scope.model_dump(),
        )
        try:
            async with self._services(request) as client:
                answer = await client.word_answer(asked)
        except ClientError:
            return known
        return known.model_copy(update={"wording": answer.text, "worded_by": answer.model})

    async def _forget_outdated_words(self, known: KnownQuestion) -> KnownQuestion:
        """Return the question without the words of memories that are not what they were."""
        if known.wording is None:
            return known
        ids = [source.memory_id for source in known.sources]
        if _list_sources(await self._read(known.scope, ids)) == known.sources:
            return known
        await self._store.forget_wordings(known.user_id, ids)
        return known.model_copy(update=_UNWORDED)

    async def _note_sources(self, known: KnownQuestion, ids: Sequence[str]) -> KnownQuestion:
        """Note the memories that answer a question now, also those that are erased since."""
        noted = {source.memory_id for source in known.past_sources}
        new_ids = [memory_id for memory_id in ids if memory_id not in noted]
        if not new_ids:
            return known
        revision = await self._read_revision(known.user_id)
        sources = [PastSource(memory_id=memory_id, revision=revision) for memory_id in new_ids]
        await self._store.add_sources(known.id, sources)
        return known.model_copy(update={"past_sources": (*known.past_sources, *sources)})

    async def _recall(
        self, known: KnownQuestion, revision: int, request: Request
    ) -> RecallResponse:
        async with self._services(request) as client:
            return await client.recall(
                known.query,
                **known.scope.model_dump(),
                records=[RecordType.MEMORY],
                limit=known.limit,
                min_revision=revision or None,
                preview=True,
            )

    async def _read(self, scope: Scope, ids: Sequence[str]) -> list[Memory]:
        if not ids:
            return []
        memories = {
            memory.id: memory
            for memory in await self._memories.by_ids(scope.visible(), ids)
            if memory.status is not Status.PURGED
        }
        return [memories[memory_id] for memory_id in ids if memory_id in memories]


def _select_own(scopes: Iterable[Scope], request: Request) -> list[Scope]:
    """Return the scopes whose questions the key of a request may ask anew.

    The key of one agent sees questions of its agent alone.
    """
    agent_id = get_request_grant(request).agent_id
    return [scope for scope in scopes if agent_id in (None, scope.agent_id)]


def _renew(
    known: KnownQuestion, memories: Sequence[Memory], revision: int, now: datetime
) -> KnownQuestion:
    """Return the question with the answer of now; it keeps the time since when it is the same."""
    sources = _list_sources(memories)
    is_same = sources == known.sources and known.answered_at is not None
    return known.model_copy(
        update={
            "sources": sources,
            "revision": revision,
            "answered_at": now,
            "changed_at": (known.changed_at if is_same else None) or now,
            **({} if is_same else _UNWORDED),
        }
    )


_UNWORDED: Mapping[str, None] = {"wording": None, "worded_by": None}


def _list_sources(memories: Sequence[Memory]) -> tuple[AnswerSource, ...]:
    return tuple(AnswerSource(memory_id=memory.id, version=memory.version) for memory in memories)


def _show(known: KnownQuestion, memories: Sequence[Memory]) -> StandingQuestion:
    answered_at = known.answered_at or known.created_at
    return StandingQuestion(
        id=known.id,
        scope=known.scope,
        query=known.query,
        limit=known.limit,
        created_at=known.created_at,
        answer=QuestionAnswer(
            text=known.wording or "\n".join(memory.content for memory in memories),
            model=known.worded_by if known.wording else None,
            sources=tuple(memories),
            answered_at=answered_at,
            changed_at=known.changed_at or answered_at,
            revision=known.revision,
        ),
    )
