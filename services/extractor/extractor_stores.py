"""The stores that the extractor writes and reads."""

from dataclasses import dataclass
from typing import Protocol, Self

from palimpsest_server.stores.dead_letters import DeadLetterReader, MongoDeadLetters
from palimpsest_server.stores.decided_erasures import ErasureStore, MongoErasures
from palimpsest_server.stores.ledger import Ledger
from palimpsest_server.stores.memories import MemoryReader
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.sessions import MongoSessions
from palimpsest_server.stores.mongo.summaries import MongoSummaries
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.mongo.usage import MongoUsage
from palimpsest_server.stores.spending import MongoSpending, SpendingStore
from palimpsest_server.stores.summaries import SummaryStore
from palimpsest_server.stores.summary_needs import MongoSummaryNeeds, SummaryNeeds
from palimpsest_server.stores.usage import UsageStore
from services.extractor.reconciler import FindDecidedIds
from services.extractor.session_transcript import SessionLookup, SessionTurnReader


class KnownChangeSetReader(Protocol):
    @property
    def known(self) -> FindDecidedIds: ...


@dataclass(frozen=True, kw_only=True)
class ExtractorStores:
    ledger: Ledger
    summary_needs: SummaryNeeds
    erasures: ErasureStore
    sessions: SessionLookup
    turns: SessionTurnReader
    summaries: SummaryStore
    memories: MemoryReader
    """The consolidator's, from which answers are worded."""
    calls: UsageStore
    spending: SpendingStore
    change_sets: KnownChangeSetReader
    """The consolidator's, in which an answer has had its effect."""
    dead_letters: DeadLetterReader

    @classmethod
    def in_database(cls, database: MongoDatabase) -> Self:
        return cls(
            ledger=MongoLedger(database),
            summary_needs=MongoSummaryNeeds(database),
            erasures=MongoErasures(database),
            sessions=MongoSessions(database),
            turns=MongoTurns(database),
            summaries=MongoSummaries(database),
            memories=MongoMemories(database),
            calls=MongoUsage(database),
            spending=MongoSpending(database),
            change_sets=MongoChangeSets(database),
            dead_letters=MongoDeadLetters(database),
        )
