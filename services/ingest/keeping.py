"""What ingest keeps, in one hand."""

from dataclasses import dataclass
from typing import Self

from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.requests import RequestStore
from palimpsest.stores.requests_mongo import MongoRequests
from palimpsest.stores.sessions import SessionStore
from palimpsest.stores.sessions_mongo import MongoSessions
from palimpsest.stores.turns import TurnStore
from palimpsest.stores.turns_mongo import MongoTurns
from palimpsest.stores.windows import WindowStore
from palimpsest.stores.windows_mongo import MongoWindows


@dataclass(frozen=True, kw_only=True)
class Keeping:
    turns: TurnStore
    sessions: SessionStore
    windows: WindowStore
    requests: RequestStore

    @classmethod
    def in_database(cls, database: MongoDatabase) -> Self:
        return cls(
            turns=MongoTurns(database),
            sessions=MongoSessions(database),
            windows=MongoWindows(database),
            requests=MongoRequests(database),
        )
