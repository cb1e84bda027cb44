"""Statements in the conversation's language, whatever names they hold."""

import pytest

from palimpsest.model.user import Language
from palimpsest_server.extraction.answer_language import is_in_language, require_language
from palimpsest_server.models.model_errors import WrongAnswerLanguage

CHINESE = [
    "用户住在柏林",
    "用户在 Visual Studio Code 里用 TypeScript 和 React 写前端",
    "Ana 是用户的姐姐",
    "TypeScript 5.4",
    "iPhone",
]
ENGLISH = [
    "The user lives in Berlin",
    "The user lives in 上海市浦东新区世纪大道",
    "User prefers dark mode",
    "The user's cat is called 咪咪咪咪咪咪咪咪",
    "Likes tea",
]


@pytest.mark.parametrize("text", CHINESE)
def test_a_chinese_statement_may_hold_foreign_names(text: str) -> None:
    assert is_in_language(Language.CHINESE, text)


@pytest.mark.parametrize("text", ENGLISH)
def test_an_english_statement_may_hold_chinese_names(text: str) -> None:
    assert is_in_language(Language.ENGLISH, text)


@pytest.mark.parametrize("text", ["The user lives in Berlin", "User prefers dark mode at night"])
def test_english_is_not_chinese(text: str) -> None:
    assert not is_in_language(Language.CHINESE, text)


@pytest.mark.parametrize("text", ["用户住在柏林", "用户用 React 写前端"])
def test_chinese_is_not_english(text: str) -> None:
    assert not is_in_language(Language.ENGLISH, text)


def test_one_statement_in_another_language_is_one_too_many() -> None:
    require_language(Language.ENGLISH, [])
    require_language(Language.ENGLISH, ENGLISH)
    with pytest.raises(WrongAnswerLanguage) as caught:
        require_language(Language.CHINESE, ["用户住在柏林", "The user has a cat"])
    assert "中文" in caught.value.remedy
    assert "cat" not in str(caught.value)
