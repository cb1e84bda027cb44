"""What the consolidator keeps, in one hand."""

from dataclasses import dataclass
from typing import Self

from palimpsest.domain.scope import Layout
from palimpsest.stores.change_sets import ChangeSetStore
from palimpsest.stores.change_sets_mongo import MongoChangeSets
from palimpsest.stores.completions import CompletionStore, MongoCompletions
from palimpsest.stores.entities import EntityStore
from palimpsest.stores.entities_mongo import MongoEntities
from palimpsest.stores.epochs import EpochStore, MongoEpochs
from palimpsest.stores.erasures import ErasureStore, MongoErasures
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.memories_mongo import MongoMemories
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.namespaces import MongoNamespaces, NamespaceRegistry
from palimpsest.stores.profiles import ProfileNeeds, ProfileStore
from palimpsest.stores.profiles_mongo import MongoProfileNeeds, MongoProfiles
from palimpsest.stores.summaries import SummaryStore
from palimpsest.stores.summaries_mongo import MongoSummaries
from palimpsest.stores.todos import TodoStore
from palimpsest.stores.todos_mongo import MongoTodos
from palimpsest.stores.user_settings import MongoUserSettings, UserSettingsStore
from palimpsest.stores.withheld import MongoWithheld, WithheldStore


@dataclass(frozen=True, kw_only=True)
class Keeping:
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

    @classmethod
    def in_database(cls, database: MongoDatabase, *, layout: Layout, model: str) -> Self:
        """`model`: the slug of the one that texts are embedded by."""
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
        )
