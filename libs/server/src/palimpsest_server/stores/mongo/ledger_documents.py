"""The ledger's documents and the filters that find them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field, TypeAdapter
from pymongo.errors import BulkWriteError

from palimpsest.events.extractor_answers import (
    CandidatesProposed,
    ExtractorAnswer,
    JudgementProposed,
    ProfileProposed,
    ReflectionsProposed,
    SummaryProposed,
)
from palimpsest.events.extractor_requests import (
    ExtractionRequested,
    ExtractorRequest,
    JudgementRequested,
    ProfileRequested,
    ReflectionRequested,
    SummaryRequested,
)
from palimpsest.model.identifiers import derive_id
from palimpsest.model.value_types import STORED
from palimpsest_server.stores.ledger import ModelRequestLease, ModelRequestState
from palimpsest_server.stores.mongo.database import Document
from palimpsest_server.stores.mongo.failures import require_only_duplicates

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


def build_transition(
    state: ModelRequestState, now: datetime, *, gone: Sequence[str] = (), **fields: Any
) -> Document:
    """Return the update into a state without a lease: it sets `fields` and removes the fields in `gone`."""
    return {
        "$set": {"state": state.value, "since": now, **fields},
        "$unset": dict.fromkeys((*_LEASE_FIELDS, *gone), ""),
    }


def build_due_filter(now: datetime) -> Document:
    return {"state": ModelRequestState.PENDING.value, "next_attempt_at": {"$lte": now}}


def build_lease_filter(lease: ModelRequestLease) -> Document:
    return {
        "_id": lease.request_id,
        "state": ModelRequestState.LEASED.value,
        "lease_token": lease.token,
    }


def build_pending_document(
    request: ExtractorRequest, place: int, cost: int, now: datetime
) -> Document:
    return {
        "_id": request.request_id,
        "user_id": request.user_id,
        "session_key": derive_id("session", request.user_id, request.session_id),
        "state": ModelRequestState.PENDING.value,
        "since": now,
        "place": place,
        "cost": cost,
        "written_at": now,
        "next_attempt_at": now,
        "attempts": 0,
    }


def build_text_document(request: ExtractorRequest) -> Document:
    return {"_id": request.request_id, "request": request.model_dump(mode="python")}


def parse_question(document: Document) -> ExtractorRequest:
    return _QUESTIONS.validate_python(document, context=STORED)


def parse_answer(document: Document) -> ExtractorAnswer:
    return _ANSWERS.validate_python(document, context=STORED)


async def insert_missing(collection: Any, documents: Sequence[Document]) -> None:
    """Insert documents; a document that another process has inserted already is no error."""
    if not documents:
        return
    try:
        await collection.insert_many(documents, ordered=False)
    except BulkWriteError as error:
        require_only_duplicates(error)
