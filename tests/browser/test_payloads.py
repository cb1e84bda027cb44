"""Stored words never run: forty payloads in every field, shown in every view of the table."""

from uuid import uuid4

from playwright.sync_api import Page, expect

from palimpsest.client import SyncPalimpsestClient
from services.page.view_table import VIEWS
from tests.browser.conftest import Visiting
from tests.support.browser.payloads import MARK, PAYLOADS
from tests.support.browser.views import show_view

AT_ONCE = 4
"""Payloads in one field: each memory is a command of its own, which takes a while."""


def has_run(page: Page) -> bool:
    return bool(page.evaluate(f"'{MARK}' in window"))


def plant(api: SyncPalimpsestClient, user_id: str) -> None:
    """Put every payload into every field of memories, todos, messages and sessions."""
    for start in range(0, len(PAYLOADS), AT_ONCE):
        several = PAYLOADS[start : start + AT_ONCE]
        words = " ".join(several)
        api.add(
            f"tea {words}",
            user_id=user_id,
            summary=words,
            subject=words,
            attribute=words,
            value=words,
            tags=several,
            entities=several,
        )
    everything = "\n".join(PAYLOADS)
    api.add_todo(everything, user_id=user_id)
    said = [
        {"role": "user", "content": f"I like tea. {everything}"},
        {"role": "assistant", "content": everything},
    ]
    # An id with a slash would be another path of the API.
    session_id = next(payload for payload in PAYLOADS if "/" not in payload)
    api.save_conversation(said, user_id=user_id, session_id=session_id)
    api.end_session(session_id, user_id=user_id)


def test_no_payload_runs_in_any_view(visit: Visiting, api: SyncPalimpsestClient) -> None:
    user_id = f"<img src=x onerror=window.{MARK}=1> {uuid4().hex[:8]}"
    plant(api, user_id)
    with visit() as visitor:
        page = visitor.sign_in(user_id)
        for view in VIEWS:
            show_view(page, visitor.url, view)
            assert not has_run(page), view.name
        page.goto(f"{visitor.url}/page/memories")
        page.locator(".memory-content a").first.click()
        page.get_by_role("dialog").get_by_role("link", name="Edit").click()
        page.get_by_label("Content").fill(f"coffee {PAYLOADS[5]}")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("status")).to_contain_text("Saved.")
        page.locator(".memory-content a", has_text="coffee").click()
        expect(page.get_by_role("dialog").locator("ins").first).to_be_visible()
        assert not has_run(page)
