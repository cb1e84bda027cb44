"""Every scope has a folder of its own, whatever its ids are."""

from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.scope import Scope
from palimpsest.workspace.places import find_file, find_folder, read_folder

LETTERS = st.sampled_from(
    [*"aAzZ.-_%/\\:~ @", "\u00e9", "\u0301", "ß", "张", "ｱ", "ﬁ", "가", "ᄀ", "ᅡ"]
)
IDS = st.text(LETTERS, min_size=1, max_size=40).filter(lambda text: not text.isspace())
SCOPES = st.builds(Scope, user_id=IDS, agent_id=st.none() | IDS, project_id=st.none() | IDS)


@given(SCOPES, SCOPES)
def test_two_scopes_never_share_a_folder_even_where_case_does_not_count(
    one: Scope, other: Scope
) -> None:
    same = str(find_folder(one)).casefold() == str(find_folder(other)).casefold()
    assert same == (one == other)


@given(SCOPES)
def test_a_folder_tells_its_scope_unless_its_name_was_shortened(scope: Scope) -> None:
    path = find_file(scope, MemoryFile.MEMORY)
    assert all(len(part.encode()) < 200 and part.strip(". ") == part for part in path.parts)
    assert "~" in str(path) or read_folder(path) == scope


@pytest.mark.parametrize(
    ("scope", "folder"),
    [
        (Scope(user_id="ada"), "ada/shared"),
        (Scope(user_id="ada@example.com", agent_id="poet"), "ada@example.com/poet"),
        (Scope(user_id="张三", agent_id="shared"), "张三/%73hared"),
        (Scope(user_id="ada", project_id="book"), "ada/shared/projects/book"),
        (Scope(user_id="..", agent_id="con"), "%2E%2E/%63on"),
    ],
)
def test_plain_names_stay_readable(scope: Scope, folder: str) -> None:
    assert find_folder(scope) == PurePath(folder)


def test_other_paths_tell_no_scope() -> None:
    for path in (
        "ada/memory.md",
        "ada/shared/context/other.md",
        "ada/shared/x/b/context/memory.md",
    ):
        assert read_folder(PurePath(path)) is None
