"""Entity tags of memories: the version in quotes, sent in `ETag` and returned in `If-Match`."""

import re
from typing import Annotated

from fastapi import Header, Response

from palimpsest.model.errors import CommandRefused, PreconditionFailed

IfMatch = Annotated[
    str | None,
    Header(
        description="The `ETag` of the version that was edited; if another one stands, the answer"
        " is 412 and nothing is changed. `*` matches every version.",
        examples=['"3"'],
        max_length=1000,
    ),
]

_STRONG_TAG = re.compile(r'(?<![/\w])"(\d{1,18})"')
_NO_VERSION = -1
"""No record has this version."""


def set_entity_tag(response: Response, version: int) -> None:
    response.headers["ETag"] = f'"{version}"'


def read_expected_version(if_match: str | None, current: int) -> int | None:
    """Return the version that an `If-Match` header asks for; None if any version will do.

    If the header lists several tags, the tag of the current version counts. Weak tags match nothing
    (RFC 9110, 13.1.1).
    """
    if if_match is None or if_match.strip() == "*":
        return None
    versions = {int(tag) for tag in _STRONG_TAG.findall(if_match)}
    return current if current in versions else max(versions, default=_NO_VERSION)


def refuse_precondition(error: CommandRefused, if_match: str | None) -> Exception:
    """Return the error of a refused edit: 412 if the version was asked for by `If-Match`."""
    if if_match is not None and error.reason == "changed_meanwhile":
        return PreconditionFailed(str(error))
    return error
