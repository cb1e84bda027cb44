"""One request of a visitor: who it is, in which language and theme, and how an answer is written."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Required, TypedDict

from starlette.datastructures import ImmutableMultiDict
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from palimpsest.client import PalimpsestClient
from palimpsest.client.call_fields import ScopeFields
from palimpsest.model.user import Language
from services.page.page_settings import PlayExample
from services.page.sessions import VisitorSession
from services.page.templates import PageTemplates
from services.page.translations import load_words
from services.page.written_times import WrittenTimes

THEMES = ("system", "light", "dark")

PART_END = "<!--part-->"
"""End of a part of an answer. What people and models say is escaped, and so never holds it."""

Form = ImmutableMultiDict[str, str]


class PlaceFields(TypedDict, total=False):
    """Fields of a list of memories that say of which places they are."""

    user_id: Required[str]
    agent_id: str | None
    everywhere: bool


class SignInNeeded(Exception):
    """The visitor is not signed in, or their key opens nothing any more."""


@dataclass(frozen=True)
class Visit:
    """A request with all that a view needs; views see no cookies, headers or keys."""

    request: Request
    templates: PageTemplates
    language: Language
    theme: str
    csrf_token: str
    times: WrittenTimes
    api_url: str
    """The address of the public API."""
    asks_for_keys: bool
    keep: Callable[[VisitorSession], None]
    """Puts another session in place of the visitor's own."""
    play_example: PlayExample | None = None
    """Tells the example conversation for a user."""
    current: VisitorSession | None = None
    form: Form = field(default_factory=ImmutableMultiDict)
    """The fields of a form that was sent."""

    @property
    def session(self) -> VisitorSession:
        """The visitor's session.

        Raises:
            SignInNeeded: there is none.
        """
        if self.current is None:
            raise SignInNeeded
        return self.current

    @property
    def client(self) -> PalimpsestClient:
        """The client that asks with the visitor's key."""
        return self.session.client

    @property
    def query(self) -> Mapping[str, str]:
        """The parameters of the address, without empty ones."""
        return {name: value for name, value in self.request.query_params.items() if value}

    @property
    def path(self) -> Mapping[str, str]:
        """The parameters in the path."""
        return self.request.path_params

    @property
    def is_fragment(self) -> bool:
        """True if a part of a page is asked for, by static/fragments.js."""
        return "x-fragment" in self.request.headers

    @property
    def view_name(self) -> str:
        """The name of the view: the first part of the path behind /page."""
        return self.request.url.path.removeprefix("/page/").partition("/")[0]

    @property
    def way_back(self) -> str:
        """The address of this visit, to come back to after a form elsewhere."""
        query = self.request.url.query
        return self.request.url.path + (f"?{query}" if query else "")

    def scope(self) -> ScopeFields:
        """Return from where memories are seen: the user, and the agent and project that are chosen."""
        chosen = {**self.query, **self.form}
        agent_id = self.session.agent_id or chosen.get("agent_id") or None
        return {
            "user_id": self.session.user_id,
            "agent_id": agent_id,
            "project_id": chosen.get("project_id") or None,
        }

    def everywhere(self) -> PlaceFields:
        """Return all places that the visitor's key opens: every agent and project, or one agent."""
        session = self.session
        return {"user_id": session.user_id, "agent_id": session.agent_id, "everywhere": True}

    def word(self, key: str, **values: object) -> str:
        """Return the words of a key in the visitor's language."""
        words = load_words(self.language)[key]
        return words.format(**values) if values else words

    def render(self, template: str, *, status: int = 200, **context: Any) -> Response:
        """Render a template: a whole view, or a part of one."""
        return HTMLResponse(self.write(template, **context), status)

    def render_parts(self, parts: AsyncIterator[str]) -> Response:
        """Answer with parts of a page, each shown as it comes: static/fragments.js."""
        return StreamingResponse((part + PART_END async for part in parts), media_type="text/html")

    def write(self, template: str, **context: Any) -> str:
        """Return the HTML of a template."""
        return self.templates.render(template, visit=self, context=context)

    def redirect(self, path: str) -> Response:
        """Send the browser to a path of the page by GET."""
        return RedirectResponse(path, 303)
