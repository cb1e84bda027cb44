"""Sentences of texts in both languages, for whoever counts or chooses them."""

import re

_ENDS = re.compile(r"(?<=[。！？!?])[”’」）)\"']*|(?<=[.])[\"')]*(?=\s+[^a-z\s]|\s*$)|\n+")


def split_text(text: str) -> list[str]:
    """The sentences of a text in order, questions among them, each with its mark."""
    found, start = [], 0
    for end in _ENDS.finditer(text):
        if (sentence := text[start : end.end()].strip()) and any(map(str.isalnum, sentence)):
            found.append(sentence)
        start = end.end()
    if (sentence := text[start:].strip()) and any(map(str.isalnum, sentence)):
        found.append(sentence)
    return found


def count_sentences(text: str) -> int:
    return len(split_text(text))
