"""Playground: what is said is remembered and recalled, and can be undone; incognito is neither."""

from playwright.sync_api import Route, expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW

PARTS = (
    '<li class="said by-user" data-append-to="talk">Hello</li>',
    '<li id="reply-1" class="said" data-append-to="talk"><p id="reply-1-words"></p></li>',
    '<span data-append-to="reply-1-words">Have an </span>',
    '<span data-append-to="reply-1-words">&lt;apple&gt; 🍎</span>',
)
LAST = '<li id="reply-1" class="said">Have an apple.</li>'


def test_a_reply_that_comes_in_parts_is_put_together(visit: Visiting, user_id: str) -> None:
    with visit() as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/playground")
        bodies = ["<!--part-->".join((*parts, "")) for parts in (PARTS, (LAST,))]

        def answer(route: Route) -> None:
            route.fulfill(body=bodies.pop(0), content_type="text/html; charset=utf-8")

        page.route("**/page/playground/say", answer)
        for shown in ("Have an <apple> 🍎", "Have an apple."):
            page.locator("#say").fill("Hello")
            page.locator("#say").press("Enter")
            expect(page.locator("#reply-1")).to_have_text(shown)
        expect(page.locator(".said")).to_have_count(3)


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
