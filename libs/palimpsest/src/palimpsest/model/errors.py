"""One tree of errors. The class decides what happens next: wait and retry, or dead-letter."""


class PalimpsestError(Exception):
    """Anything Palimpsest raises on purpose."""


class TransientError(PalimpsestError):
    """The world was not ready; the same work may succeed later.

    `reason` is a short constant word for metrics, as below.
    """

    reason = "transient"

    def __init__(self, message: str, *, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class RateExceeded(TransientError):
    """A request too many within the time that a key's rate is counted in."""

    reason = "too_many_requests"


class PermanentError(PalimpsestError):
    """The work itself is wrong and will fail every time.

    `reason` is a short constant word for metrics and dead letters; the message
    is for people and never quotes what a user said.
    """

    reason = "permanent"


class InvalidEvent(PermanentError):
    """An event that breaks its contract."""

    reason = "invalid_event"


class UnknownEventType(InvalidEvent):
    """A type this version has never heard of."""

    reason = "unknown_type"


class UnknownMajorVersion(InvalidEvent):
    """A schema_version newer than this version reads."""

    reason = "unknown_major"


class EventTooLarge(InvalidEvent):
    """Content above the limit."""

    reason = "too_large"


class ErasedSince(PermanentError):
    """It came before, and what it said was erased since: it must not come again."""

    reason = "erased_since"


class NotStorable(InvalidEvent):
    """It says what this deployment keeps nothing of: neither the event nor a dead letter shows it."""

    reason = "not_storable"


class ConflictingDuplicate(PermanentError):
    """A known id that came back with another body."""

    reason = "conflicting_duplicate"


class VersionConflict(PermanentError):
    """A write that expected another version than the one that stands."""

    reason = "version_conflict"


class PreconditionFailed(PermanentError):
    """A request whose `If-Match` names another version than the one that stands."""

    reason = "precondition_failed"


class EmbeddingModelMismatch(PermanentError):
    """Stored vectors were made by another model than the one configured."""

    reason = "embedding_model_mismatch"


class NamespaceMismatch(PermanentError):
    """A namespace that was laid out otherwise than is configured."""

    reason = "namespace_mismatch"


class RecordNotFound(PermanentError):
    """Nothing stands under this id for this user."""

    reason = "not_found"


class Unauthenticated(PermanentError):
    """A request without a key or token that opens anything."""

    reason = "unauthorized"


class PermissionMissing(PermanentError):
    """A request with a key that is known, and whose permissions or reach are not enough."""

    reason = "forbidden"


class CommandRefused(PermanentError):
    """A command that does not fit what stands, such as undoing what was changed again since."""

    reason = "refused"

    def __init__(self, message: str, *, reason: str, change_set_id: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.change_set_id = change_set_id
