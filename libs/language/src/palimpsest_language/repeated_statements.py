"""Tells whether a message repeats a statement, as an agent does that was just told it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.wording.normalization import normalize_wording

REPEATED_SHARE = 0.6
"""The least share of a statement's words in a message that repeats it."""
LEAST_WORDS = 2

_LATIN_WORD = re.compile(r"[a-z][a-z'’-]{2,}|\d{2,}")
_CHINESE_PAIR = re.compile(r"(?=([\u3400-\u9fff]{2}))")
_SAYS_NOTHING = frozenset(
    """
    the and but for not are was were has have had does did that this with from about into also very
    just user you your his her their its our they them she who what when where which will would
    can could there here then than too all any out off been being
    decided agreed decide agree 决定 我们 们决 同意
    用户 的是 了一 一个 我的 我是 我在 有一 没有 这个 那个 是一 我最 最近 现在
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True)
class StatementWords:
    """The words by which a statement is recognised."""

    names: frozenset[str]
    """Its value and the names in it, normalized."""
    words: frozenset[str]
    """Its words; of Chinese its pairs of characters."""

    @property
    def says_anything(self) -> bool:
        return bool(self.names) or len(self.words) >= LEAST_WORDS


def extract_statement_words(
    texts: Iterable[str], names: Iterable[str | None] = ()
) -> StatementWords:
    """Extract the words of a statement.

    Args:
        texts: the statement, and the quoted words of its evidence.
        names: its value, and the names in it.
    """
    normalized = {normalize_wording(name) for name in names if name}
    told = sorted((_words(text) for text in texts), key=len)
    return StatementWords(
        frozenset(name for name in normalized if len(name) > 1 and name not in _SAYS_NOTHING),
        told[0] if told else frozenset(),
    )


def repeats_statement(text: str, statement: StatementWords, *, same_talk: bool) -> bool:
    """Tell whether a text repeats a statement.

    In the conversation of the statement one of its names is enough; elsewhere another of its words
    must stand beside it. Without a name most of its words are required.
    """
    found = _words(text) & statement.words
    plain = _normalized(text) if statement.names else ""
    named = [name for name in statement.names if _stands_in(name, plain)]
    if named:
        beside = {word for word in found if not any(word in name for name in named)}
        return same_talk or bool(beside)
    share = len(found) / len(statement.words) if statement.words else 0.0
    return len(found) >= LEAST_WORDS and share >= REPEATED_SHARE


def count_shared_words(text: str, statement: StatementWords) -> int:
    """Count the words of a statement in a text; of Chinese the pairs of characters."""
    return len(_words(text) & statement.words)


# Each message is compared with each erased statement.
@lru_cache(maxsize=8_192)
def _words(text: str) -> frozenset[str]:
    lowered = text.lower()
    latin = frozenset(_stem(word) for word in _LATIN_WORD.findall(lowered))
    return (latin | frozenset(_CHINESE_PAIR.findall(lowered))) - _SAYS_NOTHING


@lru_cache(maxsize=8_192)
def _normalized(text: str) -> str:
    return normalize_wording(text)


def _stem(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s").removesuffix("s")


def _stands_in(name: str, text: str) -> bool:
    if has_chinese(name):
        return name.replace(" ", "") in text.replace(" ", "")
    return f" {name} " in f" {text} " or f" {name}s " in f" {text} "
