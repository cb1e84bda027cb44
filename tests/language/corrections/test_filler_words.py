"""Nothing but filler words, over and over: each can be read in one way only, so that it is read at once."""

import asyncio

import pytest

from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.growth import grows_in_proportion
from tests.support.windows import window

LONG_ENOUGH = 44
"""Characters: read in every way that they can be, they took minutes."""


@pytest.mark.parametrize(
    "piece",
    [
        "刚", "刚刚", "早就", "全都", "不对啊", "记错了", "不是，", "我的", "我家的", "哈", "嗯", "对了", "搞定了", "哦哈",
        "是周三不是周四", "名字", "现在", "已经",
    ],
)  # fmt: skip
def test_what_repeats_itself_is_read_in_proportion_to_its_length(piece: str) -> None:
    def read(text: str) -> None:
        request = build_extraction_request(window("在吗", f"我{text}去了", text))
        asyncio.run(LocalExtractor().extract(request))

    assert grows_in_proportion(read, piece, LONG_ENOUGH)
