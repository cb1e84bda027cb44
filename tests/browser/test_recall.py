"""Recall: a question, its answer and the way there, the block, and two policies side by side."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from palimpsest.client import Message, SyncPalimpsestClient
from palimpsest.model.turn import Role
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW, WIDE
from tests.support.browser.waiting import wait_until

WORDS = {
    "en": ("Recall", "Something known is about this", "relevance", "What was left out", "Copied"),
    "zh": ("回忆", "高出门槛", "相关度", "被排除的内容", "已复制"),
}

SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "day", "conversation"),
    [("en", "2 Mar 2026", "the conversation"), ("zh", "2026年3月2日", "所在对话")],
)
def test_each_result_tells_when_it_was_said_and_leads_there(
    visit: Visiting,
    api: SyncPalimpsestClient,
    user_id: str,
    language: str,
    day: str,
    conversation: str,
) -> None:
    message = Message(message_id="1", role=Role.USER, text="I feed a heron", occurred_at=SAID)
    api.save_conversation([message], user_id=user_id, session_id="monday", ended=True)
    wait_until(lambda: api.recall("heron", user_id=user_id).results != ())
    with visit(language=language) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/recall?query=heron")
        result = page.locator(".result", has_text="heron").first
        expect(result).to_contain_text(day)
        result.get_by_role("link", name=conversation).click()
        expect(page.locator("#messages")).to_contain_text("I feed a heron")


@pytest.mark.parametrize(("width", "language"), [(WIDE, "en"), (NARROW, "zh")])
def test_a_question_shows_its_answer_and_the_way_there(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str, width: int, language: str
) -> None:
    button, gate, relevance, left_out, copied = WORDS[language]
    for content in ("I am allergic to peanuts", "I feed a heron", "My car is a red van"):
        api.add(content, user_id=user_id)
    with visit(width=width, language=language) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/recall")
        page.locator('input[type="search"]').fill("What am I allergic to?")
        page.locator('select[name="compared"]').select_option("layered")
        page.locator("main").get_by_role("button", name=button, exact=True).click()
        answers = page.locator(".answer")
        expect(answers).to_have_count(2)
        expect(answers.first).to_contain_text(gate)
        first = answers.first.locator(".result").first
        expect(first).to_contain_text("peanuts")
        first.locator("summary").click()
        expect(first.locator(".parts tr").first).to_be_visible()
        expect(first).to_contain_text(relevance)
        expect(answers.last).to_contain_text("peanuts")
        page.locator(".block").get_by_role("button", name="gated").click()
        expect(page.locator(".block pre")).to_contain_text("peanuts")
        page.context.grant_permissions(["clipboard-write"])
        page.locator(".block [data-copy]").click()
        expect(page.locator(".block [data-copy]")).to_have_text(copied)
        page.locator('input[type="search"]').fill("How tall is the Eiffel Tower?")
        page.locator('select[name="compared"]').select_option("")
        page.locator("main").get_by_role("button", name=button, exact=True).click()
        expect(page.locator(".answer .notice")).to_be_visible()
        expect(page.locator(".excluded summary")).to_contain_text(left_out)
        assert api.list(user_id=user_id).memories != ()
