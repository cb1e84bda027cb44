"""Events as they arrive on `writes`."""

from datetime import datetime
from typing import Any

from palimpsest.events.commands import ForgetMemory, SetSettings
from palimpsest.events.conversations import RememberRequested
from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.events.writes import MemoriesAccessed, TurnStored
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Candidate, memory_id
from palimpsest.model.turn import Role, Turn, turn_id
from tests.support.server.domain.consolidation.samples import day
from tests.support.services.consolidator.stores import vectors_of

RECEIVED = day(100)


def envelope(event_id: str, user_id: str, **fields: Any) -> dict[str, Any]:
    return {
        "event_id": event_id,
        "user_id": user_id,
        "occurred_at": day(0),
        "received_at": RECEIVED,
        "epoch": 0,
        **fields,
    }


def remember(
    content: str, event_id: str = "", user_id: str = "alice", **fields: Any
) -> RememberRequested:
    event_id = event_id or f"remember {content}"
    return RememberRequested(
        content=content, vectors=(vectors_of(content),), **envelope(event_id, user_id, **fields)
    )


def lives(city: str, *, on: int, user_id: str = "alice", **fields: Any) -> RememberRequested:
    return remember(
        f"I live in {city}",
        event_id=f"lives in {city} on {on}",
        user_id=user_id,
        attribute="city",
        value=city,
        occurred_at=day(on),
        **fields,
    )


def remembered_id(event: RememberRequested) -> str:
    return memory_id(event.user_id, derive_id("candidate", event.event_id, "0"))


def proposed(*candidates: Candidate, event_id: str = "window", **fields: Any) -> CandidatesProposed:
    return CandidatesProposed(
        window_id=event_id,
        provider="local",
        candidates=candidates,
        vectors=tuple(vectors_of(candidate.embedded_text) for candidate in candidates),
        **envelope(event_id, "alice", **fields),
    )


def forget(memory: str, event_id: str = "forget", **fields: Any) -> ForgetMemory:
    return ForgetMemory(memory_id=memory, **envelope(event_id, "alice", **fields))


def settle(event_id: str = "settle", user_id: str = "alice", **settings: Any) -> SetSettings:
    return SetSettings(**envelope(event_id, user_id), **settings)


def accessed(recall_id: str, *memories: str, user_id: str = "alice") -> MemoriesAccessed:
    return MemoriesAccessed(
        recall_id=recall_id, memory_ids=memories, **envelope(f"accessed {recall_id}", user_id)
    )


def stored(
    text: str,
    *,
    message_id: str = "m1",
    user_id: str = "alice",
    at: datetime = RECEIVED,
    **fields: Any,
) -> TurnStored:
    turn = Turn(
        id=turn_id(user_id, "s", message_id),
        event_id=f"e-{message_id}",
        user_id=user_id,
        session_id="s",
        message_id=message_id,
        role=Role.USER,
        text=text,
        occurred_at=at,
        received_at=at,
        epoch=0,
        sequence=1,
    )
    return TurnStored(
        turn=turn,
        session_id="s",
        vectors=(vectors_of(text),),
        **envelope(f"stored {message_id}", user_id, **fields),
    )


def withheld(text: str, **fields: Any) -> TurnStored:
    """The same, once another message asks that it be not remembered."""
    event = stored(text, **fields)
    return event.model_copy(update={"turn": event.turn.model_copy(update={"withheld": True})})
