"""Items of LangGraph as memories: their keys, tags, words and ends."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.store.base import (
    Item,
    ListNamespacesOp,
    PutOp,
    SearchItem,
    SearchOp,
    get_text_at_path,
    tokenize_path,
)
from langgraph.store.memory import InMemoryStore
from pydantic_core import from_json, to_json

from palimpsest.client.call_fields import AddFields
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Memory, MemorySource

Namespace = tuple[str, ...]

_FIELD = "langgraph"
"""The field of a memory's data that holds an item."""


def name_record(namespace: Namespace, key: str) -> str:
    """Return the key of an item's memory."""
    return derive_id("langgraph item", *namespace, key)


def name_prefix(prefix: Namespace) -> str:
    """Return the tag of all items under a prefix; derived, because tags do not tell cases apart."""
    return derive_id("langgraph prefix", *prefix)


def write_item(op: PutOp) -> AddFields:
    """Return the fields of an item's memory beside its words."""
    item = {"namespace": op.namespace, "key": op.key, "value": op.value, "ttl": op.ttl}
    # As JSON has it, so that a tuple is the list that it is read as.
    data = from_json(to_json({**item, "searched": op.index is not False}))
    return {
        "record_key": name_record(op.namespace, op.key),
        "tags": [name_prefix(op.namespace[:end]) for end in range(len(op.namespace) + 1)],
        "data": {_FIELD: data},
        "expires_at": _end(op.ttl),
        "source": MemorySource.DATA_ANALYSIS,
    }


def read_item(memory: Memory, score: float | None = None) -> SearchItem:
    """Return the item of a memory."""
    item = memory.data[_FIELD]
    return SearchItem(
        namespace=tuple(item["namespace"]),
        key=item["key"],
        value=item["value"],
        created_at=memory.recorded_at,
        updated_at=max(memory.recorded_at, memory.occurred_at),
        score=score,
    )


def find_place(memory: Memory) -> tuple[Namespace, str]:
    """Return the namespace and the key of a memory's item."""
    item = memory.data[_FIELD]
    return tuple(item["namespace"]), item["key"]


def is_standing(memory: Memory) -> bool:
    """Tell whether a memory is an item that has not ended; maintenance forgets ended ones later."""
    return _FIELD in memory.data and not (
        memory.expires_at is not None and memory.expires_at <= datetime.now(UTC)
    )


def is_searched(memory: Memory) -> bool:
    return bool(memory.data[_FIELD]["searched"])


def find_end(memory: Memory) -> datetime | None:
    """Return when an item ends that is read now; None if it never ends."""
    return _end(memory.data[_FIELD]["ttl"])


def _end(minutes: float | None) -> datetime | None:
    return None if minutes is None else datetime.now(UTC) + timedelta(minutes=minutes)


def find_words(op: PutOp, fields: Sequence[str]) -> str:
    """Return the words by which an item is found; its key where it has none."""
    paths = fields if op.index is None else op.index or ()
    texts = [text for path in paths for text in _texts_at(op.value, path)]
    return "\n".join(text for text in texts if text.strip()) or op.key


def _texts_at(value: Any, path: str) -> Iterable[str]:
    return _say(value) if path == "$" else get_text_at_path(value, tokenize_path(path))


def _say(value: Any, name: str = "") -> Iterator[str]:
    """Yield the texts in a value; other leaves with their name, which they say little without."""
    match value:
        case str():
            yield value
        case dict():
            for own, part in value.items():
                yield from _say(part, own)
        case list() | tuple():
            for part in value:
                yield from _say(part, name)
        case _ if value is not None:
            yield f"{name} {value}"


def filter_items(items: Iterable[Item], op: SearchOp) -> set[tuple[Namespace, str]]:
    """Return the places of the items that a filter takes, as LangGraph's own store decides it."""
    copy = _copy(items)
    found = copy.search(tuple(op.namespace_prefix), filter=op.filter, limit=_EVERYTHING)
    return {(item.namespace, item.key) for item in found}


def list_namespaces(items: Iterable[Item], op: ListNamespacesOp) -> list[Namespace]:
    """Return the namespaces of items as LangGraph's own store lists them."""
    found: Any = _copy(items).batch([op])[0]
    return list(found)


def find_common_prefix(op: ListNamespacesOp) -> Namespace:
    """Return the labels that all listed namespaces begin with."""
    for condition in op.match_conditions or ():
        if condition.match_type == "prefix":
            path = tuple(condition.path)
            return path[: path.index("*")] if "*" in path else path
    return ()


_EVERYTHING = 1_000_000


def _copy(items: Iterable[Item]) -> InMemoryStore:
    store = InMemoryStore()
    store.batch([PutOp(item.namespace, item.key, item.value) for item in items])
    return store
