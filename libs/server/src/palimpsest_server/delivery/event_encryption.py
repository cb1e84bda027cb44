"""Events that are sealed on their way to Kafka, and opened where they are read.

An event's type, its owner and the records that it concerns stay readable. A reader without keys
sees what happens, and no content.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from pydantic_core import from_json, to_json

from palimpsest.events.envelope import Event
from palimpsest.model.errors import InvalidEvent, PermanentError
from palimpsest_server.domain.encrypted_fields import NO_OWNER, ContentOwner, decrypt_fields
from palimpsest_server.stores.encryption.keyring import (
    SEALED_MARK,
    UserKey,
    is_sealed,
    is_sealed_text,
    read_key_id,
)
from palimpsest_server.stores.encryption.sealed_collection import ContentSealer

_SEALED = "sealed"
_MARKED = b'"sealed":true'
_BEGINNING = urlsafe_b64encode(SEALED_MARK)[: len(SEALED_MARK) * 8 // 6].decode()
"""Field of the sealed text, present only in an event that is marked as sealed."""


class EventEncryption:
    def __init__(self, sealing: ContentSealer) -> None:
        self._sealing = sealing

    async def sealed(self, event: Event) -> bytes:
        """Encode an event with all of its content sealed."""
        unsaid = None if event.event_id else {"event_id"}
        fields = event.model_dump(mode="json", exclude_none=True, exclude=unsaid)
        return await self._told(fields, ContentOwner(event.user_id, event.epoch))

    async def sealed_again(self, value: bytes) -> bytes:
        """Seal a record that was opened, as its event would be; a sealed record is returned unchanged."""
        fields = _fields(value)
        if fields is None or _SEALED in fields:
            return value
        return await self._told(fields, NO_OWNER)

    async def _told(self, fields: dict[str, Any], owner: ContentOwner) -> bytes:
        ready = await self._sealing.seal(fields, owner, plain=frozenset())
        told = decrypt_fields(ready, is_sealed, _in_its_form)
        return to_json({**told, _SEALED: True}, bytes_mode="base64")

    async def opened(self, value: bytes | None) -> bytes | None:
        """Return a record as it was before it was sealed; a record that was not sealed is returned unchanged.

        Raises:
            InvalidEvent: it holds content sealed for another user, or not by the key that it names.
        """
        if value is None or _MARKED not in value:
            return value
        fields = _fields(value)
        if fields is None or fields.pop(_SEALED, None) is not True:
            return value
        keys = await self._keys(fields)
        own = {"", fields.get("user_id")}
        if any(key.user_id not in own for key in keys):
            raise InvalidEvent("it holds what was sealed for another user")
        keyring = self._sealing.keyring
        try:
            return to_json(
                decrypt_fields(fields, _is_token, lambda value: keyring.open(_token(value)))
            )
        except PermanentError as error:
            raise InvalidEvent(str(error)) from None

    async def _keys(self, fields: dict[str, Any]) -> list[UserKey]:
        wanted: set[bytes] = set()

        def note(value: Any) -> Any:
            wanted.add(read_key_id(_token(value)))
            return value

        decrypt_fields(fields, _is_token, note)
        return await self._sealing.keyring.load(wanted)


def _fields(value: bytes) -> dict[str, Any] | None:
    try:
        fields = from_json(value, allow_inf_nan=False)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None


def _in_its_form(token: bytes) -> Any:
    """Keep free data an object, for readers without a key."""
    return token if is_sealed_text(token) else {_SEALED: token}


def _is_token(value: Any) -> bool:
    if isinstance(value, dict) and value.keys() == {_SEALED}:
        value = value[_SEALED]
    return isinstance(value, str) and value.startswith(_BEGINNING) and is_sealed(_token(value))


def _token(value: Any) -> bytes:
    text = value[_SEALED] if isinstance(value, dict) else value
    try:
        return urlsafe_b64decode(text.encode())
    except ValueError:
        return b""
