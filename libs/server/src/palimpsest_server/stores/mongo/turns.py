"""Turns in MongoDB. A unique index on session and number keeps the numbering free of duplicates."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime

from pymongo import InsertOne, UpdateOne
from pymongo.errors import BulkWriteError

from palimpsest.model.scope import Scope
from palimpsest.model.turn import Turn
from palimpsest_server.stores.collections import TURNS
from palimpsest_server.stores.mongo.database import (
    Document,
    MongoDatabase,
    from_document,
    to_document,
)
from palimpsest_server.stores.mongo.failures import require_only_duplicates
from palimpsest_server.stores.outbox import (
    MongoOutbox,
    OutboxEntry,
    OutboxState,
    build_pending_fields,
)
from palimpsest_server.stores.sessions import SessionKey
from palimpsest_server.stores.turns import TurnPlacement


class MongoTurns(MongoOutbox[Turn]):
    def __init__(self, database: MongoDatabase) -> None:
        super().__init__(database, TURNS)

    async def by_ids(self, scopes: Sequence[Scope], ids: Sequence[str]) -> list[Turn]:
        if not scopes or not ids:
            return []
        # By id alone; scopes are compared afterwards. With an $or beside the ids the embedded
        # database reads the whole collection.
        return _within(scopes, await self._found({"_id": {"$in": list(ids)}}))

    async def of_user_by_ids(self, user_id: str, ids: Sequence[str]) -> list[Turn]:
        found = await self._found({"_id": {"$in": list(ids)}}) if ids else []
        return [turn for turn in found if turn.user_id == user_id]

    async def around(
        self, scopes: Sequence[Scope], places: Sequence[tuple[str, int]]
    ) -> list[Turn]:
        sequences: dict[str, list[int]] = {}
        for session_id, sequence in places:
            sequences.setdefault(session_id, []).append(sequence)
        # One query for each session, in parallel, for the same reason.
        found = await asyncio.gather(
            *(
                self._found(
                    {"session_id": session_id, "user_id": user_id, "sequence": {"$in": numbers}}
                )
                for user_id in {scope.user_id for scope in scopes}
                for session_id, numbers in sequences.items()
            )
        )
        return _within(scopes, [turn for turns in found for turn in turns])

    async def latest(self, session: SessionKey, limit: int) -> list[Turn]:
        if not limit:
            return []
        # By number, since numbers have no gaps: the embedded database does not sort by an index.
        last = (await self.last_sequences([session]))[session]
        return list(await self.stretch(session, after=max(0, last - limit), limit=limit))

    async def accept(
        self, turns: Sequence[Turn], *, now: datetime
    ) -> Mapping[str, OutboxEntry[Turn]]:
        stood = await self._insert(
            [_document(turn, now, position) for position, turn in enumerate(turns)]
        )
        return await self.standing(sorted(stood))

    async def place(self, placements: Sequence[TurnPlacement], *, now: datetime) -> bool:
        if not placements:
            return True
        writes = [
            UpdateOne(
                {"_id": placement.turn.id, "sequence": None},
                {"$set": _place(placement), "$unset": {"unnumbered": ""}},
            )
            if placement.accepted
            else InsertOne(_document(placement.turn, now, position) | _place(placement))
            for position, placement in enumerate(placements)
        ]
        try:
            # In order, so that a number is never taken before the one below it.
            result = await self._collection.bulk_write(writes, ordered=True)
        except BulkWriteError as error:
            require_only_duplicates(error)
            return False
        return result.matched_count == sum(placement.accepted for placement in placements)

    async def withhold(self, ids: Sequence[str]) -> None:
        if ids:
            await self._collection.update_many(
                {"_id": {"$in": list(ids)}}, {"$set": {"withheld": True}}
            )

    async def unnumbered(self) -> Sequence[Turn]:
        documents = await self._collection.find(
            {"unnumbered": True, "state": OutboxState.STORED.value}
        ).to_list(None)
        documents.sort(key=lambda each: each["arrival"])
        return [from_document(Turn, document) for document in documents]

    async def count_unnumbered(self, session: SessionKey) -> int:
        return int(
            await self._collection.count_documents(
                {"unnumbered": True, "state": OutboxState.STORED.value, **_numbered(session)}
            )
        )

    async def last_sequences(self, sessions: Sequence[SessionKey]) -> Mapping[SessionKey, int]:
        last: dict[SessionKey, int] = {}
        for session in sessions:
            found = await self._collection.find_one(
                {**_numbered(session), "sequence": {"$gt": 0}},
                {"sequence": 1},
                sort=[("sequence", -1)],
            )
            last[session] = found["sequence"] if found else 0
        return last

    async def received_before(self, moment: datetime, *, limit: int) -> Sequence[Turn]:
        documents = self._collection.find({"received_at": {"$lt": moment}}).limit(limit)
        turns = [from_document(Turn, document) for document in await documents.to_list(limit)]
        return [turn for turn in turns if turn.sequence is not None]

    async def remove(self, ids: Sequence[str]) -> None:
        if ids:
            await self._collection.delete_many({"_id": {"$in": list(ids)}})

    async def stretch(self, session: SessionKey, *, after: int, limit: int) -> Sequence[Turn]:
        query = {**_numbered(session), "sequence": {"$gt": after}}
        documents = self._collection.find(query).sort("sequence", 1)
        return [from_document(Turn, document) for document in await documents.to_list(limit)]

    async def of_agent(self, user_id: str, agent_id: str | None) -> Sequence[Turn]:
        turns = await self._found({"user_id": user_id, "sequence": {"$exists": True}})
        own = [turn for turn in turns if turn.agent_id == agent_id]
        return sorted(own, key=lambda turn: (turn.session_id, turn.sequence or 0))

    def _item(self, document: Document) -> Turn:
        return from_document(Turn, document)

    async def _found(self, query: Document) -> list[Turn]:
        documents = await self._collection.find(query).to_list(None)
        return [from_document(Turn, document) for document in documents]


def _within(scopes: Sequence[Scope], turns: Sequence[Turn]) -> list[Turn]:
    exact = set(scopes)
    return [turn for turn in turns if turn.scope in exact]


def _numbered(session: SessionKey) -> Document:
    return {"user_id": session.user_id, "session_id": session.session_id}


def _place(placement: TurnPlacement) -> Document:
    turn = placement.turn
    place: Document = {
        "sequence": turn.sequence,
        "project_id": turn.project_id,
        "in_fiction": turn.in_fiction,
    }
    return place if placement.behind_end is None else {**place, "behind_end": placement.behind_end}


def _document(turn: Turn, now: datetime, position: int) -> Document:
    document = {**to_document(turn), **build_pending_fields(now, position)}
    if turn.sequence is None:
        # Absent, not null: the index on numbers holds only turns that have one.
        del document["sequence"]
        document["unnumbered"] = True
    return document
