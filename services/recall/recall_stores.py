"""The stores that recall reads."""

from dataclasses import dataclass
from typing import Self

from palimpsest.model.scope import Layout
from palimpsest_server.stores.change_sets import ChangeSetStore
from palimpsest_server.stores.entities import EntityReader
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.mongo.change_sets import MongoChangeSets
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.entities import MongoEntities
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.profiles import MongoProfiles
from palimpsest_server.stores.mongo.sessions import MongoSessions
from palimpsest_server.stores.mongo.summaries import MongoSummaries
from palimpsest_server.stores.mongo.todos import MongoTodos
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.profiles import ProfileStore
from palimpsest_server.stores.sessions import SessionReader
from palimpsest_server.stores.summaries import SummaryStore
from palimpsest_server.stores.todos import TodoStore
from palimpsest_server.stores.turns import TurnStore


@dataclass(frozen=True, kw_only=True)
class RecallStores:
    memories: MemoryStore
    turns: TurnStore
    summaries: SummaryStore
    sessions: SessionReader
    todos: TodoStore
    profiles: ProfileStore
    change_sets: ChangeSetStore
    entities: EntityReader

    @classmethod
    def in_database(cls, database: MongoDatabase, *, layout: Layout) -> Self:
        return cls(
            memories=MongoMemories(database, layout=layout),
            turns=MongoTurns(database),
            summaries=MongoSummaries(database),
            sessions=MongoSessions(database),
            todos=MongoTodos(database),
            profiles=MongoProfiles(database),
            change_sets=MongoChangeSets(database),
            entities=MongoEntities(database),
        )
