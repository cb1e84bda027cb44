"""Classification of errors: transient errors may pass, permanent errors recur every time."""

import sys

from aiokafka.errors import KafkaError
from httpx import TransportError
from pymongo.errors import PyMongoError

from palimpsest.model.errors import PalimpsestError, PermanentError, TransientError
from palimpsest_server.error_places import locate_error
from palimpsest_server.stores.mongo.failures import is_transient_mongo_error

_PASSING: tuple[type[Exception], ...] = (
    TransientError,
    KafkaError,
    TransportError,
    ConnectionError,
    TimeoutError,
)


def is_transient(error: BaseException) -> bool:
    """Return whether the same work may succeed later, as when a server is away, overloaded or electing."""
    if isinstance(error, PalimpsestError):
        return isinstance(error, TransientError)
    if isinstance(error, PyMongoError):
        return is_transient_mongo_error(error)
    return isinstance(error, _PASSING) or _is_transient_at_qdrant(error)


def _is_transient_at_qdrant(error: BaseException) -> bool:
    # The client takes a second to load. If it is not loaded, the error cannot be the client's.
    exceptions = sys.modules.get("qdrant_client.http.exceptions")
    if exceptions is None:
        return False
    if isinstance(error, exceptions.UnexpectedResponse):
        return error.status_code is not None and (
            error.status_code in (401, 403, 408, 429) or error.status_code >= 500
        )
    return isinstance(error, exceptions.ResponseHandlingException)


def get_error_reason(error: BaseException) -> str:
    """Return a short constant word for metrics and dead letters."""
    if isinstance(error, PermanentError | TransientError):
        return error.reason
    return "transient" if is_transient(error) else "unexpected"


def describe_error(error: BaseException) -> str:
    """Return a description for people: our own words, or the name of a library's error.

    Messages of libraries quote their input, which may be a user's words.
    """
    return str(error) if isinstance(error, PalimpsestError) else type(error).__name__


def describe_failure(error: BaseException) -> dict[str, str | None]:
    """Return log fields of an error: `error` describes it, `at` is the place in our code."""
    return {"error": describe_error(error), "at": locate_error(error)}
