"""What people do on the view of memories, done in Chromium on a running Palimpsest."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser import household
from tests.support.browser.chromium import NARROW
from tests.support.browser.waiting import wait_until


@pytest.fixture
def user() -> str:
    """A user of this test's own."""
    return f"user-{uuid4().hex[:8]}"


def find_card(page: Page, words: str) -> Locator:
    return page.locator("article.memory", has_text=words)


def test_search_narrows_the_list_while_somebody_types(visit: Visiting) -> None:
    with visit() as visitor:
        page = visitor.sign_in(household.USER)
        expect(find_card(page, "allergic to peanuts")).to_be_visible()
        expect(page.locator("#erase-everything")).to_be_visible()
        page.get_by_role("searchbox").press_sequentially("杭州")
        expect(find_card(page, "allergic to peanuts")).to_be_hidden()
        expect(find_card(page, "杭州").first).to_be_visible()
        lead = page.locator("#erase-everything").get_by_role("link")
        expect(lead).to_have_text("Erase the topic “杭州”…")
        page.get_by_label("Kind").select_option("fact")
        expect(find_card(page, "杭州").first).to_be_visible()
        lead.click()
        expect(page.get_by_role("textbox", name="Topic")).to_have_value("杭州")
        page.go_back()
        assert "text=" in page.url
        page.get_by_role("searchbox").fill("nothing like that")
        expect(page.get_by_role("heading", name="Nothing fits")).to_be_visible()


def test_what_is_typed_before_the_script_has_come_counts(visit: Visiting) -> None:
    with visit() as visitor:
        page = visitor.sign_in(household.USER)
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/page.js", hold)
        with page.expect_request("**/page.js"):
            page.goto(f"{visitor.url}/page/memories", wait_until="commit")
        page.get_by_role("searchbox").fill("杭州")
        expect(find_card(page, "allergic to peanuts")).to_be_visible()
        held[0].continue_()
        expect(find_card(page, "allergic to peanuts")).to_be_hidden()


def test_filters_by_kind_status_and_agent(visit: Visiting) -> None:
    with visit() as visitor:
        page = visitor.sign_in(household.USER)
        page.get_by_label("Kind").select_option("goal")
        expect(page.locator("article.memory")).to_have_count(1)
        page.get_by_label("Kind").select_option("")
        page.get_by_label("Status").select_option("superseded")
        expect(page.locator("article.memory.faded").first).to_be_visible()
        page.get_by_label("Status").select_option("")
        page.get_by_text("More filters").click()
        page.get_by_label("Agent").select_option("frontend")
        expect(find_card(page, "PostgreSQL")).to_be_visible()
        page.get_by_label("Order").select_option("oldest")
        expect(page).to_have_url(re.compile("sort=oldest"))


def test_agents_are_asked_for_once_somebody_looks_at_that_filter(visit: Visiting) -> None:
    """To count each agent's memories takes the database a while: no visit waits for it."""
    with visit() as visitor:
        page = visitor.sign_in(household.USER)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.reload()
        page.get_by_label("Kind").select_option("goal")
        expect(page.locator("article.memory")).to_have_count(1)
        assert not [url for url in asked if "/memories/agents" in url]
        page.get_by_text("More filters").click()
        expect(page.get_by_label("Agent")).to_be_visible()
        page.get_by_label("Agent").select_option("frontend")
        expect(page).to_have_url(re.compile("agent_id=frontend"))
        page.reload()
        expect(page.get_by_label("Agent")).to_have_value("frontend")


@pytest.mark.parametrize(
    ("language", "why"), [("en", "Why this is remembered"), ("zh", "为什么记住它")]
)
def test_a_memory_shows_the_words_that_it_rests_on(
    visit: Visiting, language: str, why: str
) -> None:
    with visit(width=NARROW, language=language) as visitor:
        page = visitor.sign_in(household.USER)
        find_card(page, "allergic to peanuts").get_by_role("link", name=why).click()
        drawer = page.get_by_role("dialog")
        expect(drawer.locator("mark")).to_contain_text("allergic to peanuts")
        expect(drawer).to_contain_text("the tea house on the third floor")
        page.keyboard.press("Escape")
        expect(drawer).to_be_hidden()


def test_a_memory_is_corrected_and_its_versions_stand_side_by_side(
    visit: Visiting, api: SyncPalimpsestClient, user: str
) -> None:
    api.add("I work as a gardener", user_id=user)
    with visit() as visitor:
        page = visitor.sign_in(user)
        find_card(page, "gardener").get_by_role("link").first.click()
        page.get_by_role("dialog").get_by_role("link", name="Edit").click()
        page.get_by_label("Content").fill("I work as a carpenter")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("status")).to_contain_text("Saved.")
        find_card(page, "carpenter").get_by_role("link").first.click()
        drawer = page.get_by_role("dialog")
        expect(drawer.locator("del")).to_have_text("gardener")
        expect(drawer.locator("ins")).to_have_text("carpenter")


def test_of_two_who_edit_the_second_is_told_with_both_versions(
    visit: Visiting, api: SyncPalimpsestClient, user: str
) -> None:
    memory = api.add("I live in Boston", user_id=user).memory
    assert memory is not None
    with visit() as visitor:
        page = visitor.sign_in(user)
        find_card(page, "Boston").get_by_role("link").first.click()
        page.get_by_role("dialog").get_by_role("link", name="Edit").click()
        page.get_by_label("Content").fill("I live in Chicago")
        api.edit(memory.id, user_id=user, content="I live in Denver")
        page.get_by_role("button", name="Save").click()
        drawer = page.get_by_role("dialog")
        expect(drawer.locator(".conflict")).to_contain_text("Denver")
        expect(drawer.locator(".conflict")).to_contain_text("Chicago")
        assert api.get(memory.id, user_id=user).memory.content == "I live in Denver"
        drawer.get_by_role("button", name="Save mine").click()
        expect(find_card(page, "Chicago")).to_be_visible()


def test_forgetting_is_undone_from_the_toast_and_restored_from_the_list(
    visit: Visiting, api: SyncPalimpsestClient, user: str
) -> None:
    api.add("I collect stamps", user_id=user)
    with visit() as visitor:
        page = visitor.sign_in(user)
        card = find_card(page, "stamps")
        card.get_by_role("button", name="Forget").click()
        expect(card).to_have_class(re.compile("faded"))
        page.get_by_role("status").get_by_role("button", name="Undo").click()
        expect(card).not_to_have_class(re.compile("faded"))
        card.get_by_role("button", name="Forget").click()
        card.get_by_role("button", name="Restore").click()
        expect(card.get_by_role("button", name="Forget")).to_be_visible()


def test_what_waits_is_confirmed_or_rejected(
    visit: Visiting, api: SyncPalimpsestClient, user: str
) -> None:
    api.set_settings(user, review="all")
    api.save_conversation(
        [
            {"role": "user", "content": "I am allergic to cashews."},
            {"role": "user", "content": "My goal is to run a marathon."},
        ],
        user_id=user,
        session_id="review",
    )
    api.end_session("review", user_id=user)
    with visit() as visitor:
        page = visitor.sign_in(user)
        page.goto(f"{visitor.url}/page/memories?status=pending")
        for _ in range(40):
            if page.locator("article.memory").count() >= 2:
                break
            page.wait_for_timeout(250)
            page.reload()
        for words, decision in (("cashews", "Confirm"), ("marathon", "Reject")):
            button = find_card(page, words).get_by_role("button", name=decision)
            button.click()
            # Whoever leaves the page at once may take the click with them.
            expect(button).to_have_count(0)
        page.goto(f"{visitor.url}/page/memories")
        expect(find_card(page, "cashews")).to_be_visible()
        expect(find_card(page, "marathon")).to_have_count(0)


def test_many_are_forgotten_at_once(visit: Visiting, api: SyncPalimpsestClient, user: str) -> None:
    api.add("I like tea", user_id=user)
    api.add("I use tabs", user_id=user, agent_id="coder")
    with visit() as visitor:
        page = visitor.sign_in(user)
        for box in page.get_by_role("checkbox").all():
            box.check()
        page.locator("#chosen-memories").get_by_role("button", name="Forget").click()
        expect(page.get_by_role("status")).to_contain_text("Done: 2 of 2.")
        expect(page.locator("article.memory.faded")).to_have_count(2)
    assert api.list(user_id=user, everywhere=True).memories == ()


def test_a_change_made_elsewhere_shows_within_a_second(
    visit: Visiting, api: SyncPalimpsestClient, user: str
) -> None:
    memory = api.add("I play the cello", user_id=user).memory
    assert memory is not None
    with visit() as visitor:
        page = visitor.sign_in(user)
        page.wait_for_selector('body[data-live-state="open"]')
        page.mouse.move(5, 5)
        # The time limit is that of the promise, on a machine with nothing else to do.
        api.edit(memory.id, user_id=user, content="I play the viola")
        expect(find_card(page, "viola")).to_be_visible()
        api.add("I sing in a choir", user_id=user)
        expect(find_card(page, "choir")).to_be_visible()
        api.forget(memory.id, user_id=user)
        expect(find_card(page, "viola")).to_have_class(re.compile("faded"))


def test_more_are_loaded_as_somebody_scrolls(
    visit: Visiting, api: SyncPalimpsestClient, user: str
) -> None:
    for number in range(60):
        api.add(f"Note number {number}", user_id=user)
    with visit(width=NARROW) as visitor:
        page = visitor.sign_in(user)
        assert page.locator("article.memory").count() == 50
        page.keyboard.press("End")
        expect(page.locator("article.memory")).to_have_count(60)


def test_everything_is_erased_after_a_preview_and_a_confirmation(
    visit: Visiting, api: SyncPalimpsestClient, user: str
) -> None:
    api.add("I keep bees", user_id=user)
    with visit() as visitor:
        page = visitor.sign_in(user)
        page.get_by_role("link", name="Erase everything…").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("memories")
        dialog.get_by_role("textbox").fill("somebody else")
        dialog.get_by_role("button", name="Erase everything").click()
        expect(page.get_by_role("status")).to_contain_text("not the user id")
        dialog.get_by_role("textbox").fill(user)
        dialog.get_by_role("button", name="Erase everything").click()
        expect(page.get_by_role("heading", name="Nothing is remembered yet")).to_be_visible()
    assert api.list(user_id=user).memories == ()


@pytest.mark.parametrize(("language", "written"), [("en", "job"), ("zh", "工作")])
def test_a_search_knows_attributes_and_offers_to_ask_by_meaning(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str, language: str, written: str
) -> None:
    api.add("I teach at a school", user_id=user_id, attribute="job", value="teacher")
    with visit(language=language) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/memories?text={written}")
        expect(page.locator(".memory")).to_have_count(1)
        page.goto(f"{visitor.url}/page/memories?text=nowhere")
        page.locator(".empty .button.primary").click()
        expect(page.locator('main input[type="search"]')).to_have_value("nowhere")


@pytest.mark.parametrize(("language", "restore"), [("en", "Restore"), ("zh", "恢复")])
def test_forgotten_memories_are_restored_together(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str, language: str, restore: str
) -> None:
    for content in ("I feed a heron", "I rent a boat"):
        memory = api.add(content, user_id=user_id).memory
        assert memory is not None
        api.forget(memory.id, user_id=user_id)
    with visit(language=language) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/memories")
        page.locator('select[name="status"]').select_option("forgotten")
        expect(page.locator(".memory")).to_have_count(2)
        for box in page.locator('input[name="chosen"]').all():
            box.check()
        page.locator("#chosen-memories").get_by_role("button", name=restore).click()
        wait_until(lambda: len(api.list(user_id=user_id).memories) == 2)


@pytest.mark.parametrize(("language", "attribute"), [("en", "Job"), ("zh", "职业")])
def test_new_words_that_no_longer_say_the_value_are_asked_about(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str, language: str, attribute: str
) -> None:
    memory = api.add("I am a nurse", user_id=user_id, attribute="job", value="nurse").memory
    assert memory is not None
    with visit(language=language) as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/memories")
        page.locator(".memory-content a").click()
        drawer = page.get_by_role("dialog")
        drawer.locator('a[href*="/edit"]').click()
        drawer.locator("textarea").fill("I teach at a school")
        drawer.locator(".button.primary").click()
        expect(drawer.get_by_role("alert")).to_contain_text(attribute)
        assert api.get(memory.id, user_id=user_id).memory.content == "I am a nurse"
        drawer.get_by_label(attribute).fill("teacher")
        drawer.locator(".button.primary").click()
        expect(drawer).to_have_count(0)
    edited = api.get(memory.id, user_id=user_id).memory
    assert (edited.content, edited.value) == ("I teach at a school", "teacher")


def test_a_corrected_memory_still_shows_what_it_rested_on_and_leads_there(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    said = {"role": "user", "content": "I live in Lisbon."}
    api.save_conversation([said], user_id=user_id, session_id="monday", ended=True)
    wait_until(lambda: api.list(user_id=user_id, text="Lisbon").memories != ())
    (memory,) = api.list(user_id=user_id, text="Lisbon").memories
    api.edit(memory.id, user_id=user_id, content="The user lives in Porto", value="Porto")
    with visit() as visitor:
        page = visitor.sign_in(user_id)
        page.goto(f"{visitor.url}/page/memories/{memory.id}")
        expect(page.locator("main")).to_contain_text("You corrected it on")
        expect(page.locator(".quoted").last).to_contain_text("I live in Lisbon.")
        page.get_by_role("link", name="Conversation of").click()
        expect(page.locator("h1")).to_contain_text("Conversation of")
