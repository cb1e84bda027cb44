"""Pictures of every view in both languages and themes, on a desk and on a phone, into .screenshots/."""

import argparse
import asyncio
import tempfile
from itertools import product
from pathlib import Path
from urllib.parse import quote

from services.page.view_table import VIEWS
from tests.support.browser import household
from tests.support.browser.chromium import LOCALES, NARROW, WIDE, run_chromium, visiting
from tests.support.journeys.running import RunningPalimpsest
from tests.support.paths import ROOT

FOLDER = ROOT / ".screenshots"

QUESTIONS = {"en": "What could I cook?", "zh": "晚饭做什么好？"}
"""Questions that the view of recall answers."""


async def start(running: RunningPalimpsest) -> None:
    await running.start()
    async with running.client() as client:
        await household.fill(client)


def take(url: str, names: list[str]) -> None:
    """Take pictures of these views."""
    FOLDER.mkdir(exist_ok=True)
    looks = product(LOCALES, ("light", "dark"), (WIDE, NARROW))
    with run_chromium() as browser:
        for language, theme, width in looks:
            with visiting(browser, url, width=width, language=language, theme=theme) as visitor:
                page = visitor.sign_in(household.USER)
                for name in names:
                    query = f"?query={quote(QUESTIONS[language])}" if name == "recall" else ""
                    page.goto(f"{url}/page/{name}{query}")
                    page.wait_for_timeout(400)
                    page.screenshot(path=FOLDER / f"{name}-{language}-{theme}-{width}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--view", help="this view alone")
    parser.add_argument("--url", help="of a Palimpsest that runs already and asks for no keys")
    given = parser.parse_args()
    names = [given.view] if given.view else [view.name for view in VIEWS]
    if given.url:
        take(given.url, names)
        return
    with tempfile.TemporaryDirectory() as folder:
        running = RunningPalimpsest(Path(folder) / "data")
        try:
            asyncio.run(start(running))
            take(running.instance.http_url, names)
            asyncio.run(running.interrupt())
        finally:
            asyncio.run(running.put_away())


if __name__ == "__main__":
    main()
