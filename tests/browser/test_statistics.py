"""Statistics, reports and the ledger: figures for the eye, and the same as tables."""

import pytest
from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser import household
from tests.support.browser.chromium import NARROW


def test_figures_are_those_of_the_api(visit: Visiting, api: SyncPalimpsestClient) -> None:
    statistics = api.statistics(household.USER)
    with visit(width=NARROW) as visitor:
        page = visitor.sign_in(household.USER)
        page.goto(f"{visitor.url}/page/statistics")
        expect(page.locator(".tile").first).to_contain_text(str(statistics.active))
        rows = page.get_by_role("table", name="By kind").get_by_role("row")
        assert rows.count() == len(statistics.by_kind) + 1
        page.get_by_text("As a table, by month").click()
        sums = page.get_by_role("table").first.get_by_role("row").nth(1)
        expect(sums).to_contain_text(str(sum(statistics.by_day.values())))


def test_the_quota_of_each_agent_is_shown(visit: Visiting, api: SyncPalimpsestClient) -> None:
    with visit() as visitor:
        page = visitor.sign_in(household.USER)
        page.goto(f"{visitor.url}/page/statistics")
        rows = page.get_by_role("table", name="How much there may be").get_by_role("row")
        for agent in api.agents(household.USER).agents:
            row = rows.filter(has_text=agent.agent_id or "Seen by all agents")
            expect(row).to_contain_text(f"{agent.memories}, without a limit")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_remembered_is_said_in_words(visit: Visiting, language: str) -> None:
    with visit(language=language) as visitor:
        page = visitor.sign_in("nobody-counted")
        for name in ("statistics", "reports", "ledger"):
            page.goto(f"{visitor.url}/page/{name}")
            expect(page.locator(".empty h2")).to_be_visible()


def test_the_ledger_is_shown_for_other_days_at_once(visit: Visiting) -> None:
    with visit() as visitor:
        page = visitor.sign_in(household.USER)
        page.goto(f"{visitor.url}/page/ledger")
        with page.expect_response(lambda response: "days=90" in response.url):
            page.get_by_label("Period").select_option("90")
        expect(page.locator("#ledger-figures")).to_be_visible()
        assert page.url.endswith("days=90") or "days=90&" in page.url
