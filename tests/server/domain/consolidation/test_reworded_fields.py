"""A value stays with new words only where they still say it."""

import pytest

from palimpsest.model.memory import Memory
from palimpsest_server.domain.consolidation.reworded_fields import (
    fields_after_rewording,
    has_phrase,
)
from tests.support.server.domain.consolidation.overlays import known, one
from tests.support.server.domain.consolidation.samples import about

ROME, TEA = ("I live in Rome.", "city", "Rome"), ("I like green tea", "likes", "green tea")
ROME_ZH, BYTE_ZH = ("我住在罗马。", "city", "罗马"), ("我在字节跳动上班。", "employer", "字节跳动")

STILL_SAID = [
    (ROME, "The user lives in Rome"),
    (ROME, "I live in ROME, near the river"),
    (ROME, "The user has a flat in Rome (Trastevere)"),
    (ROME, "Rome is where I live"),
    (TEA, "The user likes green tea most of all"),
    (TEA, "Green tea is what I like"),
    (ROME_ZH, "用户住在罗马"),
    (ROME_ZH, "我住在罗马市中心"),
    (BYTE_ZH, "用户在字节跳动上班,做后端"),
    (BYTE_ZH, "我上班的公司是字节跳动"),
]
SAID_NO_MORE = [
    (ROME, "The user lives in Paris"),
    (ROME, "The user does not live in Rome"),
    (ROME, "I no longer live in Rome"),
    (ROME, "I never lived in Rome"),
    (ROME, "I don't live in Rome"),
    (ROME, "I moved from Rome to Paris"),
    (ROME, "I live in Paris, not in Rome"),
    (ROME, "I live in Paris instead of Rome"),
    (ROME, "Before Paris I lived in Rome"),
    (ROME, "I used to live in Rome"),
    (ROME, "I left Rome"),
    (ROME, "That I live in Rome is wrong"),
    (ROME, "I live beside the Romeo theatre"),
    (TEA, "I like everything but green tea"),
    (TEA, "I stopped drinking green tea"),
    (ROME_ZH, "我不住在罗马"),
    (ROME_ZH, "我从罗马搬到了巴黎"),
    (ROME_ZH, "我以前住在罗马"),
    (ROME_ZH, "我住在巴黎,而不是罗马"),
    (ROME_ZH, "我离开了罗马"),
    (ROME_ZH, "说我住在罗马是错的"),
    (BYTE_ZH, "我没在字节跳动上班"),
    (BYTE_ZH, "我曾在字节跳动上班"),
    (BYTE_ZH, "我从字节跳动换到了腾讯"),
    (BYTE_ZH, "原来在字节跳动,现在在腾讯上班"),
]

REPLACED = [
    (ROME, "I live in New York", "New York"),
    (TEA, "I like black tea", "black tea"),
    (ROME_ZH, "我住在巴黎", "巴黎"),
    (BYTE_ZH, "我在腾讯上班", "腾讯"),
]


def memory(said: tuple[str, str, str], **fields: object) -> Memory:
    content, attribute, value = said
    return one(known(about(attribute, value, on=0, content=content, **fields)))


@pytest.mark.parametrize(("said", "content"), STILL_SAID)
def test_a_value_stays_that_is_still_said(said: tuple[str, str, str], content: str) -> None:
    assert "value" not in fields_after_rewording(memory(said), content)


@pytest.mark.parametrize(("said", "content"), SAID_NO_MORE)
def test_a_value_goes_that_is_said_no_more(said: tuple[str, str, str], content: str) -> None:
    assert fields_after_rewording(memory(said), content)["value"] is None


@pytest.mark.parametrize(("said", "content", "value"), REPLACED)
def test_a_value_in_the_place_of_the_former_one_is_taken_over(
    said: tuple[str, str, str], content: str, value: str
) -> None:
    assert fields_after_rewording(memory(said), content)["value"] == value


def test_names_stay_that_still_stand_there() -> None:
    both = memory(ROME, entities=("Rome", "Ada", "小金"))
    assert fields_after_rewording(both, "Ada 和小金 live in Paris")["entities"] == ("Ada", "小金")
    assert "entities" not in fields_after_rewording(both, "Ada and 小金 live in Rome")


def test_what_only_noted_how_it_was_said_goes_with_the_value() -> None:
    told = memory(ROME, data={"replaces": "Oslo", "floor": 3})
    assert fields_after_rewording(told, "I live in Paris")["data"] == {"floor": 3}


def test_words_of_spaced_scripts_stand_by_themselves() -> None:
    assert has_phrase("He is in Rome.", "rome")
    assert not has_phrase("He is a Roman, or a Romeo", "Rome")
    assert has_phrase("我住在罗马", "罗马")
    assert not has_phrase("anything", " ")
