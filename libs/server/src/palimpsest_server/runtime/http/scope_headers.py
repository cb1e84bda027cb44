"""Headers that name the scope of a request whose body has a foreign format."""

from collections.abc import Iterator, Mapping

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import Headers

from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.model.value_types import Identifier

KEY_HEADER = "x-palimpsest-key"
"""Header with the key or token if `Authorization` is meant for another server."""

INCOGNITO_HEADER = "x-palimpsest-incognito"
"""Header of `true` on what is neither to be remembered nor to be answered from memory."""

SCOPE_HEADERS: Mapping[str, str] = {
    "user_id": "x-palimpsest-user",
    "agent_id": "x-palimpsest-agent",
    "project_id": "x-palimpsest-project",
    "session_id": "x-palimpsest-session",
}


class SessionScope(ScopedRequest):
    """The scope of a request, and the session that it belongs to."""

    session_id: Identifier | None = None


def iterate_named_scopes(headers: Headers) -> Iterator[Mapping[str, str | None]]:
    """Yield every user that the headers name, with the agent or None; repeated headers count each."""
    for user_id in _read(headers, "user_id"):
        agent_ids: list[str | None] = [*_read(headers, "agent_id")]
        for agent_id in agent_ids or [None]:
            yield {"user_id": user_id, "agent_id": agent_id}


def read_scope_headers(headers: Headers) -> SessionScope | None:
    """Return the scope that the headers name; None if they name none.

    Raises:
        RequestValidationError: a header is repeated or cannot be read, or the user is missing.
    """
    fields: dict[str, str] = {}
    for field, name in SCOPE_HEADERS.items():
        given = _read(headers, field)
        if len(given) > 1:
            raise RequestValidationError([_wrong(name, "given more than once")])
        if given:
            fields[field] = given[0]
    if fields and "user_id" not in fields:
        raise RequestValidationError([_wrong(SCOPE_HEADERS["user_id"], "required beside these")])
    try:
        return SessionScope(**fields) if fields else None
    except ValidationError as error:
        places = [
            {**each, "loc": ("header", SCOPE_HEADERS[str(each["loc"][0])])}
            for each in error.errors(include_url=False)
        ]
        raise RequestValidationError(places) from None


def is_incognito(headers: Headers) -> bool:
    """Tell whether nothing is to be read and kept.

    Raises:
        RequestValidationError: the header says neither true nor false: a chat that was meant to be
            incognito must not be kept.
    """
    said = {given.strip().lower() for given in headers.getlist(INCOGNITO_HEADER)}
    if not said <= {"true", "false", ""}:
        raise RequestValidationError([_wrong(INCOGNITO_HEADER, "must be true or false")])
    return "true" in said


def _read(headers: Headers, field: str) -> list[str]:
    """Read a header as UTF-8; the HTTP library decodes its bytes as Latin-1."""
    values = headers.getlist(SCOPE_HEADERS[field])
    return [value.encode("latin-1").decode(errors="replace") for value in values]


def _wrong(header: str, words: str) -> dict[str, object]:
    return {"type": "header", "loc": ("header", header), "msg": words}
