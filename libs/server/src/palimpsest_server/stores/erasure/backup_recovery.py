"""Reapply erasures after an older backup was restored, by the epochs in users' keys.

The keys must be the current ones, not those of the backup, as the operators' pages ask. If the stored
epoch of a user is lower than their keys tell, new content would be sealed with a destroyed key and
be lost silently.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from palimpsest.model.erasure import Erasure
from palimpsest.model.identifiers import derive_id
from palimpsest_server.stores.collections import CHANGE_SETS, KEYS
from palimpsest_server.stores.decided_erasures import DecidedErasure, MongoErasures
from palimpsest_server.stores.epochs import MongoEpochs
from palimpsest_server.stores.mongo.database import MongoDatabase

_LATER_OR_DESTROYED: Mapping[str, Any] = {
    "$or": [{"epoch": {"$gt": 0}}, {"wrapped": {"$exists": False}}]
}


async def reapply_erasures(database: MongoDatabase, *, now: datetime) -> int:
    """Erase again what the backup brought back; return the number of users.

    If the call is interrupted or runs several times at once, the same erasure is decided twice.
    """
    if database.sealing is None:
        return 0
    seen = await _epochs_seen(database)
    epochs = MongoEpochs(database)
    stand = await epochs.of(seen)
    behind = {user: epoch for user, epoch in seen.items() if stand[user] < epoch}
    for user_id, epoch in behind.items():
        await MongoErasures(database).put([await _erasure(database, user_id, epoch, now)])
        # The epoch is raised last: until then the next start repeats all of it.
        await epochs.raise_to(user_id, epoch)
    return len(behind)


async def _epochs_seen(database: MongoDatabase) -> Mapping[str, int]:
    """Return the lowest epoch that each user can have, as far as it is above 0, read from the keys.

    A destroyed key tells that the user's epoch is above the key's.
    """
    seen: dict[str, int] = {}
    async for key in database.collection(KEYS).find(dict(_LATER_OR_DESTROYED)):
        epoch = key["epoch"] + (key.get("wrapped") is None)
        seen[key["user_id"]] = max(epoch, seen.get(key["user_id"], 0))
    return seen


async def _erasure(
    database: MongoDatabase, user_id: str, epoch: int, now: datetime
) -> DecidedErasure:
    latest = (
        await database.collection(CHANGE_SETS)
        .find({"user_id": user_id}, {"revision": 1})
        .sort([("revision", -1)])
        .limit(1)
        .to_list(1)
    )
    return DecidedErasure(
        id=derive_id("forgotten again", user_id, str(epoch), now.isoformat()),
        user_id=user_id,
        revision=latest[0]["revision"] + 1 if latest else 1,
        decided_at=now,
        known_since=now,
        erasure=Erasure(everything=True, epoch=epoch),
    )
