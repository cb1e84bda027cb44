"""Operation: what waits in each stage, dead letters, and users page by page."""

from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser import household
from tests.support.browser.chromium import NARROW


def test_an_operator_sees_what_waits_and_how_much_is_remembered_for_whom(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    api.add("I feed a heron", user_id=user_id)
    with visit() as visitor:
        page = visitor.sign_in(household.USER)
        page.get_by_role("link", name="Operation").click()
        stages = page.locator("#backlog tbody tr")
        expect(stages.filter(has_text="ingest").first).to_be_visible()
        page.get_by_role("link", name="Refresh").click()
        expect(stages.filter(has_text="consolidator").first).to_be_visible()
        expect(page.locator("#letters .empty")).to_be_visible()
        row = page.locator("#namespaces tbody tr", has_text=household.USER).first
        expect(row).to_be_visible()
        assert "heron" not in page.content()


def test_pages_of_users_follow_one_another(visit: Visiting, api: SyncPalimpsestClient) -> None:
    for number in range(51):
        api.add("I feed a heron", user_id=f"0-keeper-{number:02}")
    with visit(width=NARROW, language="zh") as visitor:
        page = visitor.sign_in(household.USER)
        page.goto(f"{visitor.url}/page/operators")
        rows = page.locator("#namespaces tbody tr")
        expect(rows).to_have_count(50)
        expect(rows.first).to_contain_text("0-keeper-00")
        page.get_by_role("link", name="下一页").click()
        expect(rows.first).to_contain_text("0-keeper-50")
        page.get_by_role("link", name="第一页").click()
        expect(rows.first).to_contain_text("0-keeper-00")
