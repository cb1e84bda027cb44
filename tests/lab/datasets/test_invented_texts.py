"""Invented texts: all different, repeatable, as long as messages are."""

from itertools import islice
from statistics import mean

from palimpsest_lab.datasets.invented_texts import generate_statements


def test_each_is_different_and_carries_its_mark() -> None:
    made = list(islice(generate_statements(1), 3000))
    assert (
        len({statement.text for statement in made})
        == len({statement.mark for statement in made})
        == 3000
    )
    assert all(
        statement.mark in statement.text and statement.mark in statement.question
        for statement in made
    )


def test_the_same_seed_gives_the_same_and_another_gives_others() -> None:
    first, again, other = (list(islice(generate_statements(seed), 50)) for seed in (7, 7, 8))
    assert first == again
    assert not {statement.mark for statement in first} & {statement.mark for statement in other}


def test_they_are_as_long_as_messages_of_people_and_in_both_languages() -> None:
    made = [statement.text for statement in islice(generate_statements(1), 1000)]
    chinese = [text for text in made if not text.isascii() and "收据" in text]
    assert 200 < len(chinese) < 400
    assert 110 < mean(len(text) for text in made if "收据" not in text) < 160
