import pytest

from palimpsest_language.wording.normalization import extract_gist, normalize_wording


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like tea", "i LIKE tea!!"),
        ("I like to drink coffee in the morning", "I like drinking coffee in the morning"),
        ("User prefers dark mode", "I prefer the dark mode."),
        ("I'm allergic to peanuts", "I am allergic to peanuts"),
        ("My dog is called Rex", "My dog's name is Rex"),
        ("I love jazz", "The user likes jazz"),
        ("I usually go running on Sundays", "I usually go running on Sunday"),
        ("I can't swim", "I cannot swim"),
        ("I don’t eat meat", "I do not eat meat"),
        ("ＡＢＣ１２３ is my plate", "abc123 is my plate"),
        ("I ❤ jazz", "I ❤️ jazz…"),
        ("“I like tea”, he said", "I like tea - he said"),
        ("我喜欢喝咖啡", "用户喜欢喝咖啡。"),
        ("我喜欢喝咖啡", "我非常喜爱喝咖啡"),
        ("我爱喝咖啡", "我喜欢喝咖啡"),
    ],
)
def test_wordings_of_one_statement_are_known_as_one(one: str, other: str) -> None:
    assert extract_gist(one) == extract_gist(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I have 2 cats", "I have 3 cats"),
        ("I have two cats", "I have three cats"),
        ("I like coffee", "I don't like coffee"),
        ("I like coffee", "I never like coffee"),
        ("I love dogs", "I hate dogs"),
        ("I was a teacher", "I am a teacher"),
        ("I liked tea", "I like tea"),
        ("Alice manages Bob", "Bob manages Alice"),
        ("The meeting is on Monday", "The meeting is on Tuesday"),
        ("Call the client before lunch", "Call the client after lunch"),
        ("My sister is called Anna", "My sister is called Hanna"),
        ("My brother lives in Rome", "My sister lives in Rome"),
        ("The price is 1.50", "The price is 150"),
        ("He likes tea", "She likes tea"),
        ("I will move", "I won't move"),
        ("I like C++", "I like C#"),
        ("I like 🍎", "I like 🍌"),
        ("It is 5 degrees", "It is -5 degrees"),
        ("I pay $5", "I pay €5"),
        ("I got 5%", "I got 5"),
        ("The call is at 9:30", "The call is at 9, 30"),
        ("我喜欢喝咖啡", "我不喜欢喝咖啡"),
        ("我有两只猫", "我有三只猫"),
        ("我住在北京", "我住在上海"),
        ("我的生日是三月五日", "我的生日是五月三日"),
        ("小明管小红", "小红管小明"),
    ],
)
def test_what_differs_in_a_word_with_weight_is_not_the_same(one: str, other: str) -> None:
    assert extract_gist(one) != extract_gist(other)


def test_a_text_of_words_without_weight_is_known_by_all_of_them() -> None:
    assert extract_gist("I am me") == "i am me"
    assert extract_gist("...") == normalize_wording("...") == ""
    assert extract_gist("I do") != extract_gist("I am")


def test_text_in_other_scripts_is_kept_whole() -> None:
    assert extract_gist("Я люблю чай") != extract_gist("Я люблю кофе")
    assert extract_gist("café crème") == extract_gist("CAFÉ CRÈME")


def test_a_long_text_is_the_same_only_word_for_word() -> None:
    long = "I like tea and a walk. " * 200
    assert extract_gist(long) == extract_gist(long.upper() + "\n")
    assert extract_gist(long) != extract_gist(long.replace("like", "love"))
