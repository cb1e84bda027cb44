import pytest

from palimpsest_language.statements.visits_done_today import is_visit_done_today


@pytest.mark.parametrize(
    ("core", "sentence", "done"),
    [
        ("今天去复查", "今天去复查，医生给换药了", True),
        ("今天去复查了", "今天去复查了，血压有点高", True),
        ("今天上午陪妈妈去体检", "今天上午陪妈妈去体检，结果都出来了", True),
        ("今天去复查", "今天去复查，别忘了提醒我", False),
        ("今天去复查", "今天去复查，太紧张了", False),
        ("今天去复查", "今天去复查，快到了", False),
        ("今天去银行办卡", "今天去银行办卡", False),
        ("今天要去复查", "今天要去复查，药吃完了", False),
        ("明天去复查", "明天去复查，号挂好了", False),
    ],
)
def test_who_tells_how_it_went_was_there(core: str, sentence: str, done: bool) -> None:
    assert is_visit_done_today(core, sentence) is done
