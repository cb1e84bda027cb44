"""The stores that ingest writes and reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from palimpsest_server.stores.accepted_requests import AcceptedRequestStore
from palimpsest_server.stores.dead_letters import DeadLetterReader, MongoDeadLetters
from palimpsest_server.stores.mongo.accepted_requests import MongoAcceptedRequests
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.mongo.sessions import MongoSessions
from palimpsest_server.stores.mongo.summaries import MongoSummaries
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.mongo.windows import MongoWindows
from palimpsest_server.stores.sessions import SessionStore
from palimpsest_server.stores.summaries import SummaryReader
from palimpsest_server.stores.turns import TurnStore
from palimpsest_server.stores.windows import WindowStore


class KnownIdReader(Protocol):
    """Reads which ids are known: implemented by the ledger and the change sets."""

    async def known(self, ids: Sequence[str], /) -> set[str]: ...


@dataclass(frozen=True, kw_only=True)
class IngestStores:
    turns: TurnStore
    sessions: SessionStore
    windows: WindowStore
    requests: AcceptedRequestStore
    summaries: SummaryReader
    ledger: KnownIdReader
    """The extractor's ledger: it knows a window once the window has had its effect."""
    change_sets: KnownIdReader
    """The consolidator's change sets: they know a request once it has had its effect."""
    dead_letters: DeadLetterReader

    @classmethod
    def in_database(cls, database: MongoDatabase) -> Self:
        return cls(
            turns=MongoTurns(database),
            sessions=MongoSessions(database),
            windows=MongoWindows(database),
            requests=MongoAcceptedRequests(database),
            summaries=MongoSummaries(database),
            ledger=MongoLedger(database),
            change_sets=MongoChangeSets(database),
            dead_letters=MongoDeadLetters(database),
        )
