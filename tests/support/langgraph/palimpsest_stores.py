"""A plugin of pytest that puts our store where LangGraph's own tests make one of theirs.

Loaded by name from this folder, because those tests are a package `tests` of their own.
"""

import importlib
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

import pytest
from langgraph.store.base import TTLConfig

from palimpsest.integrations.langgraph import PalimpsestStore

_INSIDE = "it looks into a store of LangGraph's, and asks it nothing"
_VECTORS = "it hands the store an embedding and compares its scores; ours embeds by itself"
_GATED = "it expects items that do not answer the query; ours finds what is relevant"

INAPPLICABLE: Mapping[str, Mapping[str, str]] = {
    "checkpoint": {
        "test_vector_store_initialization": _VECTORS,
        "test_embed_with_path": _VECTORS,
        "test_vector_search_with_filters": _GATED,
        "test_async_vector_search_with_filters": _GATED,
        "test_async_batched_vector_search_concurrent": _GATED,
    },
    "checkpoint-sqlite": {
        "test_vector_store_initialization": _VECTORS,
        "test_scores": _VECTORS,
        "test_vector_search_with_filters": _GATED,
        "test_nonnull_migrations": _INSIDE,
        "test_list_namespaces_prefix_uses_indexable_condition": _INSIDE,
        "test_sql_injection_vulnerability": "any key may be filtered by: there is no SQL",
        "test_filter_keys_with_hyphens_and_digits": "paths with dots are filters of SQLite's alone",
    },
}
"""Tests that cannot hold of a store that is not LangGraph's, by distribution, each with its reason."""


class FreshStore(PalimpsestStore):
    """A store of a user that no other test has."""

    def __init__(
        self, *, index: Mapping[str, Any] | None = None, ttl: TTLConfig | None = None
    ) -> None:
        index = index or {}
        super().__init__(
            user_id=f"langgraph {uuid.uuid4()}",
            http_url=os.environ["PALIMPSEST_URL"],
            fields=index.get("fields") or index.get("text_fields") or ("$",),
            ttl=ttl,
        )


class FreshSqliteStore(FreshStore):
    """The same with what is made and tidied where a store is a file."""

    @classmethod
    @contextmanager
    def from_conn_string(cls, _: str, **options: Any) -> Iterator[Self]:
        store = cls(**options)
        yield store
        store.close()

    def setup(self) -> None:
        """Make nothing: the services have what they need."""


def pytest_configure() -> None:
    stores = {"memory": ("InMemoryStore", FreshStore), "sqlite": ("SqliteStore", FreshSqliteStore)}
    for module, (name, ours) in stores.items():
        setattr(importlib.import_module(f"langgraph.store.{module}"), name, ours)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what cannot apply, and say which of it is no test any more."""
    inapplicable = dict(INAPPLICABLE[os.environ["LANGGRAPH_DISTRIBUTION"]])
    collected = {item.name.partition("[")[0] for item in items}
    if unknown := inapplicable.keys() - collected:
        raise pytest.UsageError(f"no test is called {', '.join(sorted(unknown))}")
    for item in items:
        if reason := inapplicable.get(item.name.partition("[")[0]):
            item.add_marker(pytest.mark.skip(reason=reason))
