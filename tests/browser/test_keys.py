"""Keys: the secret is shown once, a new one takes its place, and a revoked key opens nothing."""

import pytest
from playwright.sync_api import Page, expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting

NAME = "kitchen tablet"


def test_a_key_is_made_rotated_and_revoked(visit: Visiting, api: SyncPalimpsestClient) -> None:
    with visit() as visitor:
        page = visitor.sign_in("key-holder")
        page.goto(f"{visitor.url}/page/keys")
        page.get_by_label("Name").fill(NAME)
        page.get_by_role("button", name="Make the key").click()
        first = read_secret(page)
        expect(page.locator("#key-secret")).to_contain_text("Authorization: Bearer")
        card = page.locator("article", has_text=NAME)
        card.get_by_role("button", name="New secret").click()
        expect(page.locator("#secret-text")).not_to_have_text(first)
        second = read_secret(page)
        card.get_by_text("Revoke", exact=True).click()
        card.get_by_role("button", name="Yes, for good").click()
        expect(card.locator(".badge")).to_have_text("Revoked")
        page.reload()
        assert first not in page.content()
        assert second not in page.content()
    (key,) = [key for key in api.keys.list().keys if key.name == NAME]
    assert key.id in first
    assert key.user_id == "key-holder"
    assert key.revoked_at is not None


def read_secret(page: Page) -> str:
    shown = page.locator("#secret-text")
    expect(shown).to_be_visible()
    return str(shown.inner_text())


@pytest.mark.parametrize("name", ["", " "])
def test_a_key_without_a_name_is_refused(visit: Visiting, name: str) -> None:
    with visit(language="zh") as visitor:
        page = visitor.sign_in("key-holder")
        page.goto(f"{visitor.url}/page/keys")
        page.get_by_label("名称").fill(name)
        page.get_by_role("button", name="创建密钥").click()
        expect(page.locator("#secret-text")).to_have_count(0)
