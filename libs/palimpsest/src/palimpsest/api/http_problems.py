"""Errors over HTTP in the form of RFC 9457, with advice by the error's reason or by its status.

A client only reads problems, so it does not load this module.
"""

from collections.abc import Mapping
from http import HTTPStatus

from palimpsest.api.resources import HttpProblem, Problem

PROBLEM_MEDIA_TYPE = "application/problem+json"
PROBLEM_TYPE_PREFIX = "urn:palimpsest:problem:"
"""Prefix of the URI of each kind of problem; the reason follows it."""

_BY_REASON: Mapping[str, str] = {
    "invalid": "Correct what `fields` names and send it again; /openapi.json describes every field.",
    "invalid_event": "Correct what `fields` names and send the event again under the same id.",
    "unknown_type": "Use one of the types of events that /openapi.json lists for POST /v1/events.",
    "unknown_major": "Send the event in a schema version that this server reads, or upgrade the server.",
    "too_large": "Send less at once: fewer events in a batch, or a long message in several parts.",
    "not_storable": "Take secrets and card numbers out, or change what the deployment refuses to store.",
    "erased_since": "Leave it out: its user had it erased, and it is not taken in again.",
    "conflicting_duplicate": (
        "Send a new request under a new id or Idempotency-Key; to repeat one, repeat its body too."
    ),
    "version_conflict": "Read the record again, make the change on what it says now, and send that.",
    "precondition_failed": "Read the record again and send its new ETag in `If-Match`.",
    "changed_meanwhile": "Read the memory again, make the edit on what it says now, and send that.",
    "changed_since": "Undo the later change that `change_set_id` names first, or edit the memory by hand.",
    "not_found": (
        "Check the id, and that user_id, agent_id and project_id are those that it was made with."
    ),
    "unauthorized": "Send a valid key or token as `Authorization: Bearer …`.",
    "forbidden": "Ask with a key that allows this, or name the agent_id that the key is for.",
    "not_allowed": "Look at the status of the memory: its history says what can become of it from there.",
    "not_open": "List the open todos; reopen this one first if it is to be done after all.",
    "time_is_past": "Send a time that is still ahead, with the time zone that it is meant in.",
    "purged": "Nothing brings it back; state it anew if it is to be remembered.",
}
NO_ROUTE_ADVICE = "Compare the path with /openapi.json, which lists every route."

_BY_STATUS: Mapping[int, str] = {
    401: _BY_REASON["unauthorized"],
    403: _BY_REASON["forbidden"],
    404: NO_ROUTE_ADVICE,
    405: "Use a method that /openapi.json lists for this path.",
    409: "Read what stands now, and ask for what fits it.",
    413: _BY_REASON["too_large"],
    422: _BY_REASON["invalid"],
    429: "Wait for the seconds in `Retry-After`, then send the same request again.",
    500: "Send the same request again later; if it fails again, look for this time in the logs.",
    503: (
        "Send the same request again after the seconds in `Retry-After`;"
        " with an Idempotency-Key nothing happens twice."
    ),
}


def find_advice(reason: str, status: int) -> str | None:
    """Return advice about an error; None if there is none."""
    return _BY_REASON.get(reason) or _BY_STATUS.get(status)


def build_http_problem(status: int, problem: Problem) -> HttpProblem:
    """Build the body of a response for the problem, with advice."""
    given = {name: getattr(problem, name) for name in Problem.model_fields}
    advice = problem.advice or find_advice(problem.reason, status)
    return HttpProblem(
        **{**given, "advice": advice},
        type=f"{PROBLEM_TYPE_PREFIX}{problem.reason}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=problem.message,
    )
