"""Check that a model answers in the conversation's language. Names may be in any language."""

import re
from collections.abc import Iterable

from palimpsest.model.bilingual_text import detect_language, has_chinese
from palimpsest.model.user import Language
from palimpsest_server.models.model_errors import WrongAnswerLanguage

MAX_NAME_WORDS = 3
"""A text of at most this many Latin words and no Chinese may be a name, or a product with its version."""

_ENGLISH_GRAMMAR = re.compile(
    r"\b(?:the|a|an|is|are|was|were|has|have|had|in|on|at|of|to|for|with|and|does|will|user)\b",
    re.IGNORECASE,
)

_REMEDY = {
    Language.CHINESE: "请用简体中文重新回答：所有陈述都用中文书写，只有引文保持原话不变。",
    Language.ENGLISH: "Answer again in English: all statements in English; "
    "only the quotes stay as they were said.",
}


def is_in_language(language: Language, text: str) -> bool:
    """Return whether a statement can be in this language."""
    if language is Language.CHINESE:
        return has_chinese(text) or len(text.split()) <= MAX_NAME_WORDS
    return detect_language(text) is Language.ENGLISH or _ENGLISH_GRAMMAR.search(text) is not None


def require_language(language: Language, texts: Iterable[str]) -> None:
    """Check that all texts are in this language.

    Raises:
        WrongAnswerLanguage: a text is not; the error says what to tell the model.
    """
    if not all(is_in_language(language, text) for text in texts):
        raise WrongAnswerLanguage(
            f"the answer was not in the conversation's language ({language.value})",
            remedy=_REMEDY[language],
        )
