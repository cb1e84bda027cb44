"""Wires the page: a client of the public API, with the key of whoever signed in and nothing else."""

from importlib import import_module

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from services.page import preferences, sign_in
from services.page.change_stream import OpenStreams
from services.page.page_routes import PageRoute, PageRouter
from services.page.page_settings import PageSettings
from services.page.security_headers import SecurityHeaders
from services.page.sessions import VisitorSessions
from services.page.static_files import StaticFiles
from services.page.templates import PageTemplates
from services.page.undo import UNDO
from services.page.view_table import VIEWS
from services.page.visit import Visit


class PageApplication:
    """The page as an ASGI application; whoever serves it ends its streams and closes it."""

    def __init__(self, settings: PageSettings) -> None:
        self._sessions = VisitorSessions(settings.clock)
        self._streams = OpenStreams()
        self._static = StaticFiles()
        router = PageRouter(settings, self._sessions, PageTemplates(self._static))
        routes = [
            PageRoute("/", _open_first_view),
            PageRoute("/changes", self._streams.follow),
            *sign_in.build_routes(settings, self._sessions),
            *preferences.ROUTES,
            UNDO,
            *(route for view in VIEWS for route in load_view_routes(view.name)),
        ]
        self._application = Starlette(
            routes=[
                Route("/", _go_to_page),
                Route("/page", _go_to_page),
                Route("/page/static/{version}/{name:path}", self._answer_static),
                Mount("/page", routes=[router.build(route) for route in routes]),
            ],
            middleware=[Middleware(SecurityHeaders)],
            exception_handlers={HTTPException: _answer_status},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._application(scope, receive, send)

    def end_streams(self) -> None:
        """End all streams of changes, because the process is about to stop."""
        self._streams.end()

    async def close(self) -> None:
        """Sign everybody out."""
        await self._sessions.close()

    async def _answer_static(self, request: Request) -> Response:
        return self._static.answer(**request.path_params)


def load_view_routes(name: str) -> tuple[PageRoute, ...]:
    """Return the routes of a view's module."""
    routes: tuple[PageRoute, ...] = import_module(f"services.page.views.{name}").ROUTES
    return routes


async def _open_first_view(visit: Visit) -> Response:
    """Open the first view; whoever is here for the first time is welcomed by the help."""
    page = await visit.client.list(**visit.everywhere(), limit=1)
    return visit.redirect(VIEWS[0].path if page.memories else "/page/help")


async def _go_to_page(_request: Request) -> Response:
    return RedirectResponse("/page/", 303)


async def _answer_status(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return PlainTextResponse(f"{status}\n", status)
