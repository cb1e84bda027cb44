"""The table of what to touch for a change names files that exist, and not too many."""

import re

import pytest

from tests.support.deploy.pages import target_of
from tests.support.paths import ROOT

PAGE = "libs/README.md"
MOST_FILES = {
    "a field shown in recall": 4,
    "a field or route over HTTP": 2,
    "a kind of memory": 1,
    "a command for people": 4,
    "a vector store": 6,
    "another trigger of extraction": 3,
    "a vendor of models": 4,
    "a language": 7,
}
_ROW = re.compile(r"^\| (?P<change>[^|]+) \| (?P<files>\[`[^|]+) \|$", re.MULTILINE)
_LINK = re.compile(r"\]\(([^)]+)\)")


def read_change_table() -> dict[str, list[str]]:
    """Return the files of each change, by their paths from the root."""
    section = (ROOT / PAGE).read_text(encoding="utf-8").partition("## To add something")[2]
    return {
        row["change"]: [target_of(PAGE, link) for link in _LINK.findall(row["files"])]
        for row in _ROW.finditer(section.partition("\n## ")[0])
    }


def test_the_table_names_each_change() -> None:
    assert list(read_change_table()) == list(MOST_FILES)


@pytest.mark.parametrize("change", MOST_FILES)
def test_the_files_of_a_change_exist_and_are_few(change: str) -> None:
    files = read_change_table()[change]
    assert [file for file in files if not (ROOT / file).exists()] == []
    assert 1 <= len(files) == len(set(files)) <= MOST_FILES[change]
