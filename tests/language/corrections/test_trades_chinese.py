"""What somebody works as, beside where: 在长沙做宠物美容师 is of a city and of a trade."""

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts


def held(sentence: str) -> dict[str | None, str | None]:
    found = read_facts(sentence, SentenceSpeaker(Role.USER, None), message=1)
    return {one.attribute: one.value for one in found if not one.ended}


@pytest.mark.parametrize(
    ("sentence", "where", "job"),
    [
        ("我在长沙做宠物美容师", ("city", "长沙"), "宠物美容师"),
        ("在广州做陪诊师 干了三年了", None, "陪诊师"),
        ("我在苏州做外贸", None, "外贸"),
        ("我在成都跑业务，在一家物流公司当仓管", None, "仓管"),
        ("我现在在腾讯做产品经理", ("employer", "腾讯"), "产品经理"),
        ("我在工地当电焊工", None, "电焊工"),
    ],
)
def test_where_one_works_and_as_what(
    sentence: str, where: tuple[str, str] | None, job: str
) -> None:
    found = held(sentence)
    assert found["job"] == job
    assert where is None or found[where[0]] == where[1]


@pytest.mark.parametrize(
    "sentence",
    [
        "我在家做饭",
        "我在医院做手术",
        "我在公司做报告",
        "我在北京做核酸",
        "我以前在上海做设计",
        "朋友在上海做设计",
        "我老公在东莞当保安",
        "我想在上海做设计",
        "我不当真",
        "我在学校做志愿者",
    ],
)
def test_what_is_done_at_a_place_is_no_trade(sentence: str) -> None:
    assert "job" not in held(sentence)
