"""Both languages have the same words, and templates and code name no others."""

import re
import tomllib
from pathlib import Path

import pytest

from palimpsest.model.user import Language
from services.page import templates, translations
from services.page.translations import choose_language, load_words
from services.page.view_table import VIEWS, ViewGroup

_NAMED = re.compile(r"""word\(\s*["']([a-z_]+\.[a-z_]+)["']\s*[,)]""")
_FIELD = re.compile(r"\{(\w+)\}")


def test_each_entry_has_words_in_each_language_with_the_same_values() -> None:
    for file in translations.FOLDER.glob("*.toml"):
        for key, entry in tomllib.loads(file.read_text(encoding="utf-8")).items():
            assert set(entry) == {language.value for language in Language}, (file.stem, key)
            assert all(words.strip() for words in entry.values()), (file.stem, key)
            fields = {frozenset(_FIELD.findall(words)) for words in entry.values()}
            assert len(fields) == 1, (file.stem, key)


def test_every_word_that_is_named_exists() -> None:
    page = Path(templates.__file__).parent
    files = [*page.rglob("*.html"), *page.rglob("*.py")]
    named = {key for file in files for key in _NAMED.findall(file.read_text(encoding="utf-8"))}
    assert len(named) > 20
    assert named - set(load_words(Language.ENGLISH)) == set()


@pytest.mark.parametrize("language", Language)
def test_every_view_and_group_is_named(language: Language) -> None:
    words = load_words(language)
    for view in VIEWS:
        assert {f"{view.name}.title", f"{view.name}.summary"} <= set(words), view.name
    assert {f"page.group_{group}" for group in ViewGroup} <= set(words)


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, "zh-CN,zh;q=0.9,en;q=0.8", Language.CHINESE),
        (None, "fr-FR,en;q=0.8", Language.ENGLISH),
        (None, None, Language.ENGLISH),
        ("en", "zh-CN", Language.ENGLISH),
        ("xx", "zh", Language.CHINESE),
    ],
)
def test_the_chosen_language_counts_before_that_of_the_browser(
    chosen: str | None, accepted: str | None, language: Language
) -> None:
    assert choose_language(chosen, accepted) is language
