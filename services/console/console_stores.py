"""Stores of the console: those it only reads, and its own for commands, webhooks and keys."""

from dataclasses import dataclass
from typing import Self

from palimpsest.model.scope import Layout
from palimpsest_server.stores.access_keys import AccessKeyStore, MongoAccessKeys
from palimpsest_server.stores.change_sets import ChangeSetStore
from palimpsest_server.stores.commands import CommandStore, MongoCommands
from palimpsest_server.stores.data_inventory import DataInventory, MongoDataInventory
from palimpsest_server.stores.dead_letters import DeadLetterStore, MongoDeadLetters
from palimpsest_server.stores.decided_erasures import ErasureStore, MongoErasures
from palimpsest_server.stores.entities import EntityReader
from palimpsest_server.stores.ledger import LedgerBacklogReader
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.entities import MongoEntities
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.profiles import MongoProfiles
from palimpsest_server.stores.mongo.sessions import MongoSessions
from palimpsest_server.stores.mongo.todos import MongoTodos
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.mongo.usage import MongoUsage
from palimpsest_server.stores.mongo.webhooks import MongoWebhooks
from palimpsest_server.stores.namespaces import MongoNamespaces, NamespaceRegistry
from palimpsest_server.stores.profiles import ProfileReader
from palimpsest_server.stores.recall_traces import MongoRecallTraces, RecallTraces
from palimpsest_server.stores.reports import MongoReports, ReportStore
from palimpsest_server.stores.sessions import SessionReader
from palimpsest_server.stores.standing_questions import (
    MongoStandingQuestions,
    StandingQuestionStore,
)
from palimpsest_server.stores.todos import TodoStore
from palimpsest_server.stores.turns import TurnStore
from palimpsest_server.stores.usage import UsageReader
from palimpsest_server.stores.user_archive import MongoUserArchive, UserArchive
from palimpsest_server.stores.webhooks import WebhookStore


@dataclass(frozen=True, kw_only=True)
class ConsoleStores:
    commands: CommandStore
    memories: MemoryStore
    change_sets: ChangeSetStore
    namespaces: NamespaceRegistry
    inventory: DataInventory
    archive: UserArchive
    erasures: ErasureStore
    todos: TodoStore
    profiles: ProfileReader
    sessions: SessionReader
    turns: TurnStore
    usage: UsageReader
    reports: ReportStore
    traces: RecallTraces
    dead_letters: DeadLetterStore
    ledger: LedgerBacklogReader
    webhooks: WebhookStore
    keys: AccessKeyStore
    entities: EntityReader
    questions: StandingQuestionStore

    @classmethod
    def in_database(cls, database: MongoDatabase, *, layout: Layout, model: str) -> Self:
        """Build the stores. `model` is the slug of the embedding model."""
        namespaces = MongoNamespaces(database, layout=layout, model=model)
        return cls(
            commands=MongoCommands(database),
            memories=MongoMemories(database, layout=layout),
            change_sets=MongoChangeSets(database),
            namespaces=namespaces,
            inventory=MongoDataInventory(database, namespaces, layout=layout),
            archive=MongoUserArchive(database),
            erasures=MongoErasures(database),
            todos=MongoTodos(database),
            profiles=MongoProfiles(database),
            sessions=MongoSessions(database),
            turns=MongoTurns(database),
            usage=MongoUsage(database),
            reports=MongoReports(database),
            traces=MongoRecallTraces(database),
            dead_letters=MongoDeadLetters(database),
            ledger=MongoLedger(database),
            webhooks=MongoWebhooks(database),
            keys=MongoAccessKeys(database),
            entities=MongoEntities(database),
            questions=MongoStandingQuestions(database),
        )
