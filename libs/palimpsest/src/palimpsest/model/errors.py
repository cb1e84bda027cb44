"""The tree of errors. The class decides what happens next: wait and retry, or dead-letter."""


class PalimpsestError(Exception):
    """An error that Palimpsest raises on purpose."""


class TransientError(PalimpsestError):
    """A dependency is not available; the same work may succeed later.

    `reason` is a short constant word for metrics.
    """

    reason = "transient"

    def __init__(self, message: str, *, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class RateExceeded(TransientError):
    """The key has sent more requests than its rate allows."""

    reason = "too_many_requests"


class PermanentError(PalimpsestError):
    """The work itself is wrong and fails every time.

    `reason` is a short constant word for metrics and dead letters. The message is for people and
    never quotes what a user said.
    """

    reason = "permanent"


class InvalidEvent(PermanentError):
    """The event breaks its contract."""

    reason = "invalid_event"


class UnknownEventType(InvalidEvent):
    """This version does not know the type of the event."""

    reason = "unknown_type"


class UnknownMajorVersion(InvalidEvent):
    """The schema_version is newer than this version reads."""

    reason = "unknown_major"


class EventTooLarge(InvalidEvent):
    """The content is above the limit."""

    reason = "too_large"


class ErasedSince(PermanentError):
    """The content of the event was erased since it came, and must not come again."""

    reason = "erased_since"


class NotStorable(InvalidEvent):
    """The event holds a kind of secret that this deployment refuses; no dead letter is stored for it."""

    reason = "not_storable"


class ConflictingDuplicate(PermanentError):
    """A known id came back with another body."""

    reason = "conflicting_duplicate"


class VersionConflict(PermanentError):
    """The write expected another version than the current one."""

    reason = "version_conflict"


class PreconditionFailed(PermanentError):
    """The request's `If-Match` names another version than the current one."""

    reason = "precondition_failed"


class EmbeddingModelMismatch(PermanentError):
    """Another model than the configured one made the stored vectors."""

    reason = "embedding_model_mismatch"


class NamespaceMismatch(PermanentError):
    """The namespace is stored in another layout than the configured one."""

    reason = "namespace_mismatch"


class RecordNotFound(PermanentError):
    """No record of this id is visible for this user."""

    reason = "not_found"


class Unauthenticated(PermanentError):
    """The request has no valid key or token."""

    reason = "unauthorized"


class PermissionMissing(PermanentError):
    """The key is known, but its permissions or reach are not enough."""

    reason = "forbidden"


class CommandRefused(PermanentError):
    """The command does not fit the current state, such as undoing what was changed again since."""

    reason = "refused"

    def __init__(self, message: str, *, reason: str, change_set_id: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.change_set_id = change_set_id
