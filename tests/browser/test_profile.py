"""The profile: written when asked for, with versions and their difference."""

from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW


def test_a_profile_is_written_now_and_shows_what_changed_since_the_last_version(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    with visit() as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/profile")
        expect(page.get_by_text("Nothing is known yet")).to_be_visible()
        for city in ("Lisbon", "Porto"):
            api.add(f"I live in {city}", user_id=user_id, attribute="city", value=city)
            page.get_by_role("button", name="Write it now").click()
            expect(page.locator(".profile-text")).to_contain_text(city)
        expect(page.locator(".difference ins").first).to_contain_text("Porto")
        expect(page.locator(".difference del").first).to_contain_text("Lisbon")
    with visit(language="zh", width=NARROW) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/profile")
        expect(page.locator(".profile-text")).to_contain_text("Porto")
        expect(page.get_by_role("button", name="现在就写")).to_be_visible()
