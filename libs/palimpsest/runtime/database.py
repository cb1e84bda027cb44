"""The database that the settings name, with the key to what is sealed in it."""

from palimpsest.runtime.settings import Settings
from palimpsest.stores.keys import master_key_of
from palimpsest.stores.mongo import MongoDatabase


def database_of(settings: Settings) -> MongoDatabase:
    """Connects with the first call.

    Raises:
        PermanentError: the address cannot be read, or the key is none.
    """
    key = settings.encryption_key
    return MongoDatabase(
        settings.mongodb_url.get_secret_value(),
        settings.mongodb_database,
        master_key=None if key is None else master_key_of(key.get_secret_value()),
    )
