import pytest

from palimpsest.model.entity import EntityKind
from palimpsest.model.kinds import Kind
from palimpsest_server.domain.entities.entity_names import build_name_key, find_entity_names
from tests.support.server.domain.consolidation.samples import candidate


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TechCorp", "Tech Corp"),
        ("TechCorp", "techcorp"),
        ("TechCorp", "Tech-Corp."),
        ("TechCorp", "ＴｅｃｈＣｏｒｐ"),
        ("New York", "new york"),
        ("Vue 3", "vue3"),
        ("小白", "「小白」"),
        ("字节跳动", "字节 跳动"),
        ("O'Reilly", "O’Reilly"),
    ],
)
def test_writings_of_one_name_are_known_as_one(one: str, other: str) -> None:
    assert build_name_key(one) == build_name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("US", "us"),
        ("IT", "it"),
        ("Al", "AL"),
        ("Go", "go"),
        ("Ann", "Anna"),
        ("TechCorp", "TechCorps"),
        ("C++", "C#"),
        ("Area 5 1", "Area 51"),
        ("小白", "小黑"),
        ("张伟", "张 伟强"),
    ],
)
def test_what_may_be_two_stays_two(one: str, other: str) -> None:
    assert build_name_key(one) != build_name_key(other)


@pytest.mark.parametrize(
    ("attribute", "kind", "expected"),
    [
        ("employer", Kind.FACT, EntityKind.ORGANISATION),
        ("公司", Kind.FACT, EntityKind.ORGANISATION),
        ("city", Kind.FACT, EntityKind.PLACE),
        ("pets", Kind.FACT, EntityKind.PET),
        ("tools", Kind.FACT, EntityKind.TECHNOLOGY),
        ("preferred_framework", Kind.PREFERENCE, EntityKind.TECHNOLOGY),
        ("wife", Kind.PERSON, EntityKind.PERSON),
        ("likes", Kind.PREFERENCE, None),
    ],
)
def test_the_attribute_tells_of_what_kind_its_value_is(
    attribute: str, kind: Kind, expected: EntityKind | None
) -> None:
    said = candidate("x", attribute=attribute, value="Lark", entities=("Lark", "Owl"), kind=kind)
    assert find_entity_names(said) == {"Lark": expected, "Owl": None}


def test_of_whom_it_is_said_is_named_as_well_unless_it_is_the_user_or_nobody() -> None:
    assert find_entity_names(candidate("x", subject="Caroline")) == {"Caroline": None}
    for nobody in ("user", "用户", "decision", "team", " "):
        assert find_entity_names(candidate("x", subject=nobody)) == {}
    assert find_entity_names(candidate("x", entities=("n" * 500,))) == {}
