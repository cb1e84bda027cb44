"""Errors of the client, each with a reason and the fields at fault."""

from palimpsest.api.resources import EventResults, FieldProblem, Problem
from palimpsest.model.errors import PalimpsestError


class ClientError(PalimpsestError):
    """A call that was refused or not answered."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.reason: str = problem.reason
        self.fields: tuple[FieldProblem, ...] = problem.fields
        self.change_set_id: str | None = problem.change_set_id
        self.advice: str | None = problem.advice


class InvalidRequest(ClientError):
    """A request breaks the contract; it would be refused every time."""


class RequestTooLarge(InvalidRequest):
    """A body or a record is above the limit."""


class NotAllowed(ClientError):
    """A key, a password, a certificate or an ACL is missing or wrong."""


class PermissionDenied(NotAllowed):
    """The key is known, but its permissions or its reach are not enough."""


class NotFound(ClientError):
    """No record of this id is visible for this user."""


class Conflict(ClientError):
    """A known id came with another body, or the request conflicts with the current state."""


class Unavailable(ClientError):
    """The services did not answer, or are not ready. The same call may succeed later, and is safe."""

    def __init__(self, problem: Problem, *, retry_after_seconds: float | None = None) -> None:
        super().__init__(problem)
        self.retry_after_seconds = retry_after_seconds


class TooManyRequests(Unavailable):
    """The key has sent too many requests; `retry_after_seconds` tells when the next one may come."""


class TimedOut(Unavailable):
    """The call was not answered within the client's timeout."""


class ServerFailed(ClientError):
    """The server failed unexpectedly."""


class NotConnected(ClientError):
    """The client has no address for this call, or was not entered."""


class EventsRefused(ClientError):
    """Some of the events were refused; the others were taken. `results` has one for each."""

    def __init__(self, results: EventResults) -> None:
        refused = [result for result in results.results if result.status != 202]
        problems = [result.problem for result in refused if result.problem is not None]
        message = f"{len(refused)} of {len(results.results)} events were refused"
        super().__init__(
            Problem(
                reason=problems[0].reason if problems else "refused",
                message="; ".join(
                    [message, *dict.fromkeys(problem.message for problem in problems)]
                ),
                fields=tuple(field for problem in problems for field in problem.fields),
            )
        )
        self.results = results.results


_BY_STATUS: dict[int, type[ClientError]] = {
    401: NotAllowed,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    413: RequestTooLarge,
}


def build_client_error(
    status: int, problem: Problem, *, retry_after_seconds: float | None = None
) -> ClientError:
    """Build the error for an HTTP status, or for the same status in a reply over Kafka."""
    if status == 429:
        return TooManyRequests(problem, retry_after_seconds=retry_after_seconds)
    if status in {502, 503, 504}:
        return Unavailable(problem, retry_after_seconds=retry_after_seconds)
    if status >= 500:
        return ServerFailed(problem)
    return _BY_STATUS.get(status, InvalidRequest)(problem)


def build_timeout_error(
    seconds: float, whom: str, *, before: Unavailable | None = None
) -> TimedOut:
    """Build the error of an attempt that was cut off; `before` is the error of the attempt before it."""
    words = f"no answer within {seconds:g} s from {whom}"
    if before is not None:
        words += f"; the try before: {before}"
    return TimedOut(Problem(reason="timed_out", message=words))
