import pytest

from palimpsest_language.wording.end_phrases import has_ended_value


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("I no longer work at Google", "Google"),
        ("The user no longer works for google.", "Google"),
        ("I don't work at Google any more", "Google"),
        ("I do not live in Berlin any longer", "Berlin"),
        ("I quit Google and joined OpenAI", "Google"),
        ("I left Acme last week", "Acme"),
        ("I resigned from Acme", "Acme"),
        ("I stopped using Vue", "Vue"),
        ("I gave up smoking", "smoking"),
        ("I used to live in Paris", "Paris"),
        ("我不再用 Vue", "Vue"),
        ("我已经不在谷歌工作了", "谷歌"),
        ("我不用 Vue 了", "Vue"),
        ("我不喝咖啡了", "咖啡"),
        ("Vue 已经不用了", "Vue"),
        ("用户从腾讯离职了", "腾讯"),
        ("我离开了阿里巴巴", "阿里巴巴"),
        ("不再用 Vue，改用 React", "Vue"),
        ("我戒了咖啡", "咖啡"),
    ],
)
def test_what_is_said_to_be_over_is_over(content: str, value: str) -> None:
    assert has_ended_value(content, value)


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("I work at Google", "Google"),
        ("I quit Google and joined OpenAI", "OpenAI"),
        ("I no longer use Vue, now I use React", "React"),
        ("I do not eat meat", "meat"),
        ("I don't like early meetings", "early meetings"),
        ("I am used to strong coffee", "strong coffee"),
        ("不再用 Vue，改用 React", "React"),
        ("我不喜欢吃香菜", "吃香菜"),
        ("我住在上海了", "上海"),
        ("我搬到了杭州", "杭州"),
        ("我从腾讯跳槽去了字节", "字节"),
        ("I left Berlin and moved to Bern", "Bern"),
        ("I work at Google", ""),
    ],
)
def test_what_is_stated_denied_or_begins_is_not_over(content: str, value: str) -> None:
    assert not has_ended_value(content, value)
