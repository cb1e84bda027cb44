"""Encodes events as a client sends them."""

from collections.abc import Iterator, Sequence

from palimpsest.api.problems import build_body_too_large_problem
from palimpsest.client.errors import RequestTooLarge
from palimpsest.events.envelope import Event

MAXIMUM_BODY_BYTES = 4 * 1024 * 1024
"""The largest body that a server takes by default."""

_BATCH_EVENTS = 500
_BATCH_BYTES = 1024 * 1024
# A server answers when everything in a body is stored: smaller bodies are answered earlier.

_OPENING, _CLOSING = b'{"events":[', b"]}"


def encode_client_event(event: Event) -> bytes:
    """Encode an event as JSON without empty fields and without fields that only a server sets."""
    return event.model_dump_json(
        exclude_none=True, exclude={"received_at", "epoch", "vectors"}
    ).encode()


def split_into_bodies(events: Sequence[Event]) -> Iterator[bytes]:
    """Yield bodies for `POST /v1/events`, in order, of at most 500 events or about 1 MiB each.

    Raises:
        RequestTooLarge: one event alone is more than a server takes.
    """
    batch: list[bytes] = []
    size = 0
    for event in events:
        item = encode_client_event(event)
        if len(_OPENING) + len(item) + len(_CLOSING) > MAXIMUM_BODY_BYTES:
            raise RequestTooLarge(build_body_too_large_problem(MAXIMUM_BODY_BYTES))
        if batch and (len(batch) == _BATCH_EVENTS or size + len(item) > _BATCH_BYTES):
            yield _body(batch)
            batch, size = [], 0
        batch.append(item)
        size += len(item)
    if batch:
        yield _body(batch)


def _body(items: Sequence[bytes]) -> bytes:
    return _OPENING + b",".join(items) + _CLOSING
