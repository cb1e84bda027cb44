"""Profiles in MongoDB."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from pymongo import UpdateOne
from pymongo.errors import BulkWriteError

from palimpsest.model.profile import Profile
from palimpsest_server.stores.collections import PROFILE_NEEDS, PROFILES
from palimpsest_server.stores.mongo.database import MongoDatabase, from_document, to_document
from palimpsest_server.stores.mongo.failures import require_only_duplicates
from palimpsest_server.stores.profiles import ProfileNeed, Profiles, find_newest_version_to_drop


class MongoProfiles:
    """Profiles in MongoDB; each version is a document, written once."""

    def __init__(self, database: MongoDatabase) -> None:
        self._profiles = database.collection(PROFILES)

    async def latest(
        self, user_ids: Iterable[str], *, agent_id: str | None = None
    ) -> Mapping[str, Profile]:
        found: dict[str, Profile] = {}
        for user_id in dict.fromkeys(user_ids):
            if versions := await self.versions(user_id, limit=1, agent_id=agent_id):
                found[user_id] = versions[0]
        return found

    async def versions(self, user_id: str, *, limit: int, agent_id: str | None = None) -> Profiles:
        # A query for null also finds a missing field, as in documents of older versions.
        own = self._profiles.find({"user_id": user_id, "agent_id": agent_id})
        latest = own.sort([("epoch", -1), ("version", -1)]).limit(limit)
        return [from_document(Profile, document) async for document in latest]

    async def write(self, profiles: Sequence[Profile]) -> None:
        if not profiles:
            return
        try:
            await self._profiles.insert_many(
                [
                    to_document(one)
                    for one in {profile.id: profile for profile in profiles}.values()
                ],
                ordered=False,
            )
        except BulkWriteError as error:
            require_only_duplicates(error)
        for profile in profiles:
            if (too_old := find_newest_version_to_drop(profile)) > 0:
                whose = {"user_id": profile.user_id, "agent_id": profile.agent_id}
                old = {"epoch": profile.epoch, "version": {"$lte": too_old}}
                await self._profiles.delete_many({**whose, **old})

    async def erase(self, user_id: str, *, before_epoch: int) -> int:
        erased = await self._profiles.delete_many(
            {"user_id": user_id, "epoch": {"$lt": before_epoch}}
        )
        return int(erased.deleted_count)


class MongoProfileNeeds:
    def __init__(self, database: MongoDatabase) -> None:
        self._needs = database.collection(PROFILE_NEEDS)

    async def note(self, needs: Sequence[ProfileNeed]) -> None:
        if needs:
            await self._needs.bulk_write(
                [
                    UpdateOne(
                        {"_id": need.id},
                        {
                            "$max": {
                                "revision": need.revision,
                                "news_revision": need.news_revision,
                                "unchecked_revision": need.unchecked_revision,
                                "told_revision": need.told_revision,
                                "epoch": need.epoch,
                            },
                            "$min": {"first_noted": need.first_noted},
                            "$set": {"look_at": need.look_at, "asked": 0},
                            "$setOnInsert": {"owner_id": need.owner_id, "agent_id": need.agent_id},
                        },
                        upsert=True,
                    )
                    for need in needs
                ]
            )

    async def due(self, *, now: datetime, limit: int) -> list[ProfileNeed]:
        found = self._needs.find({"look_at": {"$lte": now}}).sort([("look_at", 1), ("_id", 1)])
        return [from_document(ProfileNeed, document) for document in await found.to_list(limit)]

    async def later(
        self,
        need: ProfileNeed,
        *,
        look_at: datetime,
        asked: int,
        asked_at: datetime | None = None,
    ) -> None:
        if asked_at is not None:
            await self._needs.update_one({"_id": need.id}, {"$set": {"asked_at": asked_at}})
        await self._needs.update_one(
            {"_id": need.id, "revision": need.revision},
            {"$set": {"look_at": look_at, "asked": asked}},
        )

    async def met(self, need_id: str, *, revision: int) -> None:
        await self._needs.delete_one({"_id": need_id, "revision": {"$lte": revision}})
