import pytest

from palimpsest_language.attributes.attribute_names import (
    canonical_attribute,
    canonical_subject,
    canonical_value,
    is_same_value,
    is_single_valued,
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
        *["partner", "car", "phone", "bank", "gym", "main language", "Primary doctor"],
        *["对象", "汽车", "手机", "银行", "健身房"],
        *[
            "城市",
            "居住地",
            "公司",
            "雇主",
            "职业",
            "生日",
            "框架",
            "首选框架",
            "最喜欢的颜色",
            "diet",
            "饮食方式",
        ],
    ],
)
def test_of_these_one_value_holds_at_a_time(attribute: str) -> None:
    assert is_single_valued(attribute)


@pytest.mark.parametrize(
    "attribute",
    [
        *["likes", "dislikes", "pets", "tools", "hobbies", "languages", "allergies"],
        *[
            "sister",
            "never heard of",
            "dietary restrictions",
            "忌口",
            "social media accounts",
            "cars",
            "喜好",
            "工具",
            "宠物",
            "过敏",
            "会说的语言",
            "爱好",
        ],
    ],
)
def test_of_everything_else_nothing_is_lost(attribute: str) -> None:
    assert not is_single_valued(attribute)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("city", "城市"),
        ("Home City", "居住地"),
        ("employer", "公司"),
        ("company", "雇主"),
        ("preferred framework", "框架"),
        ("programming-language", "编程语言"),
        ("favourite color", "favorite_color"),
        ("最喜欢的颜色", "favorite_颜色"),
        ("likes", "喜欢"),
        ("tools", "技术栈"),
        ("languages", "会说的语言"),
    ],
)
def test_an_attribute_is_the_same_in_both_languages(one: str, other: str) -> None:
    assert canonical_attribute(one) == canonical_attribute(other)


def test_other_attributes_stay_what_they_are_called() -> None:
    assert canonical_attribute("Best Friend") == "best_friend"
    assert canonical_attribute("language") != canonical_attribute("preferred language")
    assert canonical_attribute("最喜欢") == "最喜欢"


@pytest.mark.parametrize("subject", [None, "", "I", "me", "User", "the user", "我", "用户"])
def test_the_user_has_many_names(subject: str | None) -> None:
    assert canonical_subject(subject) == "user"


def test_others_are_themselves() -> None:
    assert canonical_subject(" Bob ") == canonical_subject("bob") != canonical_subject("Alice")


def test_a_value_is_the_same_however_it_is_written() -> None:
    assert is_same_value("New  York", "new york.")
    assert not is_same_value("Berlin", "Bern")
    assert not is_same_value("C++", "Rust")
    assert not is_same_value("C++", "C#")


@pytest.mark.parametrize(
    ("done", "thing"),
    [
        ("drinking coffee", "coffee"),
        ("to eat Sushi", "sushi"),
        ("喝咖啡", "咖啡"),
        ("吃 辣", "辣"),
    ],
)
def test_what_is_done_with_food_and_drink_says_nothing_of_which_it_is(
    done: str, thing: str
) -> None:
    assert is_same_value(done, thing)
    assert not is_same_value(done, "tea")


@pytest.mark.parametrize("value", ["eating", "吃", "drinks", "eaten apples"])
def test_the_word_for_it_alone_is_a_value_of_its_own(value: str) -> None:
    assert canonical_value(value) == value
