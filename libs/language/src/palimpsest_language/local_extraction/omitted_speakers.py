"""Restores omitted speakers: “moved to Ulm” is read as “I moved to Ulm”."""

from collections.abc import Iterator

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.phrase_tables import read_phrases

_DEED = read_phrases("local_extraction/omitted_speakers")["deed"]


def find_omitted_speakers(text: str) -> list[tuple[str, str]]:
    """Yield words to write out: each in its new and in its original form."""
    return [] if has_chinese(text) else list(_find(text))


def _find(text: str) -> Iterator[tuple[str, str]]:
    for sentence in split_sentences(text):
        plain = sentence.strip()
        match = _DEED.search(plain)
        if match is not None and "?" not in plain:
            said = plain[match.start() : match.end()]
            deed = match["deed"]
            speaker = "I have" if deed[:5].lower() == "been " else "I"
            yield f"{match['before']}{speaker} {deed[:1].lower()}{deed[1:]}", said
