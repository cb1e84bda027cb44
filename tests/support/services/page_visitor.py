"""A visitor of the page over HTTP, as a browser is one: with cookies, and the tokens of its forms."""

import re
from typing import Any, Self

import httpx

from services.page.app import PageApplication

_TOKEN = re.compile(r'<meta name="csrf-token" content="([0-9a-f]+)">')


class PageVisitor:
    def __init__(self, page: PageApplication, *, address: str = "http://127.0.0.1:8000") -> None:
        self.page = page
        transport = httpx.ASGITransport(app=page)
        self.http = httpx.AsyncClient(transport=transport, base_url=address)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def get(self, path: str, **request: Any) -> httpx.Response:
        return await self.http.get(path, **request)

    async def token(self, path: str = "/page/sign-in") -> str:
        """The token of the forms of a view."""
        found = _TOKEN.search((await self.http.get(path, follow_redirects=True)).text)
        assert found is not None
        return found[1]

    async def post(self, path: str, **fields: str) -> httpx.Response:
        """Send a form as the page has it."""
        return await self.http.post(path, data={"csrf_token": await self.token(), **fields})

    async def sign_in(self, user_id: str, **fields: str) -> httpx.Response:
        return await self.post("/page/sign-in", user_id=user_id, **fields)

    def cookies(self) -> dict[str, str]:
        return {cookie.name: cookie.value or "" for cookie in self.http.cookies.jar}
