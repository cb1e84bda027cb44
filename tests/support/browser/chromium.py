"""Debian's Chromium, driven by Playwright's Python package, on a page of one running Palimpsest."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

WIDE, NARROW = 1440, 390
LOCALES = {"en": "en-GB", "zh": "zh-CN"}


def find_chromium() -> str | None:
    """Return the path of Chromium; None where it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def run_chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class BrowserVisitor:
    """A visitor with a browser profile of their own. What goes wrong in the page is kept."""

    context: BrowserContext
    url: str
    problems: list[str] = field(default_factory=list)
    """Errors of scripts, refusals of the content security policy, and answers of 500."""

    def open(self, path: str = "/page/") -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self._hear)
        page.on("response", self._look)
        page.on("request", self._follow)
        page.goto(self.url + path)
        return page

    def sign_in(self, user_id: str) -> Page:
        page = self.open("/page/sign-in")
        page.locator('input[name="user_id"]').fill(user_id)
        page.locator(".sign-in button").click()
        page.wait_for_selector("h1")
        return page

    def _hear(self, message: Any) -> None:
        if message.type == "error" and "status of 4" not in message.text:
            self.problems.append(message.text)

    def _look(self, response: Any) -> None:
        if response.status >= 500:
            self.problems.append(f"{response.status} {response.url}")

    def _follow(self, request: Any) -> None:
        if not request.url.startswith((self.url, "data:", "blob:")):
            self.problems.append(f"a request to another host: {request.url}")


@contextmanager
def visiting(
    browser: Browser, url: str, *, width: int = WIDE, language: str = "en", theme: str = "light"
) -> Iterator[BrowserVisitor]:
    """Visit with a new profile; at the end nothing may have gone wrong in the page."""
    context = browser.new_context(
        viewport={"width": width, "height": 844 if width == NARROW else 900},
        locale=LOCALES[language],
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=width == NARROW,
    )
    context.set_default_timeout(30_000)
    visitor = BrowserVisitor(context, url)
    try:
        yield visitor
        assert visitor.problems == []
    finally:
        context.close()
