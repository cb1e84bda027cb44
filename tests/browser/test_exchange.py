"""Export and import: a file is saved, looked at, and taken in as the memories of another user."""

from pathlib import Path

from playwright.sync_api import expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser.chromium import NARROW


def test_what_is_exported_is_looked_at_and_imported(
    visit: Visiting, api: SyncPalimpsestClient, tmp_path: Path
) -> None:
    for content in ("I keep <b>bees</b>", "I row on Sundays"):
        api.add(content, user_id="exporter")
    file = tmp_path / "export.jsonl"
    with visit() as visitor:
        page = visitor.sign_in("exporter")
        page.goto(f"{visitor.url}/page/exchange")
        with page.expect_download() as download:
            page.get_by_text("Export everything").click()
        download.value.save_as(file)
        expect(page.locator("#export-progress")).to_contain_text("Exported")
    assert file.read_text(encoding="utf-8").count('"record":"memory"') == 2
    file.write_text(file.read_text(encoding="utf-8") + "no record\n", encoding="utf-8")
    with visit(width=NARROW) as visitor:
        page = visitor.sign_in("importer")
        page.goto(f"{visitor.url}/page/exchange")
        page.get_by_label("File of an export").set_input_files(file)
        page.get_by_text("Look without importing").click()
        result = page.locator("#import-result")
        expect(result).to_contain_text("Memories in the file: 2")
        expect(result).to_contain_text("passed over: 1")
        assert api.list(user_id="importer").memories == ()
        for outcome in ("Imported: 2. Known already: 0.", "Imported: 0. Known already: 2."):
            page.get_by_role("button", name="Import the memories").click()
            expect(result).to_contain_text(outcome)
            page.get_by_text("Look without importing").click()
            expect(result).to_contain_text("Memories in the file: 2")
    imported = {memory.content for memory in api.list(user_id="importer").memories}
    assert imported == {"I keep <b>bees</b>", "I row on Sundays"}
