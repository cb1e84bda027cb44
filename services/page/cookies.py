"""Cookies of the page: the visitor's random id, and what they prefer.

None can be read by scripts or is sent with requests of other sites.
"""

from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

PATH = "/page"
PREFERENCE_SECONDS = 400 * 24 * 60 * 60
"""The longest time for which browsers keep a cookie."""


def name_visitor_cookie(request: Request) -> str:
    """Return the name of the cookie that holds the visitor's id.

    Over https no other host can set it, by its prefix. Over http a cookie belongs to all ports of a
    host, so the port is part of the name.
    """
    if is_secure(request):
        return "__Host-palimpsest"
    return f"palimpsest-{request.url.port or 80}"


def read_visitor_id(request: Request) -> str | None:
    return request.cookies.get(name_visitor_cookie(request))


def set_visitor_id(request: Request, response: Response, visitor_id: str) -> None:
    """Hold the id until the browser is closed."""
    response.set_cookie(
        name_visitor_cookie(request),
        visitor_id,
        path="/" if is_secure(request) else PATH,
        secure=is_secure(request),
        httponly=True,
        samesite="strict",
    )


def read_preference(request: Request, name: str) -> str | None:
    value = request.cookies.get(name)
    return None if value is None else unquote(value)


def set_preference(request: Request, response: Response, name: str, value: str) -> None:
    """Remember a value, which may be in any script: headers hold Latin letters alone."""
    response.set_cookie(
        name,
        quote(value, safe=""),
        max_age=PREFERENCE_SECONDS,
        path=PATH,
        secure=is_secure(request),
        httponly=True,
        samesite="strict",
    )


def is_secure(request: Request) -> bool:
    """Return whether the browser reached the page over https, also through a trusted proxy."""
    return request.url.scheme == "https"
