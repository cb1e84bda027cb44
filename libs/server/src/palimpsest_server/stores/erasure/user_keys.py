"""Destroy a user's keys after all other erasures, so that backups and Kafka become unreadable."""

from palimpsest.model.errors import TransientError
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.encryption.keyring import Keyring

OWN_STAGE = "consolidator"


class KeyEraser:
    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring

    async def erase(self, decided: DecidedErasure) -> None:
        """Destroy the user's keys, last of all, because other erasers still read sealed content.

        Raises:
            TransientError: another stage has not completed the erasure.
        """
        if not decided.erasure.everything:
            return
        if set(decided.waiting_for) - {OWN_STAGE}:
            raise TransientError("keys are destroyed when every stage has erased what it keeps")
        await self._keyring.destroy(decided.user_id, before_epoch=decided.erasure.epoch)
