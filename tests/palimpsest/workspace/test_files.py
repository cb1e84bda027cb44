"""Files are readable, stable, and lose nothing that a person wrote."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.kinds import KINDS, Kind
from palimpsest.workspace.file_contents import ShownMemory
from palimpsest.workspace.parse_file import parse_file
from palimpsest.workspace.render_file import render_file, take_snapshot
from palimpsest.workspace.sections import choose_kind, find_section, list_sections
from tests.support.palimpsest.workspace.edited_files import remember, remember_all, write

FILED = [kind for kind in Kind if KINDS[kind].file is not None]
MEMORIES = st.lists(
    st.builds(
        ShownMemory,
        id=st.uuids().map(str),
        kind=st.sampled_from(FILED),
        content=st.text(min_size=1).filter(lambda text: not text.isspace()),
        order=st.integers(0, 5),
    ),
    unique_by=lambda memory: memory.id,
)


@given(MEMORIES, st.randoms())
def test_the_same_memories_give_the_same_bytes(memories: list[ShownMemory], random: Random) -> None:
    shuffled = random.sample(memories, len(memories))
    for file in MemoryFile:
        assert write(memories, file) == write(shuffled, file)


@given(MEMORIES)
def test_every_memory_is_read_back_from_its_file(memories: list[ShownMemory]) -> None:
    read = [
        (line.id, line.text)
        for file in MemoryFile
        for line in parse_file(file, write(memories, file)).lines
    ]
    assert len(read) == len(memories)
    for memory in memories:
        assert any(
            memory.id.startswith(short or "-") and memory.content == text for short, text in read
        )


def test_five_hundred_memories_round_trip_byte_for_byte() -> None:
    memories = [
        remember(f"memory {number} 记忆", FILED[number % len(FILED)], place=number)
        for number in range(500)
    ]
    for file in MemoryFile:
        snapshot = take_snapshot(file, memories)
        written = render_file(file, snapshot)
        parsed = parse_file(file, written)
        assert [line.text for line in parsed.lines] == [line.text for line in snapshot.lines]
        assert (parsed.kept, parsed.token) == ((), snapshot.token)
        assert render_file(file, snapshot, kept=parsed.kept) == written


def test_the_table_of_kinds_says_which_file_a_memory_stands_in() -> None:
    memories = [remember(f"about {kind}", kind) for kind in Kind]
    for kind in Kind:
        for file in MemoryFile:
            assert (f"about {kind} <!--" in write(memories, file)) == (KINDS[kind].file is file)


def test_lines_are_grouped_under_headings_in_the_order_in_which_they_were_kept() -> None:
    late, early = remember("late", place=9), remember("early", place=1)
    tea = remember("tea", Kind.PREFERENCE, place=5)
    written = write([late, tea, early])
    places = [written.index(words) for words in ("## User Preferences · 用户偏好", "- tea")]
    places += [written.index(words) for words in ("## Known Facts · 用户信息", "- early", "- late")]
    assert places == sorted(places)


@pytest.mark.parametrize("file", MemoryFile)
def test_a_new_line_gets_a_kind_of_its_section_in_either_language(file: MemoryFile) -> None:
    for section in list_sections(file):
        for heading in (section.english.upper(), section.chinese):
            assert find_section(file, heading) == section
        kind = choose_kind(file, section)
        assert (KINDS[kind].file, KINDS[kind].section) == (file, section)
    assert KINDS[choose_kind(file, None)].file is file


def test_ids_that_begin_alike_are_told_apart() -> None:
    twins = [
        ShownMemory(id=f"aaaaaaaa-{end}", kind=Kind.FACT, content=end, order=0)
        for end in ("1111", "2222")
    ]
    written = write(twins)
    assert "<!-- aaaaaaaa-1 -->" in written
    assert "<!-- aaaaaaaa-2 -->" in written


OWN_TEXT = """some prose

more of it
## My own heading
- a line of mine
```
- code
```
<!-- a comment
- in it
-->
<!-- never closed
| a | table |"""


def test_what_is_no_memory_stays_in_the_file_with_a_note() -> None:
    memories = remember_all("tea", "coffee")
    first_line = write(memories).split("\n- coffee")[0].rsplit("\n", 1)[1]
    written = write(memories).replace(first_line, f"{first_line}\n{OWN_TEXT}")
    parsed = parse_file(MemoryFile.MEMORY, written)
    assert [line.text for line in parsed.lines] == ["tea", "coffee"]
    again = render_file(
        MemoryFile.MEMORY, take_snapshot(MemoryFile.MEMORY, memories), kept=parsed.kept
    )
    for line in OWN_TEXT.split("\n"):
        assert line in again.split("\n")
    assert "<!-- palimpsest: not read:" in again
    twice = parse_file(MemoryFile.MEMORY, again)
    assert twice.kept == parsed.kept
    assert [line.text for line in twice.lines] == ["tea", "coffee"]


def test_text_beside_a_line_that_goes_stays_in_its_section() -> None:
    tea, coffee = remember_all("tea", "coffee")
    written = write([tea, coffee]).replace("- coffee", "mine\n- coffee")
    kept = parse_file(MemoryFile.MEMORY, written).kept
    again = render_file(MemoryFile.MEMORY, take_snapshot(MemoryFile.MEMORY, [coffee]), kept=kept)
    assert again.index("## Known Facts") < again.index("mine") < again.index("## People")


def test_a_line_that_an_editor_wrapped_is_one_line() -> None:
    written = write(remember_all("Ada lives in Oslo")).replace("lives in", "lives\n  in")
    [line] = parse_file(MemoryFile.MEMORY, written).lines
    assert line.text == "Ada lives in Oslo"
    chinese = write(remember_all("我喜欢喝茶")).replace("喜欢", "喜\n  欢")
    [line] = parse_file(MemoryFile.MEMORY, chinese).lines
    assert line.text == "我喜欢喝茶"


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    written = write(remember_all("tea"))
    windows = "\ufeff" + written.replace("\n", "\r\n")
    assert parse_file(MemoryFile.MEMORY, windows) == parse_file(MemoryFile.MEMORY, written)


def test_conflict_markers_are_never_read_as_memories() -> None:
    written = write(remember_all("tea"))
    conflict = "<<<<<<< HEAD\n- coffee\n=======\n- milk\n>>>>>>> other\n"
    parsed = parse_file(MemoryFile.MEMORY, written.replace("- tea", conflict + "- tea"))
    assert (parsed.has_conflict, parsed.lines) == (True, ())
