"""What asks, and what only says that something is to be found out."""

import pytest

from palimpsest.providers.extraction.rules.statements.moods import is_question


@pytest.mark.parametrize(
    "text",
    [
        "教训：选框架之前先看组件库够不够用",
        "结论：先看组件库够不够用再选",
        "教训：要先看清楚够不够用",
        "教训：先确认数据对不对",
        "上线前必须检查配置有没有改",
        "签合同以前一定问清楚能不能退",
    ],
)
def test_what_has_to_be_found_out_is_no_question(text: str) -> None:
    assert not is_question(text, chinese=True)


@pytest.mark.parametrize(
    "text",
    [
        "组件库够不够用",
        "这个框架好不好",
        "你看看数据对不对",
        "帮我看看够不够",
        "你去确认一下他来不来",
        "要不要先看看够不够用",
        "我先看看够不够用好吗",
    ],
)
def test_what_is_asked_of_somebody_is_one(text: str) -> None:
    assert is_question(text, chinese=True)
