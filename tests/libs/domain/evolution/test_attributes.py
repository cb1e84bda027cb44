import pytest

from palimpsest.domain.evolution.attributes import (
    is_single_valued,
    same_value,
    subject_named,
)


@pytest.mark.parametrize(
    "attribute",
    [
        "employer",
        "city",
        "job",
        "name",
        "birthday",
        "preferred_framework",
        "preferred_language",
        "Preferred Language",
        "preferred-editor",
        "favorite_color",
    ],
)
def test_of_these_one_value_holds_at_a_time(attribute: str) -> None:
    assert is_single_valued(attribute)


@pytest.mark.parametrize(
    "attribute",
    ["likes", "dislikes", "pets", "tools", "hobbies", "sister", "never heard of", "喜好"],
)
def test_of_everything_else_nothing_is_lost(attribute: str) -> None:
    assert not is_single_valued(attribute)


@pytest.mark.parametrize("subject", [None, "", "I", "me", "User", "the user", "我", "用户"])
def test_the_user_has_many_names(subject: str | None) -> None:
    assert subject_named(subject) == "user"


def test_others_are_themselves() -> None:
    assert subject_named(" Bob ") == subject_named("bob") != subject_named("Alice")


def test_a_value_is_the_same_however_it_is_written() -> None:
    assert same_value("New  York", "new york.")
    assert not same_value("Berlin", "Bern")
    assert not same_value("C++", "Rust")
    assert not same_value("C++", "C#")
