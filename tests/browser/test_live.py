"""How soon a view paints, and how soon a change made elsewhere shows: told by the page's own marks.

Arrival decides; the times are reported, for a busy machine would make them differ.
"""

import sys
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser import household
from tests.support.browser.waiting import wait_until

Report = Callable[[str, float], None]

MARKS = """() => Object.fromEntries(
  ["change-heard", "fragment-shown"].flatMap((name) => performance.getEntriesByName(name, "mark"))
    .map((mark) => [mark.name, performance.timeOrigin + mark.startTime]))"""

FIRST_PAINT = """() =>
  performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null"""
"""Nothing until something was painted. The page's policy lets no script wait for it: none may be made of text."""


@pytest.fixture
def report(
    capsys: pytest.CaptureFixture[str], record_property: Callable[[str, object], None]
) -> Report:
    """Report a measured time, whatever else of the test is shown."""

    def tell(name: str, milliseconds: float) -> None:
        record_property(name, round(milliseconds))
        with capsys.disabled():
            sys.stdout.write(f"\n{name}: {milliseconds:.0f} ms")

    return tell


def read_marks(page: Page) -> dict[str, float]:
    return dict(page.evaluate(MARKS))


def test_a_change_made_elsewhere_is_heard_and_shown(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str, report: Report
) -> None:
    api.add("I feed a heron", user_id=user_id)
    with visit() as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/memories")
        page.wait_for_selector('body[data-live-state="open"]')
        assert "change-heard" not in read_marks(page)
        asked = time.time() * 1000
        api.add("I row on Sundays", user_id=user_id)
        expect(page.locator("article.memory", has_text="I row on Sundays")).to_be_visible()
        marks = read_marks(page)
        assert asked < marks["change-heard"] < marks["fragment-shown"]
        report("from the request to the change heard", marks["change-heard"] - asked)
        report("from the request to the change shown", marks["fragment-shown"] - asked)


@pytest.mark.parametrize("view", ["memories", "timeline", "graph"])
def test_a_view_paints(visit: Visiting, report: Report, view: str) -> None:
    with visit() as visitor:
        page = visitor.sign_in(household.USER)
        page.goto(f"{visitor.url}/page/{view}")
        wait_until(lambda: page.evaluate(FIRST_PAINT) is not None)
        painted = float(page.evaluate(FIRST_PAINT))
        report(f"first paint of {view}", painted)
