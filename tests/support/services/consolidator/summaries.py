"""Proposed summaries of one session, and the summary that is stored."""

from typing import Any

from palimpsest.api.recall import DEFAULT_RECORD_TYPES, RecordType
from palimpsest.events.extractor_answers import SummaryProposed
from palimpsest.model.memory import Candidate
from palimpsest.model.session_summary import SessionSummary, summary_id
from palimpsest_server.stores.vectors import VectorQuery
from tests.support.server.domain.consolidation.samples import ALICE, day
from tests.support.services.consolidator.events import envelope
from tests.support.services.consolidator.stores import Stores, vectors_of

SUMMARY_ID = summary_id("alice", "s")


async def only(stores: Stores) -> SessionSummary:
    (found,) = await stores.summaries.of_users({"alice": [SUMMARY_ID]})
    return found


def proposed(
    made: SessionSummary | None, *facts: Candidate, event_id: str = "question"
) -> SummaryProposed:
    event = SummaryProposed(
        question_id=event_id,
        provider="local",
        summary=made,
        candidates=facts,
        **envelope(event_id, "alice", session_id="s"),
    )
    vectors = tuple(vectors_of(text.dense) for text in event.texts())
    return event.model_copy(update={"vectors": vectors})


def summary(text: str, *, through: int = 4, **fields: Any) -> SessionSummary:
    return SessionSummary.model_validate(
        {
            "id": SUMMARY_ID,
            "scope": ALICE,
            "session_id": "s",
            "text": text,
            "made_by": "local",
            "message_count": through,
            "through": through,
            "started_at": day(0),
            "ended_at": day(0),
            "made_at": day(1),
            "expires_at": day(100_00),
            "epoch": 0,
            **fields,
        }
    )


async def found(stores: Stores, text: str, *records: RecordType) -> list[str]:
    vectors = vectors_of(text)
    query = VectorQuery(
        scopes=(ALICE,),
        dense=vectors.dense_values(),
        sparse=vectors.sparse(),
        records=frozenset(records) or DEFAULT_RECORD_TYPES,
    )
    return [hit.id for hit in await stores.vectors.search(query)]
