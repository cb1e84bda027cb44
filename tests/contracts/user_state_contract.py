"""The promises of every store of settings and epochs."""

from palimpsest.model.user import Language, SharingPolicy, UserSettings
from palimpsest_server.stores.epochs import EpochStore
from palimpsest_server.stores.user_settings import SettingsRevision, UserSettingsStore

SHANGHAI = UserSettings(time_zone="Asia/Shanghai")
CHINESE = UserSettings(
    language=Language.CHINESE, sharing_policy=SharingPolicy.USER_LEVEL, memory_enabled=False
)


def at(revision: int, settings: UserSettings, user_id: str = "alice") -> SettingsRevision:
    return SettingsRevision(user_id=user_id, revision=revision, settings=settings)


class UserSettingsStoreContract:
    async def test_nothing_settled_is_the_defaults(self, store: UserSettingsStore) -> None:
        assert await store.of(["alice"]) == {"alice": UserSettings()}
        assert await store.of([]) == {}

    async def test_settings_are_each_users_own(self, store: UserSettingsStore) -> None:
        await store.write([at(1, CHINESE), at(1, SHANGHAI, "bob")])
        assert await store.of(["alice", "bob"]) == {"alice": CHINESE, "bob": SHANGHAI}

    async def test_the_latest_revision_stands_whatever_comes_after(
        self, store: UserSettingsStore
    ) -> None:
        await store.write([at(5, CHINESE), at(7, SHANGHAI)])
        await store.write([at(5, CHINESE), at(6, UserSettings())])
        assert (await store.of(["alice"]))["alice"] == SHANGHAI
        await store.write([])


class EpochStoreContract:
    async def test_epochs_only_rise(self, store: EpochStore) -> None:
        assert await store.of(["alice", "bob"]) == {"alice": 0, "bob": 0}
        await store.raise_to("alice", 2)
        await store.raise_to("alice", 1)
        assert await store.of(["alice", "bob"]) == {"alice": 2, "bob": 0}
