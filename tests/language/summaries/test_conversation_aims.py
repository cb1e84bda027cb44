"""The aim of a conversation and what stays open, in the user's words or not at all."""

import pytest

from palimpsest_language.summaries.conversation_aims import find_aim, find_undecided


@pytest.mark.parametrize(
    ("said", "aim"),
    [
        (["可以。", "帮我看看这份合同"], "帮我看看这份合同"),
        (["我最近在考虑换工作", "主要是压力太大了"], "我最近在考虑换工作"),
        (["可以。"], None),
        (["好的", "谢谢", "我昨天请假了"], None),
        (["Yes please", "Could you draft the letter?"], "Could you draft the letter?"),
        (["That is somewhat better.", "Thanks!"], None),
        (["I moved to Oslo."], None),
    ],
)
def test_an_aim_is_a_request_and_no_assent(said: list[str], aim: str | None) -> None:
    assert find_aim(said) == aim


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (["我还没决定去哪", "预算两万"], "我还没决定去哪"),
        (["我还没决定去哪", "那就选大阪吧"], None),
        (["就这么定了", "不过时间我再想想"], "不过时间我再想想"),
        (["I'm not sure about the colour", "Let's go with the blue one"], None),
        (["I haven't decided yet"], "I haven't decided yet"),
        (["We decided on oak"], None),
    ],
)
def test_what_was_settled_later_is_open_no_more(said: list[str], left: str | None) -> None:
    assert find_undecided(said) == left
