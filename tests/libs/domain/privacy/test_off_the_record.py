"""What somebody asks not to be remembered."""

import pytest

from palimpsest.domain.privacy.off_the_record import asks_not_to_remember, on_the_record


@pytest.mark.parametrize(
    "text",
    [
        "Don't remember this: I'm seeing a therapist.",
        "Don't remember this. I'm seeing a therapist.",
        "I'm seeing a therapist. Please do not remember that.",
        "Off the record, we're letting Sam go.",
        "I'm pregnant, but please don't save this to memory.",
        "we are broke. never put any of that into your memory!",
        "I owe him 200. Forget I said that.",
        "I might quit in may, just forget that I ever told you this",
        "这件事不要记下来:我在看心理医生。",
        "我下个月离职，这个别记。",
        "我欠他两百块，别把这个存进记忆里",
        "不要把这句话写到你的记忆里：我怀孕了。",
        "我打算离婚……算了，当我没说",
        "别记住这个。我在看心理医生。",
    ],
)
def test_nothing_of_it_is_on_the_record(text: str) -> None:
    assert asks_not_to_remember(text)
    assert on_the_record(text).strip() == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "I'm seeing a therapist, don't remember that. I like tea.",
            "I like tea.",
        ),
        ("I see a doctor. Don't remember that. Ok?", "Ok?"),
        ("我在看医生，别记住。我喜欢喝茶。", "我喜欢喝茶。"),
        ("对 别记啊。新服务器2月8号切", "新服务器2月8号切"),
    ],
)
def test_what_follows_is_on_the_record_again(text: str, left: str) -> None:
    assert on_the_record(text).strip() == left


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember this street, I moved away in 2009.",
        "Don't remember whether I said so: I live in Berlin.",
        "Don't save this in the fridge, it spoils.",
        "Did I forget to say that I live in Rome?",
        "I forgot I said that. I like tea.",
        "She told me to save it to memory cards.",
        "别记错了，我住在上海浦东。",
        "老是记不住名字，我不记仇。",
        "不要把文件存到桌面。",
        "当我没说清楚的时候请问我",
    ],
)
def test_who_only_speaks_of_remembering_is_remembered(text: str) -> None:
    assert on_the_record(text) == text
