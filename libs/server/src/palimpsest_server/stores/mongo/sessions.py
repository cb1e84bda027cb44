"""The sessions in MongoDB."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pymongo import UpdateOne

from palimpsest_server.stores.collections import SESSIONS
from palimpsest_server.stores.mongo.database import Document, MongoDatabase, from_document
from palimpsest_server.stores.sessions import Session, SessionKey, SessionProgress


class MongoSessions:
    def __init__(self, database: MongoDatabase) -> None:
        self._collection = database.collection(SESSIONS)

    async def of(self, keys: Sequence[SessionKey]) -> Mapping[SessionKey, Session]:
        standing = {key: Session.unknown(key) for key in keys}
        if not standing:
            return standing
        query = {"_id": {"$in": [session.id for session in standing.values()]}}
        for document in await self._collection.find(query).to_list(None):
            session = from_document(Session, document)
            standing[session.key] = session
        return standing

    async def of_user(self, user_id: str, *, limit: int) -> Sequence[Session]:
        found = self._collection.find({"user_id": user_id}).limit(limit)
        return [from_document(Session, document) for document in await found.to_list(limit)]

    async def advance(self, progress: Sequence[SessionProgress]) -> None:
        if progress:
            # In order, so that the second step of a new session finds the session.
            await self._collection.bulk_write(
                [UpdateOne({"_id": step.key.id}, _change(step), upsert=True) for step in progress]
            )

    async def idle(self, *, now: datetime, limit: int) -> Sequence[Session]:
        found = self._collection.find({"idle_at": {"$lte": now}}).sort("idle_at", 1)
        return [from_document(Session, document) for document in await found.to_list(limit)]

    async def settle_idle(self, session: Session, *, until: datetime | None) -> None:
        change = {"$unset": {"idle_at": ""}} if until is None else {"$set": {"idle_at": until}}
        await self._collection.update_one({"_id": session.id, "idle_at": session.idle_at}, change)


def _change(step: SessionProgress) -> Document:
    change: Document = {
        "$setOnInsert": {"user_id": step.key.user_id, "session_id": step.key.session_id},
        "$max": {
            "last_sequence": step.last_sequence,
            "published_through": step.published_through,
            "windowed_through": step.windowed_through,
            "ended_through": step.ended_through,
            "asked_at": step.asked_at,
            "fiction_opened_at": step.fiction_opened_at,
            "fiction_ended_at": step.fiction_ended_at,
        },
    }
    for name, moment in (("idle_at", step.idle_at), ("ended_at", step.ended_at)):
        if moment is not None:
            change["$max"][name] = moment
    if step.started is not None:
        change["$set"] = {
            "topic": step.started.topic,
            "participants": list(step.started.participants),
            "agent_id": step.started.agent_id,
            "project_id": step.started.project_id,
        }
    return change
