"""Writes out places that "there" and 那儿 stand for: "I live there now" says nothing alone."""

import re
from collections.abc import Iterator, Sequence

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.facts.chinese.places import find_place_at
from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("local_extraction/place_references")
_PLACE = _PHRASES["place"]
_AT_PLACE = _PHRASES["at_place"]
_TO_PLACE = _PHRASES["to_place"]
_SENTENCES_BACK = 3
"""Sentences back in which the place may be named; the last one counts."""


def find_place_references(text: str, before: Sequence[str]) -> list[tuple[str, str]]:
    """Yield words to write out: each in its new and in its original form.

    `before` are the texts of the messages before it, in order.
    """
    heard = [sentence for earlier in before for sentence in split_sentences(earlier)]
    return list(_references(split_sentences(text), heard))


def _references(sentences: Sequence[str], heard: list[str]) -> Iterator[tuple[str, str]]:
    for sentence in sentences:
        for phrases, link in ((_AT_PLACE, "in "), (_TO_PLACE, "to ")):
            match = phrases.search(sentence)
            if match is None:
                continue
            named = [sentence[: match.start()], *reversed(heard[-_SENTENCES_BACK:])]
            place = next((place for words in named if (place := _last_place(words))), None)
            if place is not None:
                words = place if has_chinese(sentence) else f" {link}{place}"
                yield match["before"] + words, match.group()
                break
        heard.append(sentence)


def _last_place(text: str) -> str | None:
    if has_chinese(text):
        places = [found for start in range(len(text)) if (found := find_place_at(text, start))]
        return places[-1] if places else None
    named = list(_PLACE.finditer(text))
    return re.sub(r"['’]s$", "", named[-1]["place"]) if named else None
