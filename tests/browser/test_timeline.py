"""Timeline: what held is asked by the slider, and an interval opens what changed it."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser import household
from tests.support.browser.chromium import NARROW, WIDE

FORMER, PRESENT = "I live in Boston", "I live in Denver"


@pytest.mark.parametrize(("width", "language"), [(WIDE, "en"), (NARROW, "zh")])
def test_the_slider_asks_for_a_moment_and_an_interval_opens_its_memory(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str, width: int, language: str
) -> None:
    for content, year in ((FORMER, 2021), (PRESENT, 2024)):
        begun = datetime(year, 5, 1, tzinfo=UTC)
        api.add(content, user_id=user_id, occurred_at=begun, attribute="residence", value=content)
    with visit(width=width, language=language) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/timeline")
        expect(page.locator(".interval")).to_have_count(2)
        held = page.locator("#held")
        expect(held).to_contain_text(PRESENT)
        page.locator("#as-of").fill("10")
        expect(held).to_contain_text(FORMER)
        expect(held).not_to_contain_text(PRESENT)
        assert page.locator("#as-of-line").get_attribute("x1") == "10%"
        page.locator(".interval.ended rect").click(force=True)
        drawer = page.get_by_role("dialog")
        expect(drawer).to_contain_text(FORMER)
        drawer.get_by_role("link", name=PRESENT).first.click()
        expect(drawer).to_contain_text(PRESENT)


def test_a_label_beside_a_short_interval_is_not_cut_on_a_phone(visit: Visiting) -> None:
    with visit(width=NARROW) as visitor:
        page = visitor.sign_in(household.USER)
        page.goto(f"{visitor.url}/page/timeline")
        label = page.locator(".label-before text", has_text="Shanghai")
        line = page.locator(".timeline-line", has=label)
        text, room = label.bounding_box(), line.bounding_box()
        assert text is not None
        assert room is not None
        assert 0 <= room["x"] <= text["x"]
        drawn = "element => getComputedStyle(element.parentElement).overflow"
        assert label.evaluate(drawn) == "visible"
