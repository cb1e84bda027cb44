import pytest

from palimpsest_language.question_intents.named_people import names_person


@pytest.mark.parametrize(
    ("question", "name", "named"),
    [
        ("When did Caroline move?", "Caroline", True),
        ("when did caroline move", "Caroline", True),
        ("Caroline's sister", "Caroline", True),
        ("What did Jonas eat?", "Jon", False),
        ("What did Jon eat?", "Jon Snow", True),
        ("What did Snow eat?", "Jon Snow", False),
        ("小明喜欢什么", "小明", True),
        ("王小明喜欢什么", "小明", True),
        ("小红喜欢什么", "小明", False),
        ("What does ＡＤＡ drink?", "Ada", True),
        ("C++ or Rust?", "C++", True),
        ("Ada喜欢喝茶吗", "Ada", True),
        ("anything", "", False),
        ("anything", "  ", False),
    ],
)
def test_whether_a_question_names_somebody(question: str, name: str, named: bool) -> None:
    assert names_person(question, name) is named
