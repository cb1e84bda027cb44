"""Erasing: each way shows beforehand what goes and what stays, and then it goes."""

from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from palimpsest.model.memory import Status
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW


def test_a_topic_is_shown_before_it_goes(visit: Visiting, api: SyncPalimpsestClient) -> None:
    user = "topic-eraser"
    api.add("My sister Rosalind keeps bees", user_id=user)
    api.add("I take the early train", user_id=user)
    with visit(width=NARROW) as visitor:
        page = visitor.sign_in(user)
        page.goto(f"{visitor.url}/page/erase")
        page.get_by_role("textbox", name="Topic").fill("Rosalind")
        page.locator("form[action$='topic/preview'] .button").click()
        preview = page.locator("#topic-preview")
        expect(preview).to_contain_text("Rosalind keeps bees")
        expect(preview).not_to_contain_text("early train")
        assert len(api.list(user_id=user).memories) == 2
        preview.locator(".button.danger").click()
        expect(preview).to_contain_text("Erased: 1")
        expect(page.locator("#erase-progress .badge")).to_have_count(1)
    assert [memory.content for memory in api.list(user_id=user).memories] == [
        "I take the early train"
    ]


def test_a_project_goes_with_what_was_remembered_in_it(
    visit: Visiting, api: SyncPalimpsestClient
) -> None:
    user = "project-eraser"
    for number in range(2):
        api.add(f"The harbour has berth {number}", user_id=user, project_id="harbour")
    api.add("I like tea", user_id=user)
    with visit(language="zh") as visitor:
        page = visitor.sign_in(user)
        page.goto(f"{visitor.url}/page/erase")
        page.get_by_role("combobox", name="项目 ID").fill("nothing-here")
        page.locator("form[action$='project/preview'] .button").click()
        preview = page.locator("#project-preview")
        expect(preview).to_contain_text("没有属于这个项目")
        page.get_by_role("combobox", name="项目 ID").fill("harbour")
        page.locator("form[action$='project/preview'] .button").click()
        expect(preview.locator("dl")).to_contain_text("记忆2")
        preview.locator(".button.danger").click()
        expect(preview).to_contain_text("已删除")
    assert len(api.list(user_id=user, project_id="harbour").memories) == 1


def test_what_is_forgotten_goes_for_good_and_what_says_the_same_is_shown(
    visit: Visiting, api: SyncPalimpsestClient
) -> None:
    user = "forgotten-eraser"
    for content in ("I sold the red bicycle", "I rent a boat", "I feed a heron"):
        memory = api.add(content, user_id=user).memory
        assert memory is not None
        if "heron" not in content:
            api.forget(memory.id, user_id=user)
    with visit() as visitor:
        page = visitor.sign_in(user)
        page.goto(f"{visitor.url}/page/erase")
        chosen = page.locator("#forgotten-list")
        expect(chosen.get_by_role("checkbox")).to_have_count(2)
        expect(chosen.get_by_role("checkbox", checked=True)).to_have_count(0)
        chosen.get_by_label("I sold the red bicycle").check()
        chosen.locator(".button").click()
        preview = page.locator("#forgotten-preview")
        expect(preview.locator(".button.danger")).to_contain_text("1")
        preview.locator(".button.danger").click()
        expect(chosen.get_by_role("checkbox")).to_have_count(1)
        expect(chosen).to_contain_text("boat")
    forgotten = api.list(user_id=user, status=[Status.FORGOTTEN]).memories
    assert [memory.content for memory in forgotten] == ["I rent a boat"]


def test_everything_goes_once_the_user_id_was_typed(
    visit: Visiting, api: SyncPalimpsestClient
) -> None:
    user = "whole-eraser"
    api.add("I collect stamps", user_id=user)
    with visit() as visitor:
        page = visitor.sign_in(user)
        page.goto(f"{visitor.url}/page/erase")
        page.locator("form[action$='everything/preview'] .button").click()
        preview = page.locator("#everything-preview")
        expect(preview.locator("dl")).to_contain_text("Memories")
        field = preview.get_by_label(f"Type {user} to confirm")
        field.fill("somebody-else")
        preview.locator(".button.danger").click()
        expect(page.locator(".toast.problem")).to_contain_text("Nothing was erased")
        assert len(api.list(user_id=user).memories) == 1
        field.fill(user)
        preview.locator(".button.danger").click()
        expect(preview).to_contain_text("Everything is erased")
    assert api.list(user_id=user).memories == ()
