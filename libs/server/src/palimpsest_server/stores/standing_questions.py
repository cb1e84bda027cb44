"""Standing questions in MongoDB: what is asked, and which memories answered it last."""

from collections.abc import Sequence
from typing import Protocol

from pymongo.errors import DuplicateKeyError

from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Instant, Value
from palimpsest_server.stores.collections import STANDING_QUESTIONS
from palimpsest_server.stores.mongo.database import (
    MongoDatabase,
    from_document,
    to_document,
)


class AnswerSource(Value):
    """A memory that an answer rests on, by id alone: what is erased is in no answer."""

    memory_id: str
    version: int


class KnownQuestion(Value):
    """A question as it is stored."""

    id: str
    user_id: str
    scope: Scope
    epoch: int
    query: str
    limit: int
    created_at: Instant
    sources: tuple[AnswerSource, ...] = ()
    answered_at: Instant | None = None
    """The moment at which it was last asked; None if it was not."""
    changed_at: Instant | None = None
    revision: int = 0
    """The user's revision that the answer knows."""


class StandingQuestionStore(Protocol):
    async def add(self, question: KnownQuestion) -> KnownQuestion:
        """Store a question unless its id is known; return the stored one."""
        ...

    async def list(self, user_id: str) -> Sequence[KnownQuestion]:
        """Return all questions of a user, the oldest first."""
        ...

    async def write_answer(self, question: KnownQuestion) -> None:
        """Write the answer of a question, unless it is deleted or a later answer is known."""
        ...

    async def delete(self, question_id: str) -> None: ...


class MongoStandingQuestions:
    def __init__(self, database: MongoDatabase) -> None:
        self._questions = database.collection(STANDING_QUESTIONS)

    async def add(self, question: KnownQuestion) -> KnownQuestion:
        try:
            await self._questions.insert_one(to_document(question))
        except DuplicateKeyError:
            known = await self._questions.find_one({"_id": question.id})
            return question if known is None else from_document(KnownQuestion, known)
        return question

    async def list(self, user_id: str) -> Sequence[KnownQuestion]:
        found = self._questions.find({"user_id": user_id}).sort([("created_at", 1), ("_id", 1)])
        return [from_document(KnownQuestion, document) async for document in found]

    async def write_answer(self, question: KnownQuestion) -> None:
        answer = question.model_dump(include={"sources", "answered_at", "changed_at", "revision"})
        standing = {"_id": question.id, "revision": {"$lte": question.revision}}
        await self._questions.update_one(standing, {"$set": answer})

    async def delete(self, question_id: str) -> None:
        await self._questions.delete_one({"_id": question_id})
