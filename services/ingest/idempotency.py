"""Idempotency: whether a known id came back with the same body."""

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
        "in_fiction",
    }
)
"""Fields that may differ between two deliveries of one message."""


def has_lost_content(kept: Turn | AcceptedRequest, epoch: int) -> bool:
    """Tell whether no more is to be known of it than its id, in this epoch of its user's.

    What stands in its place cannot be compared with anything: so whatever comes under its id is
    the same again. The epoch says so before what was kept has gone, and what is kept says so
    before a process has heard of the epoch.
    """
    return (kept.epoch or 0) < epoch or is_erased_content(kept)


def is_same_message(kept: Turn, arrived: Turn) -> bool:
    if has_lost_content(kept, arrived.epoch):
        return True
    if arrived.project_id is None:
        # What names no project lies in that of its session.
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
    """Return what names itself by its recall or its run is the same whenever it is told."""
    if isinstance(kept, FeedbackGiven | RecallUsed | SkillRun):
        return _SAYS_NOTHING_OF_THE_BODY | {"occurred_at"}
    return _SAYS_NOTHING_OF_THE_BODY


def _message_redacted_like(turn: Turn, other: Turn) -> Turn:
    """Kept before an update, or under another policy, one may hold what the other has no more."""
    message, _ = redact_event(rebuild_message(turn), _policy_of(other))
    return build_turn(message, received_at=turn.received_at, epoch=turn.epoch)


def _policy_of(other: Turn | AcceptedRequest) -> PrivacyPolicy:
    """Return the policy that redacts exactly what was redacted then.

    Two hidden numbers may differ.
    """
    return PrivacyPolicy.only(find_redacted_kinds(other.model_dump_json()))
