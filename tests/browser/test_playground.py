"""Playground: what is said is remembered and recalled, and can be undone; incognito is neither."""

from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW


def test_what_is_said_is_remembered_recalled_and_undone_and_incognito_leaves_nothing(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    api.add("I feed a heron", user_id=user_id)
    with visit(width=NARROW) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/playground")
        page.wait_for_selector('body[data-live-state="open"]')
        field = page.locator("#say")
        page.keyboard.press("Control+Shift+T")
        expect(page.locator("#incognito")).to_be_checked()
        field.fill("I live in Oslo.")
        field.press("Enter")
        expect(page.locator(".said.incognito")).to_contain_text("Oslo")
        page.locator("#incognito").uncheck()
        field.fill("Which bird do I feed?")
        field.press("Enter")
        expect(page.locator(".citations")).to_contain_text("heron")
        field.fill("I live in Lisbon.")
        field.press("Enter")
        row = page.locator(".remembered-row", has_text="Lisbon")
        expect(row).to_be_visible()
        row.get_by_role("button", name="Undo").click()
        expect(row).to_have_count(0)
        page.get_by_role("button", name="Remember this").last.click()
        expect(page.locator(".toast").last).to_contain_text("Remembered")
    contents = {memory.content for memory in api.list(user_id=user_id).memories}
    assert contents == {"I feed a heron", "I live in Lisbon."}
