"""Items in sections: those of each kind together, and what was said after them."""

from collections.abc import Callable

from palimpsest_server.domain.context.format_phrases import SAID, SECTIONS, format_item_line
from palimpsest_server.domain.context.material import ContextItem, ContextMaterial

ContextSection = tuple[str, list[str]]


def build_sections(
    material: ContextMaterial, *, text: Callable[[ContextItem], str]
) -> list[ContextSection]:
    """Titles with their lines, without those that would be empty; the best first in each."""
    language = material.language

    def lines(items: list[ContextItem]) -> list[str]:
        return [
            f"- {format_item_line(item, text(item), language, citations=material.citations)}"
            for item in items
        ]

    found = [
        (title, lines([item for item in material.items if item.kind in kinds]))
        for kinds, title in SECTIONS[language].items()
    ]
    found.append((SAID[language], lines([item for item in material.items if item.kind is None])))
    return [(title, written) for title, written in found if written]
