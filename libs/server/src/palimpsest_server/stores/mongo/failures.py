"""Classify MongoDB's errors: transient, or only a sign that the document exists."""

from typing import Any

from pymongo.errors import (
    AutoReconnect,
    BulkWriteError,
    ConnectionFailure,
    CursorNotFound,
    ExecutionTimeout,
    NotPrimaryError,
    OperationFailure,
    PyMongoError,
    WriteConcernError,
)

DUPLICATE_KEY = 11000
"""Error code of a write that a unique index refused."""

_PASSING: tuple[type[PyMongoError], ...] = (
    AutoReconnect,
    ConnectionFailure,
    CursorNotFound,
    ExecutionTimeout,
    NotPrimaryError,
    # The write was done, but not yet by a majority; repeating it waits for the majority again.
    WriteConcernError,
)

_PASSING_LABELS = ("TransientTransactionError", "RetryableWriteError", "RetryableError")

_PASSING_CODES = frozenset(
    {
        1,  # InternalError: DatabaseLimit.FULL_DISK_IS_INTERNAL_ERROR
        6,  # HostUnreachable
        7,  # HostNotFound
        13,  # Unauthorized: caused by the operator, not by an event
        18,  # AuthenticationFailed
        24,  # LockTimeout
        63,  # StaleShardVersion
        89,  # NetworkTimeout
        91,  # ShutdownInProgress
        112,  # WriteConflict
        133,  # FailedToSatisfyReadPreference
        134,  # ReadConcernMajorityNotAvailableYet
        150,  # StaleEpoch
        175,  # QueryPlanKilled
        189,  # PrimarySteppedDown
        202,  # NetworkInterfaceExceededTimeLimit
        246,  # SnapshotUnavailable
        262,  # ExceededTimeLimit
        391,  # ReauthenticationRequired
        9001,  # SocketException
        10107,  # NotWritablePrimary
        11600,  # InterruptedAtShutdown
        11601,  # Interrupted
        11602,  # InterruptedDueToReplStateChange
        13388,  # StaleConfig
        13435,  # NotPrimaryNoSecondaryOk
        13436,  # NotPrimaryOrSecondary
        14031,  # OutOfDiskSpace
    }
)
"""Codes that describe the state of the server, never the request."""


def is_transient_mongo_error(error: PyMongoError) -> bool:
    """Return whether the same call may succeed later, as when a server is away, full or electing a primary."""
    if isinstance(error, _PASSING) or any(map(error.has_error_label, _PASSING_LABELS)):
        return True
    if isinstance(error, BulkWriteError):
        writes, concerns = _failures(error)
        grave = [write for write in writes if write.get("code") != DUPLICATE_KEY]
        return bool(grave or concerns) and all(each.get("code") in _PASSING_CODES for each in grave)
    return isinstance(error, OperationFailure) and error.code in _PASSING_CODES


def require_only_duplicates(error: BulkWriteError) -> list[dict[str, Any]]:
    """Return the writes that a unique index refused.

    Any other failure is raised again. So is a failed write concern, because then no write of the batch
    can be relied on.
    """
    refused, concerns = _failures(error)
    if not refused or concerns or any(each.get("code") != DUPLICATE_KEY for each in refused):
        raise error
    return refused


def _failures(error: BulkWriteError) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    details = error.details or {}
    return list(details.get("writeErrors", ())), list(details.get("writeConcernErrors", ()))
