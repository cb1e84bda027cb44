"""Conversations: what was said, what it changed, and taking that back."""

import pytest
from playwright.sync_api import Page, expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser import household
from tests.support.browser.chromium import NARROW, WIDE
from tests.support.browser.waiting import wait_until


def say(api: SyncPalimpsestClient, user_id: str, session_id: str, *texts: str) -> None:
    messages = [{"role": "user", "content": text} for text in texts]
    api.save_conversation(messages, user_id=user_id, session_id=session_id, ended=True)


def wait_until_remembered(api: SyncPalimpsestClient, user_id: str, words: str) -> None:
    wait_until(lambda: api.list(user_id=user_id, text=words).memories != ())


def open_conversation(page: Page, url: str, name: str) -> None:
    page.goto(f"{url}/page/conversations")
    page.get_by_role("link", name=name).click()
    page.wait_for_selector("#messages")


@pytest.mark.parametrize(("width", "language"), [(WIDE, "en"), (NARROW, "zh")])
def test_a_conversation_shows_its_messages_and_what_each_of_them_changed(
    visit: Visiting, width: int, language: str
) -> None:
    with visit(width=width, language=language) as visitor:
        page = visitor.sign_in(household.USER)
        open_conversation(page, visitor.url, "搬家")
        message = page.locator(".message", has_text="我已经搬到杭州了")
        expect(message.locator(".effects")).to_contain_text("杭州")
        expect(page.locator(".changes")).to_contain_text("The user lives in Shanghai")
        replaced = {"en": "Replaced", "zh": "已被取代"}[language]
        expect(page.locator(".changes .badge", has_text=replaced).first).to_be_visible()
        anchor = message.get_attribute("id")
        page.goto(f"{page.url}#{anchor}")
        expect(page.locator(".message:target")).to_contain_text("杭州")


@pytest.mark.parametrize(
    ("language", "leads"), [("en", ("and 4 more", "Read it")), ("zh", ("另有 4 项", "查看或撤回"))]
)
def test_each_conversation_of_the_list_says_how_it_is_opened(
    visit: Visiting, language: str, leads: tuple[str, str]
) -> None:
    with visit(language=language) as visitor:
        page = visitor.sign_in(household.USER)
        for words in leads:
            page.goto(f"{visitor.url}/page/conversations")
            talk = page.locator(".talk", has_text="搬家")
            talk.get_by_role("link", name=words).click()
            expect(page.locator("#messages")).to_contain_text("杭州")


def test_what_was_said_is_asked_for_from_the_list(visit: Visiting) -> None:
    with visit(language="zh", width=NARROW) as visitor:
        page = visitor.sign_in(household.USER)
        page.goto(f"{visitor.url}/page/conversations")
        page.get_by_placeholder("我上周说过什么？").fill("她搬到哪个城市了？")
        page.get_by_role("button", name="询问说过的话").click()
        expect(page.locator(".result").first).to_contain_text("杭州")


def test_a_conversation_is_taken_back_after_a_preview_and_that_is_undone(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    say(api, user_id, "monday", "I live in Lisbon.")
    wait_until_remembered(api, user_id, "Lisbon")
    with visit() as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/conversations/session?id=monday")
        page.get_by_role("button", name="Take it back").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("Lisbon")
        dialog.get_by_role("button", name="Take back", exact=True).click()
        expect(page.locator(".changes")).to_contain_text("taken back")
        expect(page.get_by_role("button", name="Take it back")).to_have_count(0)
        assert api.list(user_id=user_id, text="Lisbon").memories == ()
        page.locator(".toast").get_by_role("button", name="Undo").click()
        expect(page.get_by_role("button", name="Take it back")).to_be_visible()
        assert api.list(user_id=user_id, text="Lisbon").memories != ()


@pytest.mark.parametrize(
    ("language", "untitled", "hidden", "put_back"),
    [
        ("en", "Conversation of", "One message is not shown", "Put it back"),
        ("zh", "的对话", "有 1 条消息未显示", "恢复这次对话的改动"),
    ],
)
def test_a_conversation_that_was_taken_back_keeps_its_title_and_is_put_back_later(
    visit: Visiting,
    api: SyncPalimpsestClient,
    user_id: str,
    language: str,
    untitled: str,
    hidden: str,
    put_back: str,
) -> None:
    messages = [
        {"role": "user", "content": "I live in Lisbon."},
        {"role": "assistant", "content": "Good morning!"},
    ]
    api.save_conversation(messages, user_id=user_id, session_id="monday", ended=True)
    wait_until_remembered(api, user_id, "Lisbon")
    api.undo_session("monday", user_id=user_id)
    with visit(language=language) as visitor:
        page = visitor.sign_in(user_id)
        open_conversation(page, visitor.url, untitled)
        expect(page.get_by_role("heading", level=1)).to_contain_text(untitled)
        expect(page.locator(".messages-section")).to_contain_text(hidden)
        notice = page.locator(".messages-section .notice").bounding_box()
        first = page.locator(".message").first.bounding_box()
        assert notice is not None
        assert first is not None
        assert first["y"] - notice["y"] - notice["height"] > 4
        expect(page.locator("main")).to_contain_text("Good morning!")
        page.get_by_role("button", name=put_back).click()
        expect(page.locator("#messages")).to_contain_text("Lisbon")
        assert api.list(user_id=user_id, text="Lisbon").memories != ()


def test_what_was_changed_again_stays_and_is_told_before(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    say(api, user_id, "monday", "I live in Lisbon.")
    wait_until_remembered(api, user_id, "Lisbon")
    say(api, user_id, "tuesday", "I moved to Porto.")
    wait_until_remembered(api, user_id, "Porto")
    with visit(language="zh", width=NARROW) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/conversations/session?id=monday")
        page.get_by_role("button", name="撤回这次对话").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.locator(".conflicts")).to_contain_text("Lisbon")
        expect(dialog.get_by_role("button", name="确认撤回")).to_have_count(0)
        dialog.get_by_role("button", name="保留").click()
        expect(page.locator(".changes")).to_contain_text("之后又有改动")


def test_a_conversation_that_is_said_elsewhere_shows_on_the_open_list_and_incognito_never(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    with visit() as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/conversations")
        expect(page.get_by_text("No conversation yet")).to_be_visible()
        page.wait_for_selector('body[data-live-state="open"]')
        secret = {"role": "user", "content": "I live in Oslo.", "incognito": True}
        api.save_conversation([secret], user_id=user_id, session_id="secret", ended=True)
        say(api, user_id, "tuesday", "I live in Lisbon.")
        expect(page.locator(".talk")).to_contain_text("Lisbon")
        expect(page.locator(".talk")).to_have_count(1)
        expect(page.locator("main")).not_to_contain_text("Oslo")
