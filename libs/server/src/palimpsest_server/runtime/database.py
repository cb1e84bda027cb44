"""The database that the settings name, with the keys of its sealed content."""

from palimpsest.model.errors import PermanentError
from palimpsest_server.runtime.settings import Mode, Settings
from palimpsest_server.stores.encryption.master_keys import MasterKeys, parse_master_key
from palimpsest_server.stores.mongo.database import MongoDatabase


def open_database(settings: Settings) -> MongoDatabase:
    """Open the database; the first call connects.

    Raises:
        PermanentError: the address or a key cannot be read.
    """
    return MongoDatabase(
        settings.mongodb_url.get_secret_value(),
        settings.mongodb_database,
        masters=load_master_keys(settings),
        # To delete by itself the embedded database reads whole collections while every command waits. It then
        # keeps a page it deleted from for a minute. A page that is too large by then cannot be split,
        # and every read of it waits.
        deletes_expired=settings.mode is not Mode.EMBEDDED,
        embedded=settings.mode is Mode.EMBEDDED,
    )


def load_master_keys(settings: Settings) -> MasterKeys | None:
    """Load the master keys; None if nothing is encrypted.

    Raises:
        PermanentError: a key is not 32 bytes in base64, or only older keys are given.
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
