"""Whether a known id came back with the same body."""

from palimpsest.domain.turn import Turn
from palimpsest.stores.requests import AcceptedRequest
from services.ingest.preparing import message_of, prepared, turn_of

_SAYS_NOTHING_OF_THE_BODY = frozenset(
    {"id", "event_id", "received_at", "epoch", "sequence", "trace", "schema_version"}
)
"""What differs between two deliveries of one message, or between two ways it came in."""


def same_message(kept: Turn, arrived: Turn) -> bool:
    return _same(kept, arrived) or _same(_redacted_now(kept), arrived)


def same_request(kept: AcceptedRequest, arrived: AcceptedRequest) -> bool:
    return _same(kept, arrived) or _same(prepared(kept)[0], arrived)


def _same(kept: Turn | AcceptedRequest, arrived: Turn | AcceptedRequest) -> bool:
    return type(kept) is type(arrived) and all(
        getattr(kept, name) == getattr(arrived, name)
        for name in type(kept).model_fields.keys() - _SAYS_NOTHING_OF_THE_BODY
    )


def _redacted_now(kept: Turn) -> Turn:
    """What was kept before an update may hold what redaction takes out since."""
    message, _ = prepared(message_of(kept))
    return turn_of(message, received_at=kept.received_at, epoch=kept.epoch)
