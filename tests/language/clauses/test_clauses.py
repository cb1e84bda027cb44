"""Messages are taken apart where a new statement begins, in either language."""

import pytest

from palimpsest_language.clauses.clause_splitter import split_clauses

TAKEN_APART = [
    (
        "I teach physics, and my husband runs a bakery.",
        ["I teach physics", "my husband runs a bakery"],
    ),
    ("I bought bread, milk and eggs.", ["I bought bread, milk and eggs"]),
    ("We flew to Oslo and Nora hated the ferry.", ["We flew to Oslo", "Nora hated the ferry"]),
    (
        "vet tomorrow 10am, pay the plumber by Friday",
        ["vet tomorrow 10am", "pay the plumber by Friday"],
    ),
    ("When it rains, I take the bus.", ["When it rains, I take the bus"]),
    ("Use metric units, never use inches", ["Use metric units", "never use inches"]),
    (
        "I run on Sundays, could you remind me at 8?",
        ["I run on Sundays", "could you remind me at 8"],
    ),
    ("The v1.2.3 release is out. It works.", ["The v1.2.3 release is out", "It works"]),
    ("I coach on Mondays, never before six", ["I coach on Mondays, never before six"]),
    ("My aunt and her three parrots, all summer", ["My aunt and her three parrots, all summer"]),
    ("My aunt sings and her son plays the tuba", ["My aunt sings", "her son plays the tuba"]),
    ("I nap at noon so don't call me before two", ["I nap at noon", "don't call me before two"]),
    (
        "can you ping me on Sunday so I book the court",
        ["can you ping me on Sunday so I book the court"],
    ),
    ("That is my dad's. The red one is mine", ["That is my dad's", "The red one is mine"]),
    ("no. we rent", ["no", "we rent"]),
    ("it's on bus no. 7 again", ["it's on bus no. 7 again"]),
    ("great cake 🎂 we served it cold", ["great cake 🎂", "we served it cold"]),
    ("我教物理，我先生开面包店", ["我教物理", "我先生开面包店"]),
    ("我在宁波做外贸，干了八年了", ["我在宁波做外贸，干了八年了"]),
    ("我不抽烟了，改喝茶", ["我不抽烟了", "改喝茶"]),
    ("我住城东 但上班在城西", ["我住城东", "但上班在城西"]),
    ("要买的：1 牛奶 2 鸡蛋 3 面包", ["要买的", "牛奶", "鸡蛋", "面包"]),
    ("里程碑定为 7 月 3 号上线", ["里程碑定为 7 月 3 号上线"]),
    ("预算 3 万 人手 2 个", ["预算 3 万 人手 2 个"]),
    ("周五开会，提醒我带投影仪", ["周五开会", "提醒我带投影仪"]),
]


@pytest.mark.parametrize(("text", "parts"), TAKEN_APART)
def test_a_message_is_taken_apart_where_a_new_statement_begins(text: str, parts: list[str]) -> None:
    assert [clause.text for clause in split_clauses(text)] == parts


def test_only_the_clause_before_the_question_mark_asks() -> None:
    stated, asked = split_clauses("The recital is on Friday, could you wake me at 7?")
    assert (stated.asks, asked.asks) == (False, True)


def test_who_only_wants_a_nod_states() -> None:
    [clause] = split_clauses("I'm off dairy, remember?")
    assert not clause.asks


@pytest.mark.parametrize("text", ["I paint, you know, mostly boats.", "我周末画画，主要画船。"])
def test_each_clause_stands_verbatim_in_its_sentence(text: str) -> None:
    for clause in split_clauses(text):
        assert clause.sentence[clause.start : clause.end] == clause.text
        assert clause.sentence in text
