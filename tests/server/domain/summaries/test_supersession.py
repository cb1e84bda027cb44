"""Which account of a session stands when another comes, as a table."""

from datetime import timedelta

import pytest

from palimpsest.model.session_summary import CHAT_SERVICE, SessionSummary
from palimpsest.model.turn import Role
from palimpsest_server.domain.summaries.eligibility import is_worth_a_summary
from palimpsest_server.domain.summaries.supersession import choose_summary
from tests.support.server.domain.session_summaries import LOCAL, MODEL, NOW, summary
from tests.support.turns import turn


@pytest.mark.parametrize(
    ("before", "comes", "text"),
    [
        # The session went on, or the same was asked twice.
        (summary(), summary(through=8), f"{MODEL} up to 8."),
        (summary(through=8), summary(), f"{MODEL} up to 8."),
        (summary(LOCAL), summary(), f"{MODEL} up to 4."),
        # Rules do not replace what a model said of the same messages, but of more.
        (summary(), summary(LOCAL), f"{MODEL} up to 4."),
        (summary(), summary(LOCAL, 8), f"{LOCAL} up to 8."),
        (summary(), summary("local-fallback"), f"{MODEL} up to 4."),
        # A placeholder hides nothing, and anything replaces it.
        (summary(), summary(through=8, failed=True), f"{MODEL} up to 4."),
        (summary(failed=True), summary(LOCAL), f"{LOCAL} up to 4."),
        (summary(through=8, failed=True), summary(), f"{MODEL} up to 4."),
        # The chat service's words stay where rules would write, and give way to a model.
        (summary(), summary(CHAT_SERVICE, 0), f"{CHAT_SERVICE} up to 0."),
        (summary(CHAT_SERVICE, 0), summary(LOCAL), f"{CHAT_SERVICE} up to 0."),
        (summary(CHAT_SERVICE, 0), summary(), f"{MODEL} up to 4."),
        # Of what may tell what was taken back since nothing stays, whoever made it.
        (summary(), summary(LOCAL, left_out=("t",)), f"{LOCAL} up to 4."),
        (summary(CHAT_SERVICE, 0), summary(LOCAL, left_out=("t",)), f"{LOCAL} up to 4."),
        (summary(left_out=("t",)), summary(LOCAL, left_out=("t",)), f"{MODEL} up to 4."),
        (summary(through=8), summary(LOCAL, left_out=("t",)), f"{MODEL} up to 8."),
        (summary(), summary(failed=True, left_out=("t",)), f"{MODEL} up to 4."),
    ],
)
def test_the_better_account_stands(
    before: SessionSummary, comes: SessionSummary, text: str
) -> None:
    stands = choose_summary(before, comes)
    assert stands.text == text
    assert stands.version == (1 if stands == before else 2)


def test_a_published_account_keeps_what_is_known_of_the_session() -> None:
    stands = choose_summary(summary(topics=("sailing",)), summary(CHAT_SERVICE, 0))
    assert (stands.made_by, stands.message_count, stands.through) == (CHAT_SERVICE, 4, 4)
    assert stands.topics == ("sailing",)
    more = choose_summary(stands, summary(LOCAL, 8, topics=("boats",)))
    assert (more.made_by, more.text) == (CHAT_SERVICE, stands.text)
    assert (more.through, more.topics, more.version) == (8, ("boats",), 3)


def test_the_same_account_changes_nothing() -> None:
    standing = summary(version=3)
    later = timedelta(hours=1)
    same = summary(made_at=NOW + later, expires_at=standing.expires_at + later)
    assert choose_summary(standing, same) is standing


@pytest.mark.parametrize(
    ("texts", "worth"),
    [
        (["I want to change jobs", "Why?", "The pressure is too high"], True),
        (["我最近在考虑换工作", "可以聊聊原因吗？", "压力太大了"], True),
        (["I want to change jobs", "Why?"], False),
        (["你好", "你好呀", "谢谢", "不客气", "再见"], False),
        (["Hi!", "Hello!", "Thanks", "Bye"], False),
        (["你好", "你好呀！", "哈哈", "😄", "今天天气真好", "是啊，适合出去走走"], False),
        (["今天真热", "注意防暑", "天气不错", "是的"], False),
        (["Hi!", "Hello!", "nice weather today", "Yes, enjoy it", "Thanks"], False),
        (["It's so hot today", "Stay cool!", "haha", "Anything else?"], False),
        (["今天天气真好", "是啊", "我下周要搬到杭州"], True),
        (["你好", "要用 PostgreSQL 吗？", "好的"], True),
        (["Hi", "Shall we use PostgreSQL?", "ok"], True),
        (["What a lovely day", "It is", "I start at Globex on Monday"], True),
    ],
)
def test_small_talk_and_three_words_are_not_summed_up(texts: list[str], worth: bool) -> None:
    roles = [Role.USER, Role.AGENT] * 3
    turns = [
        turn(number, text=text, role=role)
        for number, (text, role) in enumerate(zip(texts, roles, strict=False), start=1)
    ]
    assert is_worth_a_summary(turns) is worth
