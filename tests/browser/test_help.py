"""Help, and a first visit: a newcomer is welcomed, loads the example, and sees it remembered."""

import re

from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting, run_apart
from tests.support.browser import household
from tests.support.browser.chromium import NARROW
from tests.support.eventually import eventually


def test_a_newcomer_loads_the_example(visit: Visiting, api: SyncPalimpsestClient) -> None:
    user = "newcomer"
    with visit(width=NARROW, language="zh") as visitor:
        page = visitor.sign_in(user)
        page.goto(f"{visitor.url}/page/help")
        page.wait_for_selector('body[data-live-state="open"]')
        page.locator("#welcome .button.primary").click()
        expect(page.locator("#welcome")).to_contain_text("示例")
        expect(page.locator("#welcome")).to_contain_text(re.compile("已记住 [0-9]+ 条"))
        run_apart(eventually(lambda: bool(api.list(user_id=user).memories)))


def test_somebody_who_is_known_is_not_welcomed_again(visit: Visiting) -> None:
    with visit() as visitor:
        page = visitor.sign_in(household.USER)
        page.goto(f"{visitor.url}/page/help")
        expect(page.locator("#welcome")).to_have_count(0)
        page.get_by_role("link", name="Scores").click()
        expect(page.locator("#scores")).to_be_in_viewport()
