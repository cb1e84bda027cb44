"""Tokens are those that the library counts, though only a part of it is loaded."""

import subprocess
import sys

import pytest

from palimpsest_server.models.token_counter import VOCABULARY, get_token_counter


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ada drinks her coffee without milk.",
        "我下周三下午三点去杭州，帮我记一下。",
        "👩‍👧‍👦 <|endoftext|>\r\n\r\n  x",
        "cut off: \ud83d",
        "word " * 3_000,
    ],
)
def test_as_many_tokens_are_counted_as_by_the_library(text: str) -> None:
    import bpe_openai  # noqa: PLC0415 - what is held here is that nobody else loads it

    library = bpe_openai.get_encoding(VOCABULARY)
    assert get_token_counter()(text) == len(library.encode_ordinary(text))


def test_the_part_in_python_is_not_loaded() -> None:
    """It reads three vocabularies line by line, and whoever asks first would wait for that."""
    script = (
        "import sys\n"
        "from palimpsest_server.models.token_counter import get_token_counter\n"
        "assert get_token_counter()('hello') == 1\n"
        "assert 'bpe_openai' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
