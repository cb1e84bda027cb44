"""Webhooks: added with a secret that is shown once, tried out, switched off and on, deleted."""

from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW


def test_a_webhook_is_looked_after(visit: Visiting, api: SyncPalimpsestClient) -> None:
    user = "hook-owner"
    with visit(width=NARROW) as visitor:
        page = visitor.sign_in(user)
        page.goto(f"{visitor.url}/page/webhooks")
        expect(page.locator(".empty h2")).to_be_visible()
        page.get_by_label("Address").fill("https://hooks.example.invalid/palimpsest")
        page.get_by_label("Description").fill("kitchen <display>")
        page.get_by_role("button", name="Add the webhook").click()
        expect(page.locator("#secret-text")).to_contain_text("whsec_")
        card = page.locator("#webhook-list article")
        expect(card).to_contain_text("kitchen <display>")
        card.get_by_role("button", name="Switch off").click()
        expect(card.locator(".badge")).to_have_text("Off")
        assert not api.webhooks.list(user_id=user).webhooks[0].enabled
        card.get_by_role("link", name="Deliveries").click()
        expect(page.get_by_role("dialog")).to_contain_text("Nothing was sent yet")
        page.keyboard.press("Escape")
        card.get_by_text("Delete", exact=True).click()
        card.get_by_role("button", name="Yes, with its deliveries").click()
        expect(card).to_have_count(0)
    assert api.webhooks.list(user_id=user).webhooks == ()


def test_an_address_within_is_refused_in_words(visit: Visiting) -> None:
    with visit(language="zh") as visitor:
        page = visitor.sign_in("hook-owner")
        page.goto(f"{visitor.url}/page/webhooks")
        page.get_by_label("地址").fill("http://127.0.0.1:1/")
        page.get_by_role("button", name="添加 Webhook").click()
        expect(page.locator(".toast.problem")).to_be_visible()
