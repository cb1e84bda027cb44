"""The database that the settings name, with the keys to what is sealed in it."""

from palimpsest.model.errors import PermanentError
from palimpsest_server.runtime.settings import Mode, Settings
from palimpsest_server.stores.encryption.master_keys import MasterKeys, parse_master_key
from palimpsest_server.stores.mongo.database import MongoDatabase


def open_database(settings: Settings) -> MongoDatabase:
    """Connects with the first call.

    Raises:
        PermanentError: the address cannot be read, or a key is none.
    """
    return MongoDatabase(
        settings.mongodb_url.get_secret_value(),
        settings.mongodb_database,
        masters=load_master_keys(settings),
        # The embedded one reads whole collections for it while every command waits, and then holds
        # on to a page it deleted from for a minute: too large by then, the page can't be divided,
        # and every read of it waits.
        deletes_expired=settings.mode is not Mode.EMBEDDED,
    )


def load_master_keys(settings: Settings) -> MasterKeys | None:
    """None where nothing is encrypted.

    Raises:
        PermanentError: one of them is not 32 bytes in base64, or there are only older ones.
    """
    older = [part.strip() for part in settings.encryption_older_keys.get_secret_value().split(",")]
    older = [each for each in older if each]
    if settings.encryption_key is None:
        if older:
            raise PermanentError(
                "PALIMPSEST_ENCRYPTION_OLDER_KEYS are of no use without PALIMPSEST_ENCRYPTION_KEY"
            )
        return None
    current = parse_master_key(settings.encryption_key.get_secret_value())
    return MasterKeys(current, [parse_master_key(each) for each in older])
