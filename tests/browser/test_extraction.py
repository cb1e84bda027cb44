"""Extraction as a dry run: what would be remembered, from which words, and why not the rest."""

import pytest
from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW, WIDE

ROWS = {
    "en": ("user: I moved to Denver.\nuser: <b>What</b> time is it?", "Denver", "asks"),
    "zh": ("用户：我搬到了杭州。\n用户：现在几点了？", "杭州", "只是提问"),
}

LINE = 20
"""Height of a line of text, at least."""


@pytest.mark.parametrize(("width", "language"), [(WIDE, "en"), (NARROW, "zh")])
def test_a_dialogue_shows_what_would_be_remembered_and_stores_nothing(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str, width: int, language: str
) -> None:
    dialogue, city, reason = ROWS[language]
    with visit(width=width, language=language) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/extraction")
        field, label = page.locator("textarea"), page.locator("label", has=page.locator("textarea"))
        assert field.bounding_box()["y"] - label.bounding_box()["y"] > LINE
        field.fill(dialogue)
        page.locator("main .button.primary").click()
        expect(page.locator("mark")).to_contain_text(city)
        expect(page.locator("mark sup")).to_contain_text("1")
        expect(page.locator(".found")).to_contain_text(city)
        expect(page.locator(".left-out")).to_contain_text(reason)
    assert api.list(user_id=user_id).memories == ()
