"""Words of the page in both languages, from one table for each view in `words/`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from palimpsest.model.user import Language

FOLDER = Path(__file__).with_name("words")

Words = Mapping[str, str]
"""Words by the name of their file and their key: `memories.search`."""


@cache
def load_words(language: Language) -> Words:
    """Load all words of a language."""
    return {
        f"{file.stem}.{key}": entry[language.value]
        for file in sorted(FOLDER.glob("*.toml"))
        for key, entry in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }


def choose_language(chosen: str | None, accepted: str | None) -> Language:
    """Return the language that a visitor chose, or else the first one their browser asks for."""
    if chosen in {language.value for language in Language}:
        return Language(chosen)
    for part in (accepted or "").split(","):
        code = part.partition(";")[0].strip().lower().partition("-")[0]
        if code in {language.value for language in Language}:
            return Language(code)
    return Language.ENGLISH
