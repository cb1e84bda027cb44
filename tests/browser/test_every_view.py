"""Every view of the table: nothing goes wrong in it, nothing hangs over, and axe finds no serious fault."""

from collections.abc import Sequence
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from services.page.view_table import VIEWS
from tests.browser.conftest import Visiting
from tests.support.browser import household
from tests.support.browser.chromium import NARROW, WIDE
from tests.support.browser.views import show_view

LOOKS = ((WIDE, "en", "light"), (NARROW, "zh", "dark"))
"""Widths, languages and themes: each of them comes once."""


def find_serious_faults(page: Page) -> Sequence[str]:
    violations: list[dict[str, Any]] = Axe().run(page).response["violations"]
    return [
        f"{fault['id']}: {node['html']}"
        for fault in violations
        if fault["impact"] in {"serious", "critical"}
        for node in fault["nodes"]
    ]


DIALOGS = (
    ("memories", "article.memory a[data-fragment]"),
    ("memories", 'a[href="/page/memories/clear"]'),
    ("conversations", 'a[href^="/page/conversations/session"]', 'a[href*="take-back"]'),
    ("timeline", ".timeline-line a"),
)
"""Views, and the links that are followed there until a dialog opens."""


def measure_overhang(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


@pytest.mark.parametrize(("width", "language", "theme"), LOOKS)
def test_every_view_is_accessible_and_fits(
    visit: Visiting, width: int, language: str, theme: str
) -> None:
    with visit(width=width, language=language, theme=theme) as visitor:
        page = visitor.open("/page/sign-in")
        faults = {"sign-in": find_serious_faults(page)}
        page.close()
        page = visitor.sign_in(household.USER)
        for view in VIEWS:
            show_view(page, visitor.url, view)
            faults[view.name] = find_serious_faults(page)
            assert measure_overhang(page) <= 0, view.name
        assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_all_views_are_seen_in_the_navigation_at_once(visit: Visiting, language: str) -> None:
    with visit(language=language) as visitor:
        page = visitor.sign_in(household.USER)
        links = page.locator("#navigation a")
        assert links.count() == len(VIEWS)
        page.goto(f"{visitor.url}/page/agents")  # the longest name, and the one that is bold here
        heights = {box["height"] for link in links.all() if (box := link.bounding_box())}
        assert len(heights) == 1, "a name takes two lines"
        expect(links.last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "language", "theme"), LOOKS)
def test_every_dialog_is_accessible(visit: Visiting, width: int, language: str, theme: str) -> None:
    with visit(width=width, language=language, theme=theme) as visitor:
        page = visitor.sign_in(household.USER)
        faults: dict[str, Sequence[str]] = {}
        for view, *openers in DIALOGS:
            page.goto(f"{visitor.url}/page/{view}")
            for opener in openers:
                page.locator(opener).first.press("Enter")
            page.wait_for_selector("dialog[open]")
            faults[f"{view} {openers[-1]}"] = find_serious_faults(page)
        assert {name: found for name, found in faults.items() if found} == {}
