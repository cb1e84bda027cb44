"""The page in front of the API on one port: `/` and `/page` are the page's, everything else the API's.

The page is loaded when it is first asked for, so that it costs nothing before.
"""

import asyncio
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Receive, Scope, Send

from palimpsest.client import PalimpsestClient
from palimpsest.model.clock import Clock
from palimpsest_server.runtime.http.local_requests import LocalRequestsOnly
from palimpsest_server.runtime.http.open_routes import OpenRoutes

if TYPE_CHECKING:
    from services.page.app import PageApplication


class PageFront:
    """The page of an embedded host. Visitors stay signed in while the services behind it change."""

    def __init__(self, api_url: str, *, asks_for_keys: bool, clock: Clock) -> None:
        """`api_url` is the address at which the page, as any client, reaches the API."""
        self._api_url = api_url
        self._asks_for_keys = asks_for_keys
        self._clock = clock
        self._loading = asyncio.Lock()
        self._page: PageApplication | None = None
        self._serving: ASGIApp | None = None

    def stand_before(self, api: ASGIApp) -> ASGIApp:
        """Return an application that serves the page, and passes other requests to the API."""

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http" and belongs_to_page(scope["path"]):
                serving = self._serving or await self._load()
                await serving(scope, receive, send)
            else:
                await api(scope, receive, send)

        return serve

    def end_streams(self) -> None:
        if self._page is not None:
            self._page.end_streams()

    async def close(self) -> None:
        if self._page is not None:
            await self._page.close()

    async def _load(self) -> ASGIApp:
        async with self._loading:
            if self._serving is None:
                # A thread imports, so that the API answers meanwhile.
                self._page = await asyncio.to_thread(self._build)
                self._serving = guard_page(self._page, asks_for_keys=self._asks_for_keys)
            return self._serving

    def _build(self) -> "PageApplication":
        from services.page.app import PageApplication  # noqa: PLC0415 - loaded when asked for
        from services.page.page_settings import PageSettings  # noqa: PLC0415

        return PageApplication(
            PageSettings(
                self._api_url,
                asks_for_keys=self._asks_for_keys,
                clock=self._clock,
                play_example=play_example,
            )
        )


async def play_example(client: PalimpsestClient, user_id: str) -> None:
    """Tell the bundled conversation as that of a user."""
    from services.host.demo.conversation import (  # noqa: PLC0415 - few ask for it
        load_bundled_conversation,
    )
    from services.host.demo.playback import play_conversation  # noqa: PLC0415

    conversation = load_bundled_conversation().model_copy(update={"user_id": user_id})
    await play_conversation(client, conversation, lambda _: None)


def belongs_to_page(path: str) -> bool:
    return path in {"/", "/page"} or path.startswith("/page/")


def guard_page(page: ASGIApp, *, asks_for_keys: bool) -> ASGIApp:
    """Serve this machine alone where no keys are asked for, as the API does."""
    return page if asks_for_keys else LocalRequestsOnly(page, open_routes=OpenRoutes([]))
