"""Settings: a switch is saved at once and undone from its toast; wrong values are refused in words."""

from playwright.sync_api import Page, expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW

USER = "settler"


def test_a_switch_is_saved_at_once_and_can_be_undone(
    visit: Visiting, api: SyncPalimpsestClient
) -> None:
    with visit(width=NARROW) as visitor:
        page = open_settings(visitor.sign_in(USER), visitor.url)
        switch = page.get_by_role("switch", name="Memory", exact=True)
        expect(switch).to_be_checked()
        switch.press("Space")
        expect(page.locator(".toast")).to_contain_text("Saved")
        expect(switch).to_be_focused()
        assert not api.settings(USER).memory_enabled
        page.locator(".toast .button").click()
        expect(switch).to_be_checked()
        assert api.settings(USER).memory_enabled


def test_topics_choices_and_hours_are_kept(visit: Visiting, api: SyncPalimpsestClient) -> None:
    with visit(language="zh") as visitor:
        page = open_settings(visitor.sign_in(USER), visitor.url)
        page.get_by_role("group", name="从不记忆").get_by_label("财务").check()
        expect(page.locator(".toast")).to_have_count(1)
        page.get_by_label("记忆前先问我").select_option("key")
        expect(page.locator(".toast")).to_have_count(2)
        page.locator("#setting-quiet_hours-begins").fill("22:30")
        page.locator("#setting-quiet_hours-ends").fill("07:00")
        page.locator("#setting-quiet_hours-ends").blur()
        expect(page.locator(".toast")).to_have_count(3)
        page.get_by_label("时区").fill("Asia/Shanghai")
        page.get_by_label("时区").blur()
        expect(page.locator(".toast")).to_have_count(4)
        page.reload()
        expect(page.get_by_label("时区")).to_have_value("Asia/Shanghai")
    settings = api.settings(USER)
    assert [*settings.withheld_topics] == ["finance"]
    assert settings.review == "key"
    assert settings.quiet_hours is not None
    assert (settings.quiet_hours.begins, settings.quiet_hours.ends) == ("22:30", "07:00")


def test_a_time_zone_that_does_not_exist_is_refused_in_words(visit: Visiting) -> None:
    with visit() as visitor:
        page = open_settings(visitor.sign_in(USER), visitor.url)
        page.get_by_label("Time zone").fill("Nowhere/Land")
        page.get_by_label("Time zone").blur()
        expect(page.locator(".toast.problem")).to_contain_text("not an IANA time zone")


def open_settings(page: Page, url: str) -> Page:
    page.goto(f"{url}/page/settings")
    return page
