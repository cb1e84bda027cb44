"""The registry: every namespace that holds memories, its physical name, layout and model."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Protocol

from pymongo import UpdateOne
from pymongo.errors import BulkWriteError

from palimpsest.model.errors import EmbeddingModelMismatch, NamespaceMismatch, RecordNotFound
from palimpsest.model.identifiers import derive_id
from palimpsest.model.scope import Layout, Namespace, Scope
from palimpsest.model.value_types import Value
from palimpsest_server.stores.collections import MEMORIES, NAMESPACES
from palimpsest_server.stores.mongo.database import Document, MongoDatabase
from palimpsest_server.stores.mongo.failures import require_only_duplicates


class RegisteredNamespace(Value):
    namespace: Namespace
    physical_name: str
    layout: Layout
    embedding_model: str
    """Slug of the model that made the namespace's vectors."""


class NamespaceRegistry(Protocol):
    async def verify(self) -> None:
        """Check that all registered namespaces have the configured layout and model.

        Raises:
            NamespaceMismatch: a namespace has the other layout.
            EmbeddingModelMismatch: a namespace was embedded by another model.
        """
        ...

    async def register(self, namespaces: Iterable[Namespace]) -> None:
        """Register new namespaces; in the `per_agent` layout also create their collections."""
        ...

    async def of_user(self, user_id: str) -> list[Namespace]: ...

    async def everything(self) -> list[RegisteredNamespace]: ...

    async def page(
        self, *, limit: int, after: str | None = None, user_prefix: str = ""
    ) -> list[Namespace]:
        """Return at most `limit` namespaces by user and agent, behind the one with the id `after`.

        Only those of users whose id begins with `user_prefix`.

        Raises:
            RecordNotFound: no namespace has this id.
        """
        ...

    async def adopt_model(self, slug: str) -> None:
        """Record that every namespace is embedded by this model, after its vectors were made again."""
        ...

    async def reflected(self, scopes: Iterable[Scope]) -> Mapping[Scope, datetime]:
        """Return the time of the newest memory that a model was asked about, for scopes that have any."""
        ...

    async def note_reflected(self, asked: Mapping[Scope, datetime]) -> None:
        """Record up to which moment a model was asked to reflect on the memories of each scope."""
        ...


class MongoNamespaces:
    def __init__(self, database: MongoDatabase, *, layout: Layout, model: str) -> None:
        self._database = database
        self._registry = database.collection(NAMESPACES)
        self._layout = layout
        self._model = model
        self._known: set[Namespace] = set()

    async def verify(self) -> None:
        await self.verify_layout()
        other = await self._registry.find_one({"embedding_model": {"$ne": self._model}})
        if other is not None:
            raise_namespace_mismatch(_registered(other), self._layout, self._model)

    async def verify_layout(self) -> None:
        """Check the layout of all registered namespaces, for processes that embed nothing.

        Raises:
            NamespaceMismatch: a namespace has the other layout.
        """
        other = await self._registry.find_one({"layout": {"$ne": self._layout.value}})
        if other is not None:
            raise_namespace_mismatch(_registered(other), self._layout, self._model)

    async def register(self, namespaces: Iterable[Namespace]) -> None:
        fresh = [one for one in dict.fromkeys(namespaces) if one not in self._known]
        if not fresh:
            return
        await self._insert([self._document(one) for one in fresh])
        if self._layout is Layout.PER_AGENT:
            for namespace in fresh:
                await self._database.ensure_indexes_of(MEMORIES, namespace.physical_name)
        self._known.update(fresh)

    async def of_user(self, user_id: str) -> list[Namespace]:
        found = self._registry.find({"user_id": user_id})
        return [_registered(document).namespace async for document in found]

    async def everything(self) -> list[RegisteredNamespace]:
        return [_registered(document) async for document in self._registry.find({})]

    async def page(
        self, *, limit: int, after: str | None = None, user_prefix: str = ""
    ) -> list[Namespace]:
        filters: list[Document] = [{}]
        if after is not None:
            last = await self._registry.find_one({"_id": after})
            if last is None:
                raise _no_such_namespace()
            filters = _build_later_filters(_registered(last).namespace)
        by_user = [("user_id", 1), ("agent_id", 1)]
        begins = {"user_id": {"$regex": f"^{re.escape(user_prefix)}"}} if user_prefix else {}
        pages = [
            await self._registry.find({"$and": [which, begins]})
            .sort(by_user)
            .limit(limit)
            .to_list(None)
            for which in filters
        ]
        return [_registered(document).namespace for page in pages for document in page][:limit]

    async def adopt_model(self, slug: str) -> None:
        await self._registry.update_many({}, {"$set": {"embedding_model": slug}})
        self._model = slug

    async def reflected(self, scopes: Iterable[Scope]) -> Mapping[Scope, datetime]:
        wanted = list(dict.fromkeys(scopes))
        ids = {derive_namespace_id(scope.namespace) for scope in wanted}
        found = self._registry.find({"_id": {"$in": sorted(ids)}}, {"reflected": 1})
        marks = {document["_id"]: document.get("reflected", {}) async for document in found}
        moments = {
            scope: marks.get(derive_namespace_id(scope.namespace), {}).get(_project_key(scope))
            for scope in wanted
        }
        return {scope: moment for scope, moment in moments.items() if moment is not None}

    async def note_reflected(self, asked: Mapping[Scope, datetime]) -> None:
        if not asked:
            return
        marks: dict[Namespace, dict[str, datetime]] = {}
        for scope, moment in asked.items():
            marks.setdefault(scope.namespace, {})[f"reflected.{_project_key(scope)}"] = moment
        await self._registry.bulk_write(
            [
                UpdateOne({"_id": derive_namespace_id(namespace)}, {"$max": moments})
                for namespace, moments in marks.items()
            ],
            ordered=False,
        )

    async def _insert(self, documents: list[Document]) -> None:
        writes = [
            UpdateOne({"_id": document["_id"]}, {"$setOnInsert": document}, upsert=True)
            for document in documents
        ]
        try:
            await self._registry.bulk_write(writes, ordered=False)
        except BulkWriteError as error:
            # Another process registered the same namespace at the same moment.
            require_only_duplicates(error)

    def _document(self, namespace: Namespace) -> Document:
        return {
            "_id": derive_namespace_id(namespace),
            "user_id": namespace.user_id,
            "agent_id": namespace.agent_id,
            "physical_name": namespace.physical_name,
            "layout": self._layout.value,
            "embedding_model": self._model,
        }


class InMemoryNamespaces:
    def __init__(self, *, layout: Layout, model: str) -> None:
        self._layout = layout
        self._model = model
        self._registered: dict[Namespace, RegisteredNamespace] = {}
        self._reflected: dict[Scope, datetime] = {}

    async def verify(self) -> None:
        for namespace in self._registered.values():
            raise_namespace_mismatch(namespace, self._layout, self._model)

    async def register(self, namespaces: Iterable[Namespace]) -> None:
        for namespace in namespaces:
            self._registered.setdefault(
                namespace,
                RegisteredNamespace(
                    namespace=namespace,
                    physical_name=namespace.physical_name,
                    layout=self._layout,
                    embedding_model=self._model,
                ),
            )

    async def of_user(self, user_id: str) -> list[Namespace]:
        return [namespace for namespace in self._registered if namespace.user_id == user_id]

    async def everything(self) -> list[RegisteredNamespace]:
        return list(self._registered.values())

    async def page(
        self, *, limit: int, after: str | None = None, user_prefix: str = ""
    ) -> list[Namespace]:
        spaces = [space for space in self._registered if space.user_id.startswith(user_prefix)]
        ordered = sorted(spaces, key=lambda space: (space.user_id, space.agent_id or ""))
        ids = [derive_namespace_id(namespace) for namespace in ordered]
        if after is not None and after not in ids:
            raise _no_such_namespace()
        start = 0 if after is None else ids.index(after) + 1
        return ordered[start : start + limit]

    async def adopt_model(self, slug: str) -> None:
        self._model = slug
        self._registered = {
            namespace: registered_namespace.model_copy(update={"embedding_model": slug})
            for namespace, registered_namespace in self._registered.items()
        }

    async def reflected(self, scopes: Iterable[Scope]) -> Mapping[Scope, datetime]:
        return {scope: self._reflected[scope] for scope in scopes if scope in self._reflected}

    async def note_reflected(self, asked: Mapping[Scope, datetime]) -> None:
        for scope, moment in asked.items():
            if scope.namespace in self._registered:
                self._reflected[scope] = max(moment, self._reflected.get(scope, moment))


def raise_namespace_mismatch(registered: RegisteredNamespace, layout: Layout, model: str) -> None:
    """Raise an error that tells how to repair a namespace whose layout or model is not the configured one.

    Raises:
        NamespaceMismatch: the namespace has the other layout.
        EmbeddingModelMismatch: another model embedded it.
    """
    if registered.layout is not layout:
        raise NamespaceMismatch(
            f"memories lie in the layout {registered.layout.value}, and {layout.value} is "
            f"configured: set PALIMPSEST_LAYOUT={registered.layout.value}"
        )
    if registered.embedding_model != model:
        raise EmbeddingModelMismatch(
            f"memories were embedded by {registered.embedding_model}, and {model} is configured: "
            "set PALIMPSEST_EMBEDDER back, or make the vectors again with `palimpsest reindex`"
        )


def derive_namespace_id(namespace: Namespace) -> str:
    """Derive the id under which a namespace is registered."""
    return derive_id("namespace", namespace.user_id, namespace.agent_id)


def _build_later_filters(namespace: Namespace) -> list[Document]:
    """Build a filter for each part of what comes later, in order: `DatabaseLimit.NO_INDEX_UNDER_AND_OR`.

    A user's namespace without an agent comes before those with one.
    """
    agent: Document = {"$ne": None}
    if namespace.agent_id is not None:
        agent = {"$gt": namespace.agent_id}
    return [
        {"user_id": namespace.user_id, "agent_id": agent},
        {"user_id": {"$gt": namespace.user_id}},
    ]


def _no_such_namespace() -> RecordNotFound:
    return RecordNotFound("no namespace of that id to list on from")


def _project_key(scope: Scope) -> str:
    """Derive a key of the project that does not reveal it, since the key outlives an erased project."""
    return derive_id("reflected_project", scope.project_id)


def _registered(document: Document) -> RegisteredNamespace:
    return RegisteredNamespace(
        namespace=Namespace.model_construct(
            user_id=document["user_id"], agent_id=document["agent_id"]
        ),
        physical_name=document["physical_name"],
        layout=Layout(document["layout"]),
        embedding_model=document["embedding_model"],
    )
