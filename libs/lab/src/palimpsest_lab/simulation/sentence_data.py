"""The sentences of the simulated users: written by an author who has not seen the rules."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from palimpsest.model.user import Language


@dataclass(frozen=True)
class AttributeWordings:
    """The values of an attribute, and sentences for them with `{value}` and `{old}`."""

    values: tuple[str, ...]
    state: tuple[str, ...]
    change: tuple[str, ...] = ()
    """Of attributes with one value at a time: another one holds from now on."""
    repeat: tuple[str, ...] = ()
    """Said in passing by somebody of whom it is known."""
    stop: tuple[str, ...] = ()
    """Of attributes with several values: this one holds no longer."""


@dataclass(frozen=True)
class SentenceCollection:
    """The sentences of one language. Both languages have the same attributes."""

    single: Mapping[str, AttributeWordings]
    multi: Mapping[str, AttributeWordings]
    facts: tuple[str, ...]
    chat: tuple[str, ...]


@cache
def load_sentences(language: Language) -> SentenceCollection:
    file = files("palimpsest_lab.simulation") / f"sentences_{language.value}.json"
    read = json.loads(file.read_text(encoding="utf-8"))
    groups = {
        group: {
            attribute: AttributeWordings(**{part: tuple(texts) for part, texts in parts.items()})
            for attribute, parts in read[group].items()
        }
        for group in ("single", "multi")
    }
    return SentenceCollection(**groups, facts=tuple(read["facts"]), chat=tuple(read["chat"]))
