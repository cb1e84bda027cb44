"""The ledger's documents: what is written of a request, and what is asked for."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, TypeAdapter
from pymongo.errors import BulkWriteError

from palimpsest.contracts.answers import (
    CandidatesProposed,
    JudgementProposed,
    ProfileProposed,
    QuestionAnswered,
    ReflectionsProposed,
    SummaryProposed,
)
from palimpsest.contracts.questions import (
    ExtractionRequested,
    JudgementRequested,
    ProfileRequested,
    Question,
    ReflectionRequested,
    SummaryRequested,
)
from palimpsest.domain.identifiers import derive
from palimpsest.stores.ledger import Lease, RequestState
from palimpsest.stores.mongo import Document
from palimpsest.stores.mongo_failures import only_duplicates

_AnyQuestion = (
    ExtractionRequested
    | SummaryRequested
    | ProfileRequested
    | JudgementRequested
    | ReflectionRequested
)
_AnyAnswer = (
    CandidatesProposed | SummaryProposed | ProfileProposed | JudgementProposed | ReflectionsProposed
)

_QUESTIONS: TypeAdapter[_AnyQuestion] = TypeAdapter(
    Annotated[_AnyQuestion, Field(discriminator="type")]
)
_ANSWERS: TypeAdapter[_AnyAnswer] = TypeAdapter(Annotated[_AnyAnswer, Field(discriminator="type")])

_LEASE_FIELDS = ("lease_token", "lease_until", "leased_at")


def moved_to(
    state: RequestState, now: datetime, *, gone: Sequence[str] = (), **fields: Any
) -> Document:
    """The update into a state that is no lease, with these fields and without those gone."""
    return {
        "$set": {"state": state.value, "since": now, **fields},
        "$unset": dict.fromkeys((*_LEASE_FIELDS, *gone), ""),
    }


def due(now: datetime) -> Document:
    return {"state": RequestState.PENDING.value, "next_attempt_at": {"$lte": now}}


def held_under(lease: Lease) -> Document:
    return {
        "_id": lease.request_id,
        "state": RequestState.LEASED.value,
        "lease_token": lease.token,
    }


def pending_document(request: Question, place: int, now: datetime) -> Document:
    return {
        "_id": request.request_id,
        "user_id": request.user_id,
        "session_key": derive("session", request.user_id, request.session_id),
        "state": RequestState.PENDING.value,
        "since": now,
        "place": place,
        "written_at": now,
        "next_attempt_at": now,
        "attempts": 0,
    }


def text_document(request: Question) -> Document:
    return {"_id": request.request_id, "request": request.model_dump(mode="python")}


def question_of(document: Document) -> Question:
    return _QUESTIONS.validate_python(document)


def answer_of(document: Document) -> QuestionAnswered:
    return _ANSWERS.validate_python(document)


async def insert_unless_there(collection: Any, documents: Sequence[Document]) -> None:
    """Insert these; one that somebody has inserted already is no error."""
    if not documents:
        return
    try:
        await collection.insert_many(documents, ordered=False)
    except BulkWriteError as error:
        only_duplicates(error)
