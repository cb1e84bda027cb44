"""Settings of users, each with the revision of the change set that set them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pymongo import UpdateOne
from pymongo.errors import BulkWriteError

from palimpsest.model.user import UserSettings
from palimpsest_server.stores.collections import SETTINGS
from palimpsest_server.stores.mongo.database import MongoDatabase, from_document
from palimpsest_server.stores.mongo.failures import require_only_duplicates


@dataclass(frozen=True, kw_only=True)
class SettingsRevision:
    """Settings as of one revision of their user."""

    user_id: str
    revision: int
    settings: UserSettings


class UserSettingsStore(Protocol):
    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserSettings]:
        """Return the settings of each user; the defaults for a user who changed none."""
        ...

    async def write(self, settings: Sequence[SettingsRevision]) -> None:
        """Write each user's settings, unless settings of the same or a later revision are stored."""
        ...


class MongoUserSettings:
    def __init__(self, database: MongoDatabase) -> None:
        self._settings = database.collection(SETTINGS)

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserSettings]:
        settings = {user_id: UserSettings() for user_id in user_ids}
        found = self._settings.find({"_id": {"$in": list(settings)}})
        for document in await found.to_list(None):
            settings[document["_id"]] = from_document(UserSettings, document)
        return settings

    async def write(self, settings: Sequence[SettingsRevision]) -> None:
        if not settings:
            return
        # If a later revision is stored, the filter misses and the insert collides.
        writes = [
            UpdateOne(
                {"_id": newest_setting.user_id, "revision": {"$lt": newest_setting.revision}},
                {
                    "$set": {
                        **newest_setting.settings.model_dump(mode="json"),
                        "revision": newest_setting.revision,
                    }
                },
                upsert=True,
            )
            for newest_setting in pick_newest_settings(settings)
        ]
        try:
            await self._settings.bulk_write(writes, ordered=False)
        except BulkWriteError as error:
            require_only_duplicates(error)


class InMemoryUserSettings:
    def __init__(self) -> None:
        self._settings: dict[str, SettingsRevision] = {}

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserSettings]:
        return {
            user_id: self._settings[user_id].settings
            if user_id in self._settings
            else UserSettings()
            for user_id in user_ids
        }

    async def write(self, settings: Sequence[SettingsRevision]) -> None:
        for newest_setting in pick_newest_settings([*self._settings.values(), *settings]):
            self._settings[newest_setting.user_id] = newest_setting


def pick_newest_settings(settings: Iterable[SettingsRevision]) -> list[SettingsRevision]:
    """Return the settings of each user's latest revision; of equal revisions the first."""
    by_user: dict[str, SettingsRevision] = {}
    for setting in settings:
        standing = by_user.get(setting.user_id)
        if standing is None or standing.revision < setting.revision:
            by_user[setting.user_id] = setting
    return list(by_user.values())
