"""A memory is one line, whatever it says, and is read back as it was."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palimpsest.workspace.line_text import read_line, write_line

TRICKY = st.lists(
    st.sampled_from(
        ["\\", "<", "<br>", "<!--", "-->", "&", "&#32;", "#", "\n", " ", "\t", "\r", "a"]
    )
).map("".join)


@given(st.one_of(st.text(), TRICKY))
@example("a\\\nb")
@example("C:\\ \\<br>\\")
@example("\u3000ends wide\u3000")
def test_content_is_read_back_as_it_was_written(content: str) -> None:
    line = write_line(content)
    assert len(f"x{line}x".splitlines()) == 1
    assert line == line.strip()
    assert read_line(line) == content


@pytest.mark.parametrize(
    "plain", ["Ada lives in Oslo", "喜欢 *手冲* 咖啡", "C:\\Users\\ada", "a < b & c > d", "x -> y"]
)
def test_usual_content_stands_in_the_line_as_it_is(plain: str) -> None:
    assert write_line(plain) == plain


def test_a_reference_to_no_character_stays_as_it_is() -> None:
    assert read_line("&#55296; &#9999999;") == "&#55296; &#9999999;"
