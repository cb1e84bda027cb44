"""Routes of the page: who asks is found out, forged requests are refused, errors become words."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from urllib.parse import parse_qsl

from starlette.datastructures import ImmutableMultiDict
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from palimpsest.client.errors import (
    ClientError,
    Conflict,
    InvalidRequest,
    NotAllowed,
    NotFound,
    PermissionDenied,
    Unavailable,
)
from services.page.cookies import read_preference, read_visitor_id, set_visitor_id
from services.page.forgery_protection import (
    FORM_FIELD,
    HEADER,
    ForgeryProtection,
    changes_something,
    comes_from_foreign_page,
)
from services.page.page_settings import PageSettings
from services.page.sessions import VisitorSessions, make_session_id
from services.page.templates import PageTemplates
from services.page.translations import choose_language
from services.page.visit import THEMES, SignInNeeded, Visit
from services.page.written_times import WrittenTimes

Handler = Callable[[Visit], Awaitable[Response]]

SIGN_IN_PATH = "/page/sign-in"
MAXIMUM_FORM_BYTES = 1024 * 1024

_FORM = "application/x-www-form-urlencoded"
_log = logging.getLogger("palimpsest.page")


@dataclass(frozen=True)
class PageRoute:
    """A route of the page."""

    path: str
    """The path behind /page."""
    handler: Handler
    method: str = "GET"
    is_open: bool = False
    """True if it needs no session."""


_STATUSES: tuple[tuple[type[ClientError], HTTPStatus, str], ...] = (
    (PermissionDenied, HTTPStatus.FORBIDDEN, "errors.not_allowed"),
    (NotFound, HTTPStatus.NOT_FOUND, "errors.not_found"),
    (Conflict, HTTPStatus.CONFLICT, "errors.conflict"),
    (InvalidRequest, HTTPStatus.UNPROCESSABLE_ENTITY, "errors.invalid"),
    (Unavailable, HTTPStatus.SERVICE_UNAVAILABLE, "errors.unavailable"),
)
"""Status and words of each refusal of the API; the first class that fits counts."""

_REASONS: Mapping[str, str] = {
    "not_open": "errors.not_open",
    "time_is_past": "errors.time_is_past",
}
"""Words of refusals that say all by their reason, in place of those of their class."""


class PageRouter:
    """Builds routes that share sessions, templates and settings."""

    def __init__(
        self, settings: PageSettings, sessions: VisitorSessions, templates: PageTemplates
    ) -> None:
        self._settings = settings
        self._sessions = sessions
        self._templates = templates
        self._forgery = ForgeryProtection()

    def build(self, route: PageRoute) -> Route:
        async def endpoint(request: Request) -> Response:
            return await self._answer(request, route)

        return Route(route.path, endpoint, methods=[route.method])

    async def _answer(self, request: Request, route: PageRoute) -> Response:
        if comes_from_foreign_page(request.method, request.headers):
            raise HTTPException(403)
        visitor_id = read_visitor_id(request)
        known = visitor_id or make_session_id()
        visit = self._visit(request, known)
        try:
            response = await self._handle(visit, visitor_id, route)
        except (SignInNeeded, NotAllowed):
            self._sessions.end(visitor_id)
            response = _ask_to_sign_in(visit)
        except HTTPException:
            raise
        except Exception as error:  # noqa: BLE001 - its words may hold what people said
            _log.error("a request of the page failed: %s at %s", *describe_place(error))
            response = render_error(visit, HTTPStatus.INTERNAL_SERVER_ERROR, "errors.unexpected")
        if visitor_id is None and "set-cookie" not in response.headers:
            set_visitor_id(request, response, known)
        return response

    async def _handle(self, visit: Visit, visitor_id: str | None, route: PageRoute) -> Response:
        request = visit.request
        if changes_something(request.method):
            visit = replace(visit, form=await read_form(request))
            shown = request.headers.get(HEADER) or visit.form.get(FORM_FIELD)
            if not self._forgery.accepts(visitor_id, shown):
                return render_error(visit, HTTPStatus.FORBIDDEN, "errors.forged")
        if not route.is_open and visit.current is None:
            raise SignInNeeded
        try:
            return await route.handler(visit)
        except ClientError as error:
            if isinstance(error, NotAllowed) and not isinstance(error, PermissionDenied):
                raise
            return _refuse(visit, error)

    def _visit(self, request: Request, visitor_id: str) -> Visit:
        session = self._sessions.find(visitor_id)
        language = choose_language(
            read_preference(request, "language"), request.headers.get("accept-language")
        )
        theme = read_preference(request, "theme") or "system"
        return Visit(
            request=request,
            templates=self._templates,
            language=language,
            theme=theme if theme in THEMES else "system",
            csrf_token=self._forgery.derive_token(visitor_id),
            times=WrittenTimes(
                language, session.time_zone if session else "UTC", self._settings.clock()
            ),
            api_url=self._settings.api_url.rstrip("/"),
            asks_for_keys=self._settings.asks_for_keys,
            keep=partial(self._sessions.replace, visitor_id),
            play_example=self._settings.play_example,
            current=session,
        )


def render_error(visit: Visit, status: HTTPStatus, key: str, detail: str = "") -> Response:
    """Render an error as a page, or as a toast where a part of a page was asked for."""
    template = "error_toast.html" if visit.is_fragment else "error.html"
    return visit.render(template, status=status, key=key, detail=detail)


def _refuse(visit: Visit, error: ClientError) -> Response:
    for refusal, status, key in _STATUSES:
        if isinstance(error, refusal):
            said = _REASONS.get(error.reason)
            return render_error(visit, status, said or key, "" if said else str(error))
    return render_error(visit, HTTPStatus.BAD_GATEWAY, "errors.unexpected")


def _ask_to_sign_in(visit: Visit) -> Response:
    if visit.is_fragment:
        return Response(status_code=HTTPStatus.UNAUTHORIZED)
    return visit.redirect(SIGN_IN_PATH)


def describe_place(error: Exception) -> tuple[str, str]:
    """Return the class of an error and where it was raised, without its words."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return type(error).__name__, "an unknown place"
    return type(error).__name__, f"{traceback.tb_frame.f_code.co_filename}:{traceback.tb_lineno}"


async def read_form(request: Request) -> ImmutableMultiDict[str, str]:
    """Read the fields of a form; empty if the body is no form.

    Raises:
        HTTPException: the form is too large.
    """
    if not request.headers.get("content-type", "").startswith(_FORM):
        return ImmutableMultiDict()
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAXIMUM_FORM_BYTES:
            raise HTTPException(413)
    return ImmutableMultiDict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
