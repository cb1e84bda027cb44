"""Translate errors of the vendors' clients into our own. Both clients have the same tree of errors.

Their messages are never repeated, because they quote their input.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from email.utils import parsedate_to_datetime
from types import ModuleType

from palimpsest.model.clock import Clock
from palimpsest.model.errors import PalimpsestError
from palimpsest_server.models.model_errors import (
    ModelNotAuthorised,
    ModelNotAvailable,
    ModelServerError,
    ModelTimedOut,
    ModelUnreachable,
    NoSuchModel,
    PromptRefused,
    QuotaExhausted,
    RateLimited,
    UnreadableResponse,
)

PATIENCE_SECONDS = 20.0
"""Wait after a 429 that does not say how long."""

OPERATORS_SECONDS = 300.0
"""Wait before a refused key, account or model name is tried again."""

_OPERATORS: dict[int, type[ModelNotAvailable]] = {
    401: ModelNotAuthorised,
    402: QuotaExhausted,
    403: ModelNotAuthorised,
    404: NoSuchModel,
}

_OVERLOADED = 529
"""Anthropic's own status code."""

_OUT_OF_QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


@contextmanager
def translate_vendor_errors(sdk: ModuleType, vendor: str, clock: Clock) -> Iterator[None]:
    """Raise our errors in place of those that this SDK raises inside the block."""
    try:
        yield
    except PalimpsestError:
        raise
    except sdk.APITimeoutError:
        raise ModelTimedOut(f"{vendor} did not answer in time") from None
    except sdk.APIStatusError as error:
        raise build_status_error(
            error.status_code, error.response.headers, error.body, vendor=vendor, now=clock()
        ) from None
    except sdk.APIConnectionError:
        raise ModelUnreachable(f"{vendor} cannot be reached") from None
    except (sdk.APIError, ValueError, TypeError, AttributeError, LookupError) as error:
        # Clients build values unchecked, so a foreign response body fails when it is read.
        raise UnreadableResponse(
            f"{vendor} sent what is no answer of its kind ({type(error).__name__})"
        ) from error


def build_status_error(
    status: int, headers: Mapping[str, str], body: object, *, vendor: str, now: datetime
) -> PalimpsestError:
    """Return the error for an HTTP status of 400 or more."""
    words = f"{vendor} answered {status}"
    asked = parse_retry_after_seconds(headers, now)
    if status == 429 and _code(body) in _OUT_OF_QUOTA:
        return QuotaExhausted(words, retry_after_seconds=OPERATORS_SECONDS)
    if status in (429, _OVERLOADED) or (status == 503 and asked):
        return RateLimited(words, retry_after_seconds=asked or PATIENCE_SECONDS)
    if status in _OPERATORS:
        return _OPERATORS[status](words, retry_after_seconds=OPERATORS_SECONDS)
    if status in (408, 409) or status >= 500:
        return ModelServerError(words, retry_after_seconds=asked)
    return PromptRefused(words)


def parse_retry_after_seconds(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds after which the server may be asked again.

    None if the headers do not tell.
    """
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(float(milliseconds) / 1000, 0.0)
        asked = headers.get("retry-after")
        if not asked:
            return None
        if asked.strip()[:1].isdigit():
            return float(asked)
        return max((parsedate_to_datetime(asked) - now).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return None


def _code(body: object) -> str | None:
    if not isinstance(body, Mapping):
        return None
    inner = body.get("error")
    known = inner if isinstance(inner, Mapping) else body
    return next((str(known[each]) for each in ("code", "type") if known.get(each)), None)
