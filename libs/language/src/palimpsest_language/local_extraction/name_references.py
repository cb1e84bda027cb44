"""Writes out whose name is told: "Her name is Miso" behind "We adopted a kitten"."""

from collections.abc import Iterator, Sequence

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("local_extraction/name_references")
_NAMED = _PHRASES["is_named"]
_NEW = _PHRASES["one_of_ours"]
_SENTENCES_BACK = 2
"""Sentences back in which the one who is named may be mentioned."""


def find_name_references(text: str, before: Sequence[str]) -> list[tuple[str, str]]:
    """Yield words to write out: each in its new and in its original form.

    `before` are the person's messages before it, in order.
    """
    heard = [sentence for earlier in before for sentence in split_sentences(earlier)]
    return list(_references(split_sentences(text), heard))


def _references(sentences: Sequence[str], heard: list[str]) -> Iterator[tuple[str, str]]:
    for sentence in sentences:
        match = _NAMED.search(sentence)
        what = None if match is None else _named_one(heard)
        if match is not None and what is not None:
            whose = f"我的{what}叫" if has_chinese(sentence) else f"My {what}'s name is"
            yield f"{whose}{match['name']}", match.group()
        heard.append(sentence)


def _named_one(heard: Sequence[str]) -> str | None:
    """Return the one that was mentioned last; None where it is not clear who that is."""
    for sentence in reversed(heard[-_SENTENCES_BACK:]):
        found = {match["what"].casefold() for match in _NEW.finditer(sentence)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None
