"""Ingest erases messages and requests; ids, places and epochs stay, so that none is accepted again."""

from palimpsest.events.conversations import RememberRequested, SessionStarted, SummaryPublished
from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.events.skills import SkillFailed, SkillRun, SkillSucceeded
from palimpsest.model.erasure import ERASED_EPOCH, Erasure
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import memory_id
from palimpsest.model.session_summary import summary_id
from palimpsest.model.turn import Turn
from palimpsest_server.stores.accepted_requests import AcceptedRequest
from palimpsest_server.stores.collections import REQUESTS, SESSIONS, TURNS, WINDOWS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.erased_text import ERASED_TEXT
from palimpsest_server.stores.mongo.accepted_requests import DROP_UPDATE, parse_accepted_event
from palimpsest_server.stores.mongo.chunked_writes import update_in_chunks
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.sessions import SessionKey

_SAYS_NOTHING: Document = {"text": "", "speaker": None, "images": [], "injected": []}
_ABOUT_NOTHING: Document = {"topic": None, "participants": []}
_PLACES = {
    "event_id",
    "occurred_at",
    "received_at",
    "user_id",
    "agent_id",
    "project_id",
    "session_id",
}
_LET_GO: Document = {"pending_since": "", "unnumbered": ""}


class IngestEraser:
    def __init__(self, database: MongoDatabase) -> None:
        self._turns = database.collection(TURNS)
        self._sessions = database.collection(SESSIONS)
        self._windows = database.collection(WINDOWS)
        self._requests = database.collection(REQUESTS)

    async def erase(self, decided: DecidedErasure) -> None:
        user_id, erasure = decided.user_id, decided.erasure
        if erasure.everything:
            older: Document = {"epoch": {"$lt": erasure.epoch}}
            await self._erase_turns(user_id, older, {})
            await self._erase_sessions(user_id, erasure)
        if erasure.turn_ids:
            named: Document = {"_id": {"$in": list(erasure.turn_ids)}, "user_id": user_id}
            await self._blank(named, {"epoch": ERASED_EPOCH})
        if erasure.project_id is not None:
            await self._erase_turns(user_id, _in_project(erasure), {"epoch": ERASED_EPOCH})
        await self._erase_requests(decided)
        await self._let_go_of_windows(user_id, erasure)

    async def _erase_turns(self, user_id: str, which: Document, epoch: Document) -> None:
        # Two queries, because a server has an index for each of them.
        numbered = {"user_id": user_id, "sequence": {"$exists": True}, **which}
        await self._blank(numbered, epoch)
        await self._blank({"unnumbered": True, "user_id": user_id, **which}, epoch)

    async def _blank(self, query: Document, epoch: Document) -> None:
        dropped = {**_SAYS_NOTHING, "state": OutboxState.DROPPED.value, **epoch}
        await update_in_chunks(self._turns, query, {"$set": dropped, "$unset": _LET_GO})

    async def _erase_sessions(self, user_id: str, erasure: Erasure) -> None:
        """Erase the sessions of a user, except those with messages or requests of the new epoch."""
        going_on = {
            document["session_id"]
            async for document in self._turns.find(
                {
                    "user_id": user_id,
                    "sequence": {"$exists": True},
                    "epoch": {"$gte": erasure.epoch},
                },
                {"session_id": 1},
            )
        }
        async for document in self._requests.find({"user_id": user_id}):
            event = parse_accepted_event(document)
            if event is None or event.session_id is None:
                continue
            if (event.epoch or 0) >= erasure.epoch:
                going_on.add(event.session_id)
        await update_in_chunks(
            self._sessions,
            {"user_id": user_id, "session_id": {"$nin": sorted(going_on)}},
            {"$set": _ABOUT_NOTHING},
        )

    async def _erase_requests(self, decided: DecidedErasure) -> None:
        user_id, erasure = decided.user_id, decided.erasure
        named = (erasure.request_ids, erasure.memory_ids, erasure.summary_ids)
        which = (*named, erasure.project_id)
        if not (erasure.everything or any(which)):
            return
        found = {
            document["_id"]: parse_accepted_event(document)
            for document in await self._requests.find({"user_id": user_id}).to_list(None)
        }
        unreadable = [identity for identity, event in found.items() if event is None]
        if unreadable:
            await self._requests.update_many({"_id": {"$in": unreadable}}, DROP_UPDATE)
        accepted = [(identity, event) for identity, event in found.items() if event is not None]
        skills = {
            event.skill_name
            for _, event in accepted
            if isinstance(event, SkillRun) and _remembered(event) in erasure.memory_ids
        }
        for identity, event in accepted:
            # All runs of a skill form one memory, named after the first run.
            is_run = isinstance(event, SkillRun) and event.skill_name in skills
            if is_run or is_request_erased(decided, identity, event):
                epoch = event.epoch if erasure.everything else ERASED_EPOCH
                await self._requests.update_one(
                    {"_id": identity},
                    {
                        "$set": {
                            "event": _unsaid(event, epoch).model_dump_json(),
                            "state": OutboxState.DROPPED.value,
                        },
                        "$unset": {"pending_since": ""},
                    },
                )
                if isinstance(event, SessionStarted) and not erasure.everything:
                    begun = {"_id": SessionKey.of(event).id}
                    await self._sessions.update_one(begun, {"$set": _ABOUT_NOTHING})

    async def _let_go_of_windows(self, user_id: str, erasure: Erasure) -> None:
        if erasure.window_ids:
            await update_in_chunks(
                self._windows,
                {"_id": {"$in": list(erasure.window_ids)}, "user_id": user_id},
                {"$set": {"state": OutboxState.DROPPED.value}, "$unset": {"pending_since": ""}},
            )


def is_erased_content(kept: Turn | AcceptedRequest) -> bool:
    """Return whether content was erased, or the key that sealed it was destroyed."""
    match kept:
        case Turn():
            return kept.text in ("", ERASED_TEXT) and not kept.images
        case RememberRequested():
            return kept.content == ERASED_TEXT
        case SummaryPublished():
            return kept.text == ERASED_TEXT
        case SkillRun():
            return kept.skill_name == ERASED_TEXT
        case SessionStarted():
            return kept.topic == ERASED_TEXT
        case _:
            return kept.epoch == ERASED_EPOCH


def is_request_erased(decided: DecidedErasure, request_id: str, event: AcceptedRequest) -> bool:
    """Return whether a request is among the erased ones."""
    return _concerns(decided.erasure, request_id, event) or _tells(decided, event)


def _in_project(erasure: Erasure) -> Document:
    whose: Document = {} if erasure.agent_id is None else {"agent_id": erasure.agent_id}
    return {"project_id": erasure.project_id, **whose}


def _concerns(erasure: Erasure, request_id: str, event: AcceptedRequest) -> bool:
    if erasure.everything:
        return (event.epoch or 0) < erasure.epoch
    of_project = erasure.project_id is not None and (
        event.project_id == erasure.project_id and erasure.agent_id in (None, event.agent_id)
    )
    return (
        of_project
        or request_id in erasure.request_ids
        or (
            isinstance(event, RememberRequested | SkillRun)
            and _remembered(event) in erasure.memory_ids
        )
    )


def _tells(decided: DecidedErasure, event: AcceptedRequest) -> bool:
    """Return whether the event is a chat service's summary of an erased session, sent before the erasure."""
    return (
        isinstance(event, SummaryPublished)
        and summary_id(event.user_id, event.session_id) in decided.erasure.summary_ids
        and (event.received_at or event.occurred_at) <= decided.decided_at
    )


def _remembered(event: RememberRequested | SkillRun) -> str:
    """Return the id of the memory that a request asks for, or whose first run a skill run is."""
    return memory_id(event.user_id, derive_id("candidate", event.event_id, "0"))


def _places(event: AcceptedRequest) -> Document:
    """Return the owner, scope and times of a request, which are all that stays of it."""
    return event.model_dump(include=_PLACES)


def _unsaid(  # noqa: PLR0911 - one for each kind of event
    event: AcceptedRequest, epoch: int | None
) -> AcceptedRequest:
    match event:
        case RememberRequested():
            places = _places(event) | {"message_id": event.message_id}
            return RememberRequested(**places, epoch=epoch, content=ERASED_TEXT)
        case SummaryPublished():
            return SummaryPublished(**_places(event), epoch=epoch, text=ERASED_TEXT)
        case SkillSucceeded():
            return SkillSucceeded(**_places(event), epoch=epoch, skill_name=ERASED_TEXT)
        case SkillFailed():
            return SkillFailed(
                **_places(event), epoch=epoch, skill_name=ERASED_TEXT, error=ERASED_TEXT
            )
        case FeedbackGiven() | RecallUsed():
            return event.model_copy(update={"epoch": epoch})
        case SessionStarted():
            unsaid = {"topic": ERASED_TEXT, "participants": (), "epoch": epoch}
            return event.model_copy(update=unsaid)
        case _:
            return event
