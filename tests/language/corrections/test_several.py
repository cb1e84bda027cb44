"""What one has several of, in both languages: that one holds, and that one no longer does.

The sentences are none of those that the simulated users say.
"""

import pytest

from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from tests.support.language.corrections import everyday

HOLDS = [
    ("I have a bad allergy to shellfish.", "allergies", "shellfish"),
    ("Turns out I'm allergic to latex", "allergies", "latex"),
    ("Bee stings give me hives", "allergies", "Bee stings"),
    ("my allergies: pollen", "allergies", "pollen"),
    ("I also understand Dutch", "languages", "Dutch"),
    ("Frisian is one of my languages", "languages", "Frisian"),
    ("my Welsh is fairly decent", "languages", "Welsh"),
    ("We adopted Biscuit the beagle", "pets", "Biscuit the beagle"),
    ("Our pet is Olive the tortoise", "pets", "Olive the tortoise"),
    ("Figma is one of my tools", "tools", "Figma"),
    ("For invoices I use Harvest", "tools", "Harvest"),
    ("My notes all live in Obsidian", "tools", "Obsidian"),
    ("bouldering is a hobby of mine", "hobbies", "bouldering"),
    ("I spend most of my weekends on birdwatching", "hobbies", "birdwatching"),
    ("I've taken up calligraphy recently", "hobbies", "calligraphy"),
    ("I have a soft spot for old westerns", "likes", "old westerns"),
    ("I can't get enough of miso soup", "likes", "miso soup"),
    ("One thing I love: thunderstorms", "likes", "thunderstorms"),
    ("我一吃虾就浑身发痒", "allergies", "虾"),
    ("我的过敏原是尘螨", "allergies", "尘螨"),
    ("荷兰语也是我会的语言", "languages", "荷兰语"),
    ("我在家说闽南语", "languages", "闽南语"),
    ("我们领养了一只橘猫年糕", "pets", "橘猫年糕"),
    ("我家有柯基豆包", "pets", "柯基豆包"),
    ("Figma是我的主力工具", "tools", "Figma"),
    ("我的资料都存在Obsidian里", "tools", "Obsidian"),
    ("攀岩是我的爱好", "hobbies", "攀岩"),
    ("业余时间我都花在观鸟上", "hobbies", "观鸟"),
    ("我最近迷上了书法", "hobbies", "书法"),
    ("我对老电影毫无抵抗力", "likes", "老电影"),
    ("我是侦探小说的爱好者", "likes", "侦探小说"),
    ("酸辣粉我特别喜欢", "likes", "酸辣粉"),
]

NO_LONGER = [
    ("I've outgrown my allergy to eggs", "allergies", "eggs"),
    ("I'm no longer allergic to dust", "allergies", "dust"),
    ("my pollen allergy has vanished", "allergies", "pollen"),
    ("I've forgotten all my Danish", "languages", "Danish"),
    ("I no longer understand Farsi", "languages", "Farsi"),
    ("We no longer keep Biscuit the beagle", "pets", "Biscuit the beagle"),
    ("Olive the tortoise passed away", "pets", "Olive the tortoise"),
    ("I've ditched Evernote", "tools", "Evernote"),
    ("I cancelled my Harvest subscription", "tools", "Harvest"),
    ("I don't use Trello any more", "tools", "Trello"),
    ("I've given up bouldering", "hobbies", "bouldering"),
    ("I don't do karate any more", "hobbies", "karate"),
    ("sold all my equipment for diving", "hobbies", "diving"),
    ("I've gone off liquorice", "likes", "liquorice"),
    ("I no longer enjoy crime shows", "likes", "crime shows"),
    ("I'm tired of sudoku", "likes", "sudoku"),
    ("我对鸡蛋已经不过敏了", "allergies", "鸡蛋"),
    ("我的花粉过敏好了", "allergies", "花粉"),
    ("我的丹麦语全忘了", "languages", "丹麦语"),
    ("我已经不会说波斯语了", "languages", "波斯语"),
    ("橘猫年糕去世了", "pets", "橘猫年糕"),
    ("橘猫年糕被邻居领养了", "pets", "橘猫年糕"),
    ("把柯基豆包送给朋友了", "pets", "柯基豆包"),
    ("我卸载了Evernote", "tools", "Evernote"),
    ("Harvest的订阅我取消了", "tools", "Harvest"),
    ("我再也不用Trello了", "tools", "Trello"),
    ("攀岩我早就放弃了", "hobbies", "攀岩"),
    ("书法不再是我的爱好", "hobbies", "书法"),
    ("潜水的装备都卖了", "hobbies", "潜水"),
    ("我对甘草糖没兴趣了", "likes", "甘草糖"),
    ("以前很喜欢数独，现在不喜欢了", "likes", "数独"),
    ("别再给我推荐肥皂剧了，我看腻了", "likes", "肥皂剧"),
]

NEITHER = [
    "I've dropped the kids off at school",
    "Don't worry about it any more",
    "I picked up the parcel on Saturday",
    "I work with Anna every day",
    "We set up a meeting for Monday",
    "I'm done with the report",
    "the dog next door died, I heard",
    "英语读文档没问题，口语不行。",
    "不用担心了",
    "我不去了",
    "别给我打电话了",
    "用户一枚而已",
]


def found(text: str) -> list[tuple[str | None, str | None, bool]]:
    speaker = SentenceSpeaker(Role.USER, None)
    return [
        (one.attribute, one.value, one.ended)
        for sentence in split_declarative_sentences(text)
        for one in read_facts(sentence, speaker, message=1)
    ]


@pytest.mark.parametrize(("text", "attribute", "value"), [*HOLDS, *everyday.HOLDS])
def test_it_holds(text: str, attribute: str, value: str) -> None:
    assert found(text) == [(attribute, value, False)]


@pytest.mark.parametrize(("text", "attribute", "value"), [*NO_LONGER, *everyday.NO_LONGER])
def test_it_holds_no_longer(text: str, attribute: str, value: str) -> None:
    assert found(text) == [(attribute, value, True)]


@pytest.mark.parametrize("text", [*NEITHER, *everyday.NEITHER])
def test_nothing_of_the_kind_is_said(text: str) -> None:
    assert [one for one in found(text) if one[0] is not None] == []
