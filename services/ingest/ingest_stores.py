"""What ingest keeps, in one hand."""

from dataclasses import dataclass
from typing import Self

from palimpsest_server.stores.accepted_requests import AcceptedRequestStore
from palimpsest_server.stores.mongo.accepted_requests import MongoAcceptedRequests
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.sessions import MongoSessions
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.mongo.windows import MongoWindows
from palimpsest_server.stores.sessions import SessionStore
from palimpsest_server.stores.turns import TurnStore
from palimpsest_server.stores.windows import WindowStore


@dataclass(frozen=True, kw_only=True)
class IngestStores:
    turns: TurnStore
    sessions: SessionStore
    windows: WindowStore
    requests: AcceptedRequestStore

    @classmethod
    def in_database(cls, database: MongoDatabase) -> Self:
        return cls(
            turns=MongoTurns(database),
            sessions=MongoSessions(database),
            windows=MongoWindows(database),
            requests=MongoAcceptedRequests(database),
        )
