"""The stores of the consolidator."""

from dataclasses import dataclass
from typing import Self

from palimpsest.model.scope import Layout
from palimpsest_server.stores.change_sets import ChangeSetStore
from palimpsest_server.stores.completions import CompletionStore, MongoCompletions
from palimpsest_server.stores.decided_erasures import ErasureStore, MongoErasures
from palimpsest_server.stores.entities import EntityStore
from palimpsest_server.stores.epochs import EpochStore, MongoEpochs
from palimpsest_server.stores.ledger import LedgerReader
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.entities import MongoEntities
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.profiles import MongoProfileNeeds, MongoProfiles
from palimpsest_server.stores.mongo.summaries import MongoSummaries
from palimpsest_server.stores.mongo.todos import MongoTodos
from palimpsest_server.stores.mongo.turn_pages import ListedTurnPages, MongoTurnPages
from palimpsest_server.stores.namespaces import MongoNamespaces, NamespaceRegistry
from palimpsest_server.stores.profiles import ProfileNeeds, ProfileStore
from palimpsest_server.stores.reports import MongoReports, ReportStore
from palimpsest_server.stores.summaries import SummaryStore
from palimpsest_server.stores.todos import TodoStore
from palimpsest_server.stores.turns import ConfirmedTurns
from palimpsest_server.stores.user_settings import MongoUserSettings, UserSettingsStore
from palimpsest_server.stores.withheld_messages import MongoWithheld, WithheldStore


@dataclass(frozen=True, kw_only=True)
class ConsolidatorStores:
    change_sets: ChangeSetStore
    memories: MemoryStore
    namespaces: NamespaceRegistry
    settings: UserSettingsStore
    epochs: EpochStore
    erasures: ErasureStore
    withheld: WithheldStore
    todos: TodoStore
    completions: CompletionStore
    summaries: SummaryStore
    entities: EntityStore
    profiles: ProfileStore
    needs: ProfileNeeds
    reports: ReportStore
    ledger: LedgerReader
    """The ledger of the extractor."""
    turns: ConfirmedTurns
    """The turns that ingest stored."""

    @classmethod
    def in_database(
        cls, database: MongoDatabase, *, layout: Layout, model: str, embedded: bool = False
    ) -> Self:
        """Build the stores.

        Args:
            database: the database they are in.
            layout: the layout of memories in it.
            model: the slug of the embedding model.
            embedded: whether the database is the embedded one.
        """
        return cls(
            change_sets=MongoChangeSets(database),
            memories=MongoMemories(database, layout=layout),
            namespaces=MongoNamespaces(database, layout=layout, model=model),
            settings=MongoUserSettings(database),
            epochs=MongoEpochs(database),
            erasures=MongoErasures(database),
            withheld=MongoWithheld(database),
            todos=MongoTodos(database),
            completions=MongoCompletions(database),
            summaries=MongoSummaries(database),
            entities=MongoEntities(database),
            profiles=MongoProfiles(database),
            needs=MongoProfileNeeds(database),
            reports=MongoReports(database),
            ledger=MongoLedger(database),
            turns=(ListedTurnPages if embedded else MongoTurnPages)(database),
        )
