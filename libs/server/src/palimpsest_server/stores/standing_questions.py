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

MAXIMUM_PAST_SOURCES = 500
"""The most past sources kept of one question: those of ten answers that have nothing in common."""


class AnswerSource(Value):
    """A memory that an answer rests on, by id alone: what is erased is in no answer."""

    memory_id: str
    version: int


class PastSource(Value):
    """A memory that an answer once rested on."""

    memory_id: str
    revision: int
    """The user's revision once it had answered."""


class KnownQuestion(Value):
    """A question as it is stored."""

    id: str
    user_id: str
    scope: Scope
    epoch: int
    query: str
    limit: int
    created_at: Instant
    added_at_revision: int = 0
    """The user's revision when it was asked first: earlier erasures leave it alone."""
    sources: tuple[AnswerSource, ...] = ()
    answered_at: Instant | None = None
    """The moment at which it was last asked; None if it was not."""
    changed_at: Instant | None = None
    revision: int = 0
    """The user's revision that the answer knows."""
    wording: str | None = None
    """The answer in the words of a model; erased with the first of its sources."""
    worded_by: str | None = None
    """The model that was asked to word the answer; it is not asked again for the same sources."""
    past_sources: tuple[PastSource, ...] = ()
    """All memories that ever answered it, the latest last, up to `MAXIMUM_PAST_SOURCES`."""


class StandingQuestionStore(Protocol):
    async def add(self, question: KnownQuestion) -> KnownQuestion:
        """Store a question unless its id is known; return the stored one."""
        ...

    async def list(self, user_id: str) -> Sequence[KnownQuestion]:
        """Return all questions of a user, the oldest first."""
        ...

    async def add_sources(self, question_id: str, sources: Sequence[PastSource]) -> None:
        """Note memories that answer a question, whatever answer is known; the oldest fall out."""
        ...

    async def write_answer(self, question: KnownQuestion) -> None:
        """Write the answer of a question, unless it is deleted or a later answer is known."""
        ...

    async def forget_wordings(self, user_id: str, memory_ids: Sequence[str]) -> None:
        """Forget the words of answers that rest on one of these memories."""
        ...

    async def delete(self, question_id: str) -> None: ...


_ANSWER_FIELDS = {
    *("sources", "answered_at", "changed_at", "revision"),
    *("wording", "worded_by"),
}


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

    async def add_sources(self, question_id: str, sources: Sequence[PastSource]) -> None:
        latest = {
            "$each": [source.model_dump() for source in sources],
            "$slice": -MAXIMUM_PAST_SOURCES,
        }
        await self._questions.update_one({"_id": question_id}, {"$push": {"past_sources": latest}})

    async def write_answer(self, question: KnownQuestion) -> None:
        answer = question.model_dump(include=_ANSWER_FIELDS)
        standing = {"_id": question.id, "revision": {"$lte": question.revision}}
        await self._questions.update_one(standing, {"$set": answer})

    async def forget_wordings(self, user_id: str, memory_ids: Sequence[str]) -> None:
        resting = {"user_id": user_id, "sources.memory_id": {"$in": list(memory_ids)}}
        await self._questions.update_many(resting, {"$set": {"wording": None, "worded_by": None}})

    async def delete(self, question_id: str) -> None:
        await self._questions.delete_one({"_id": question_id})
