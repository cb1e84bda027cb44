"""Idempotency: tells whether a known id came back with the same body."""

from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.events.skills import SkillRun
from palimpsest.model.turn import Turn
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_language.redaction.redactor import find_redacted_kinds
from palimpsest_server.stores.accepted_requests import AcceptedRequest
from palimpsest_server.stores.erasure.ingest import is_erased_content
from services.ingest.redact_events import redact_event
from services.ingest.turn_conversion import build_turn, rebuild_message

_SAYS_NOTHING_OF_THE_BODY = frozenset(
    {
        "id",
        "event_id",
        "received_at",
        "epoch",
        "sequence",
        "trace",
        "schema_version",
        "utc_offset_minutes",
        "withheld",
        "understood",
        "in_fiction",
    }
)
"""Fields that may differ between two deliveries of the same event."""


def has_lost_content(kept: Turn | AcceptedRequest, epoch: int) -> bool:
    """Tell whether only the id is left of a stored event, in this epoch of its user.

    An erased event cannot be compared, so any event with its id counts as the same. The epoch tells
    before the content is erased. The erased content tells before a process knows the new epoch.
    """
    return (kept.epoch or 0) < epoch or is_erased_content(kept)


def is_same_message(kept: Turn, arrived: Turn) -> bool:
    if has_lost_content(kept, arrived.epoch):
        return True
    if arrived.project_id is None:
        # A message without a project belongs to the project of its session.
        arrived = arrived.model_copy(update={"project_id": kept.project_id})
    return _same(kept, arrived) or _same(
        _message_redacted_like(kept, arrived), _message_redacted_like(arrived, kept)
    )


def is_same_request(kept: AcceptedRequest, arrived: AcceptedRequest) -> bool:
    if has_lost_content(kept, arrived.epoch or 0):
        return True
    return _same(kept, arrived) or _same(
        redact_event(kept, _policy_of(arrived))[0], redact_event(arrived, _policy_of(kept))[0]
    )


def _same(kept: Turn | AcceptedRequest, arrived: Turn | AcceptedRequest) -> bool:
    return type(kept) is type(arrived) and all(
        getattr(kept, name) == getattr(arrived, name)
        for name in type(kept).model_fields.keys() - _passed_over(kept)
    )


def _passed_over(kept: Turn | AcceptedRequest) -> frozenset[str]:
    """Return the fields to ignore; also the time of events that are named by a recall or a run."""
    if isinstance(kept, FeedbackGiven | RecallUsed | SkillRun):
        return _SAYS_NOTHING_OF_THE_BODY | {"occurred_at"}
    return _SAYS_NOTHING_OF_THE_BODY


def _message_redacted_like(turn: Turn, other: Turn) -> Turn:
    """Redact a turn like another one, which was stored by an earlier version or another policy."""
    message, _ = redact_event(rebuild_message(turn), _policy_of(other))
    return build_turn(message, received_at=turn.received_at, epoch=turn.epoch)


def _policy_of(other: Turn | AcceptedRequest) -> PrivacyPolicy:
    """Return the policy that redacts exactly the kinds that are redacted in `other`."""
    return PrivacyPolicy.only(find_redacted_kinds(other.model_dump_json()))
