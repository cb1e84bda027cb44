"""Standing questions: kept, answered by memories that open, answered anew by a change, and removed."""

import pytest
from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW, WIDE

LONG_NAME = "an-agent-with-a-name-that-is-longer-than-anybody-would-choose-" * 2


def test_a_long_name_of_an_agent_leaves_room_for_the_question(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    api.add("I feed a heron", user_id=user_id, agent_id=LONG_NAME)
    with visit(width=WIDE) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/questions")
        expect(page.locator("select[name=agent_id]")).to_be_visible()
        field = page.get_by_label("Question").bounding_box()
        assert field is not None
        assert field["width"] > WIDE / 4


WORDS = {
    "en": ("Question", "Keep the question", "Remove", "No question yet"),
    "zh": ("问题", "保留问题", "移除", "还没有常设问题"),
}


@pytest.mark.parametrize(("width", "language"), [(WIDE, "en"), (NARROW, "zh")])
def test_a_question_is_kept_answered_anew_and_removed(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str, width: int, language: str
) -> None:
    label, keep, remove, none = WORDS[language]
    api.add("I am allergic to peanuts", user_id=user_id)
    with visit(width=width, language=language) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/questions")
        expect(page.get_by_text(none)).to_be_visible()
        page.get_by_label(label).fill("What am I allergic to?")
        page.get_by_role("button", name=keep).click()
        question = page.locator(".question", has_text="What am I allergic to?")
        source = question.get_by_role("link", name="I am allergic to peanuts")
        expect(source).to_be_visible()
        source.click()
        expect(page.locator("dialog[open]")).to_contain_text("I am allergic to peanuts")
        page.keyboard.press("Escape")
        page.wait_for_selector('body[data-live-state="open"]')
        api.add("I am allergic to walnuts too", user_id=user_id)
        expect(question).to_contain_text("walnuts")
        question.get_by_role("button", name=remove).click()
        expect(page.get_by_text(none)).to_be_visible()
    assert api.questions.list(user_id=user_id).questions == ()
    assert len(api.list(user_id=user_id).memories) == 2
