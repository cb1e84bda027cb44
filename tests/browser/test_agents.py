"""The view of an agent shows its own memories and the shared ones, and not those of another agent."""

from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW


def test_what_one_agent_sees_is_shown_and_what_another_has_is_not(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    api.add("The user feeds a heron", user_id=user_id)
    api.add("The user paints fences", user_id=user_id, agent_id="gardener")
    api.add("The user plays chess", user_id=user_id, agent_id="trainer")
    with visit(width=NARROW) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/agents")
        expect(page.locator("#hidden-title + ul li")).to_have_count(2)
        page.get_by_label("Agent").select_option("gardener")
        page.get_by_role("button", name="Look").click()
        seen = page.locator("#seen-title + ul")
        expect(seen).to_contain_text("heron")
        expect(seen).to_contain_text("fences")
        expect(seen).not_to_contain_text("chess")
        expect(page.locator("#hidden-title + ul")).to_contain_text("trainer")
        page.get_by_role("button", name="Show as").first.click()
        expect(page.locator("#block-text")).to_contain_text("fences")
        expect(page.locator("#block-text")).not_to_contain_text("chess")
