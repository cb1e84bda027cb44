"""Items in sections: those of each kind together, and what was said after them."""

from collections.abc import Callable

from palimpsest.domain.context.material import Item, Material
from palimpsest.domain.context.words import SAID, SECTIONS, line

Section = tuple[str, list[str]]


def sections(material: Material, *, text: Callable[[Item], str]) -> list[Section]:
    """Titles with their lines, without those that would be empty; the best first in each."""
    language = material.language

    def lines(items: list[Item]) -> list[str]:
        return [
            f"- {line(item, text(item), language, citations=material.citations)}" for item in items
        ]

    found = [
        (title, lines([item for item in material.items if item.kind in kinds]))
        for kinds, title in SECTIONS[language].items()
    ]
    found.append((SAID[language], lines([item for item in material.items if item.kind is None])))
    return [(title, written) for title, written in found if written]
