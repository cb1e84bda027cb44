"""The archive of one user: all messages, for finding everything about a topic."""

from collections.abc import AsyncIterator
from typing import Protocol

from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Turn
from palimpsest.model.window import Window
from palimpsest_server.stores.accepted_requests import AcceptedRequest
from palimpsest_server.stores.collections import DEAD_LETTERS, REQUESTS, SUMMARIES, TURNS, WINDOWS
from palimpsest_server.stores.dead_letters import DeadLetter
from palimpsest_server.stores.mongo.accepted_requests import parse_accepted_event
from palimpsest_server.stores.mongo.database import MongoDatabase, from_document


class ConversationArchive(Protocol):
    def turns(self, user_id: str) -> AsyncIterator[Turn]: ...

    def summaries(self, user_id: str) -> AsyncIterator[SessionSummary]: ...


class UserArchive(ConversationArchive, Protocol):
    def requests(self, user_id: str) -> AsyncIterator[tuple[str, AcceptedRequest]]: ...

    def windows(self, user_id: str) -> AsyncIterator[Window]: ...

    def dead_letters(self, user_id: str) -> AsyncIterator[DeadLetter]: ...


class MongoUserArchive:
    def __init__(self, database: MongoDatabase) -> None:
        self._database = database

    async def turns(self, user_id: str) -> AsyncIterator[Turn]:
        query = {"user_id": user_id, "sequence": {"$exists": True}}
        async for document in self._database.collection(TURNS).find(query):
            yield from_document(Turn, document)

    async def requests(self, user_id: str) -> AsyncIterator[tuple[str, AcceptedRequest]]:
        async for document in self._database.collection(REQUESTS).find({"user_id": user_id}):
            event = parse_accepted_event(document)
            if event is not None:
                yield document["_id"], event

    async def summaries(self, user_id: str) -> AsyncIterator[SessionSummary]:
        async for document in self._database.collection(SUMMARIES).find({"user_id": user_id}):
            yield from_document(SessionSummary, document)

    async def windows(self, user_id: str) -> AsyncIterator[Window]:
        async for document in self._database.collection(WINDOWS).find({"user_id": user_id}):
            yield from_document(Window, document)

    async def dead_letters(self, user_id: str) -> AsyncIterator[DeadLetter]:
        async for document in self._database.collection(DEAD_LETTERS).find({"user_id": user_id}):
            yield from_document(DeadLetter, document)
