"""Sign-in by key or token, and sign-out. Where no keys are asked for, a visitor names a user."""

from collections.abc import Sequence
from http import HTTPStatus

from starlette.responses import Response

from palimpsest.client import PalimpsestClient
from palimpsest.client.errors import (
    ClientError,
    InvalidRequest,
    NotAllowed,
    NotFound,
    PermissionDenied,
)
from services.page.cookies import read_preference, read_visitor_id, set_preference, set_visitor_id
from services.page.page_routes import SIGN_IN_PATH, PageRoute
from services.page.page_settings import PageSettings
from services.page.sessions import SESSION_LIFE, VisitorSession, VisitorSessions
from services.page.visit import Visit


class Reception:
    """Lets visitors in and out."""

    def __init__(self, settings: PageSettings, sessions: VisitorSessions) -> None:
        self._settings = settings
        self._sessions = sessions

    async def show(self, visit: Visit) -> Response:
        if visit.current is not None:
            return visit.redirect("/page/")
        return _render(visit, user_id=read_preference(visit.request, "user") or "")

    async def sign_in(self, visit: Visit) -> Response:
        """Begin a session under a new id, if the key opens the memories of this user."""
        key, user_id = visit.form.get("key", "").strip(), visit.form.get("user_id", "").strip()
        agent_id = visit.form.get("agent_id", "").strip()
        if not user_id or (self._settings.asks_for_keys and not key):
            return _refuse(visit, "sign_in.incomplete", HTTPStatus.UNPROCESSABLE_ENTITY)
        try:
            session = await self._open(key, user_id, agent_id or None)
        except (NotFound, PermissionDenied):
            return _refuse(visit, "sign_in.not_of_user", HTTPStatus.FORBIDDEN)
        except (NotAllowed, ValueError):
            return _refuse(visit, "sign_in.opens_nothing", HTTPStatus.FORBIDDEN)
        except InvalidRequest:
            return _refuse(visit, "sign_in.no_id", HTTPStatus.UNPROCESSABLE_ENTITY)
        except ClientError:
            return _refuse(visit, "errors.unavailable", HTTPStatus.SERVICE_UNAVAILABLE)
        self._sessions.end(read_visitor_id(visit.request))
        response = visit.redirect("/page/")
        set_visitor_id(visit.request, response, self._sessions.begin(session))
        if not self._settings.asks_for_keys:
            set_preference(visit.request, response, "user", user_id)
        return response

    async def sign_out(self, visit: Visit) -> Response:
        self._sessions.end(read_visitor_id(visit.request))
        return visit.redirect(SIGN_IN_PATH)

    async def _open(self, key: str, user_id: str, agent_id: str | None) -> VisitorSession:
        client = PalimpsestClient(
            http_url=self._settings.api_url,
            api_key=key if self._settings.asks_for_keys else None,
            timeout_seconds=self._settings.timeout_seconds,
            clock=self._settings.clock,
        )
        await client.__aenter__()
        try:
            await client.list(user_id=user_id, agent_id=agent_id, limit=1)
            return VisitorSession(
                client=client,
                user_id=user_id,
                agent_id=agent_id,
                is_operator=await _is_operator(client),
                time_zone=await _find_time_zone(client, user_id),
                ends_at=self._settings.clock() + SESSION_LIFE,
            )
        except BaseException:
            await client.__aexit__(None, None, None)
            raise


async def _is_operator(client: PalimpsestClient) -> bool:
    try:
        await client.keys.list()
    except PermissionDenied:
        return False
    return True


async def _find_time_zone(client: PalimpsestClient, user_id: str) -> str:
    try:
        return (await client.settings(user_id)).time_zone
    except PermissionDenied:
        # The key of an agent does not open its user's settings.
        return "UTC"


def _render(visit: Visit, *, user_id: str = "", problem: str = "", status: int = 200) -> Response:
    return visit.render("sign_in.html", status=status, user_id=user_id, problem=problem)


def _refuse(visit: Visit, key: str, status: HTTPStatus) -> Response:
    return _render(
        visit, user_id=visit.form.get("user_id", ""), problem=visit.word(key), status=status
    )


def build_routes(settings: PageSettings, sessions: VisitorSessions) -> Sequence[PageRoute]:
    reception = Reception(settings, sessions)
    return (
        PageRoute("/sign-in", reception.show, is_open=True),
        PageRoute("/sign-in", reception.sign_in, "POST", is_open=True),
        PageRoute("/sign-out", reception.sign_out, "POST", is_open=True),
    )
