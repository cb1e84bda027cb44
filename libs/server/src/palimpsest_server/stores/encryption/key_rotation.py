"""Rewrap every user's key with the current master key, so that older master keys can be discarded.

One write replaces a key's wrapping, on condition that nobody else changed the key. A key destroyed
meanwhile stays destroyed. If the rotation is interrupted, each key is in its old or its new
wrapping, and both can be opened.
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from palimpsest_server.stores.encryption.master_keys import MasterKeys, UnknownMasterKey

KEYS_PER_PAGE = 256

_LIVING: Mapping[str, Any] = {"wrapped": {"$exists": True}}


@dataclass
class RewrapProgress:
    """The progress of a key rotation; in a dry run, the work to do."""

    current: int = 0
    """Keys already wrapped by the current master key."""
    rewrapped: int = 0
    """Keys rewrapped; in a dry run, keys to be rewrapped."""
    gone: int = 0
    """Keys destroyed, or rewrapped by another process, between reading and writing."""
    unreadable: Counter[str] = field(default_factory=Counter)
    """Keys wrapped by a master key that is not known here, by its name. They stay unchanged."""

    @property
    def seen(self) -> int:
        return self.current + self.rewrapped + self.gone + self.unreadable.total()


async def count_keys(keys: Any) -> int:
    """Count the keys that were not destroyed; `keys` is their raw collection."""
    count: int = await keys.count_documents(dict(_LIVING))
    return count


async def rewrap_user_keys(
    keys: Any,
    masters: MasterKeys,
    *,
    dry_run: bool = False,
    step: Callable[[RewrapProgress], None] = lambda _: None,
) -> RewrapProgress:
    """Rewrap all keys, or only count them in a dry run. `step` is called after each key."""
    done = RewrapProgress()
    async for document in _all(keys):
        await _one(keys, document, masters, done, dry_run=dry_run)
        step(done)
    return done


async def _one(
    keys: Any,
    document: Mapping[str, Any],
    masters: MasterKeys,
    done: RewrapProgress,
    *,
    dry_run: bool,
) -> None:
    key_id = UUID(document["_id"]).bytes
    try:
        key = masters.unwrapped(document, key_id)
    except UnknownMasterKey:
        done.unreadable[document.get("wrapped_by") or "unnamed"] += 1
        return
    if document.get("wrapped_by") == masters.current:
        done.current += 1
        return
    if dry_run:
        done.rewrapped += 1
        return
    as_read = {"_id": document["_id"], "wrapped": document["wrapped"]}
    answer = await keys.update_one(as_read, {"$set": masters.wrapped(key, key_id)})
    if answer.matched_count:
        done.rewrapped += 1
    else:
        done.gone += 1


async def _all(keys: Any) -> AsyncIterator[Mapping[str, Any]]:
    """Yield keys by id, a page at a time; keys made meanwhile have the current wrapping."""
    after = ""
    while (
        page := await keys.find({"_id": {"$gt": after}, **_LIVING})
        .sort("_id", 1)
        .limit(KEYS_PER_PAGE)
        .to_list(KEYS_PER_PAGE)
    ):
        for document in page:
            yield document
        after = page[-1]["_id"]
