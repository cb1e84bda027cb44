"""Names in plain facts, as the local rules find them, with the kinds that their words tell."""

import pytest

from palimpsest.model.entity import EntityKind
from palimpsest_language.entity_kinds.entity_kinds import find_entity_kinds
from palimpsest_server.domain.entities.entity_names import find_entity_names
from tests.support.language.statements.saying import proposed
from tests.support.server.domain.consolidation.samples import candidate

ORGANISATION, PERSON, PET = EntityKind.ORGANISATION, EntityKind.PERSON, EntityKind.PET
PLACE, TECHNOLOGY = EntityKind.PLACE, EntityKind.TECHNOLOGY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TechCorp is headquartered in Lisbon.", {"TechCorp": ORGANISATION, "Lisbon": PLACE}),
        ("Nora works at Globex.", {"Nora": PERSON, "Globex": ORGANISATION}),
        ("I adopted a dog called Rex.", {"Rex": PET}),
        ("My cousin Priya lives in Toronto.", {"Priya": PERSON, "Toronto": PLACE}),
        ("Rosa is my manager at Vandelay.", {"Rosa": PERSON, "Vandelay": ORGANISATION}),
        ("Our parrot Kiwi speaks three words.", {"Kiwi": PET}),
        ("Hooli was acquired by Pied Piper.", {"Hooli": ORGANISATION, "Pied Piper": ORGANISATION}),
        ("My brother Omar married Lena.", {"Omar": PERSON, "Lena": PERSON}),
        ("I work as a nurse at Mercy Hospital.", {"Mercy Hospital": ORGANISATION}),
        ("We run PostgreSQL and Kafka.", {"PostgreSQL": TECHNOLOGY, "Kafka": TECHNOLOGY}),
        ("TechCorp 的总部在深圳", {"TechCorp": ORGANISATION, "深圳": PLACE}),
        ("阿里巴巴的总部在杭州", {"阿里巴巴": ORGANISATION, "杭州": PLACE}),
        ("陈静在美团上班", {"陈静": PERSON, "美团": ORGANISATION}),
        ("我领养了一只叫豆包的狗", {"豆包": PET}),
        ("我表妹周婷在招商银行当柜员", {"周婷": PERSON, "招商银行": ORGANISATION}),
        ("赵磊和孙悦结婚了", {"赵磊": PERSON, "孙悦": PERSON}),
        ("我女儿叫朵朵", {"朵朵": PERSON}),
        ("林涛搬到了成都", {"林涛": PERSON, "成都": PLACE}),
        ("我加入了小米，做测试", {"小米": ORGANISATION}),
        ("我们后端用 Redis", {"Redis": TECHNOLOGY}),
    ],
)
async def test_who_and_what_a_plain_fact_names_is_known_with_its_kind(
    text: str, expected: dict[str, EntityKind]
) -> None:
    found: dict[str, EntityKind | None] = {}
    for proposal in await proposed(text):
        fields = proposal.model_dump(include={"kind", "subject", "attribute", "value", "entities"})
        found |= find_entity_names(candidate(proposal.content, **fields))
    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize(
    "content",
    [
        "The user works from home",
        "The user hates bank holidays",
        "用户在一家公司上班",
        "用户住在公司附近",
        "用户的妈妈在家工作",
        "用户喜欢猫和狗",
        "用户和家人一起去爬山",
        "用户的老板很严格",
        "The user's sister lives abroad",
        "The user moved to a bigger flat",
    ],
)
def test_words_that_name_nobody_are_no_names(content: str) -> None:
    assert find_entity_kinds(content) == {}
