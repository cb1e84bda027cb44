"""Todos: added, done, reopened, put off and forgotten; those that are overdue are told."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW


def test_todos_are_added_done_reopened_and_put_off(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    api.add_todo("Pay the rent", user_id=user_id, due_at=datetime.now(UTC) - timedelta(days=2))
    with visit() as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/todos")
        rent = page.locator(".todo", has_text="Pay the rent")
        expect(rent).to_contain_text("overdue")
        page.locator('input[name="content"]').fill("Water the plants")
        page.locator('input[name="due_at"]').fill("2035-01-01T09:00")
        page.locator('select[name="recurrence"]').select_option("workday")
        page.get_by_role("button", name="Add").click()
        expect(page.locator(".todo", has_text="Water the plants")).to_contain_text("every workday")
        rent.get_by_role("button", name="Snooze").click()
        expect(page.locator(".toast").last).to_contain_text("reminded")
        rent.get_by_role("button", name="Done").click()
        expect(page.locator("section", has_text="Done").last).to_contain_text("Pay the rent")
        rent.get_by_role("button", name="Reopen").click()
        expect(rent).to_contain_text("overdue")
        rent.get_by_role("button", name="Forget").click()
        expect(rent).to_have_count(0)
    assert [todo.content for todo in api.todos(user_id=user_id).todos] == ["Water the plants"]


def test_a_todo_that_is_added_elsewhere_shows_on_the_open_page(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    with visit(language="zh", width=NARROW) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/todos")
        expect(page.get_by_text("没有待办")).to_be_visible()
        page.wait_for_selector('body[data-live-state="open"]')
        api.add_todo("给银行打电话", user_id=user_id)
        expect(page.locator(".todo")).to_contain_text("给银行打电话")
