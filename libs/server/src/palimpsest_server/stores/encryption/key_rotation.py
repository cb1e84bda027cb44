"""Every user's key into a wrapping of the current master key, so that older ones can be thrown away.

A key changes its wrapping in one write, which asks that nothing else changed it:
what was destroyed meanwhile stays destroyed, and whatever ends this in the
middle leaves each key in one wrapping or in the other, both of which open.
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
    """Were in a wrapping of the current master key already."""
    rewrapped: int = 0
    """Are now; of a dry run, would be."""
    gone: int = 0
    """Were destroyed, or rewrapped by somebody else, between reading and writing."""
    unreadable: Counter[str] = field(default_factory=Counter)
    """By the name of a master key that is not known here: they stay as they are."""

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
    """Rewrap all keys, or only count. `step` is called after each."""
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
