"""Items in sections: memories by kind, and messages after them."""

from collections.abc import Callable

from palimpsest.model.kind_properties import SectionTitle
from palimpsest.model.kinds import SECTIONS
from palimpsest_language.time_expressions.dated_words import DatedText
from palimpsest_server.domain.context.format_phrases import SAID, format_item_line
from palimpsest_server.domain.context.material import ContextItem, ContextMaterial

ContextSection = tuple[str, list[str]]


def build_sections(
    material: ContextMaterial, *, text: Callable[[ContextItem], DatedText]
) -> list[ContextSection]:
    """Return titles with their lines, without empty sections; in each the best items come first."""
    language = material.language

    def lines(items: list[ContextItem]) -> list[str]:
        return [
            f"- {format_item_line(item, text(item), language, citations=material.citations)}"
            for item in items
        ]

    found = [
        (
            section.in_language(language),
            lines([item for item in material.items if _is_shown_in(item, section)]),
        )
        for section in SECTIONS
    ]
    found.append((SAID[language], lines([item for item in material.items if item.kind is None])))
    return [(title, written) for title, written in found if written]


def _is_shown_in(item: ContextItem, section: SectionTitle) -> bool:
    return item.kind is not None and item.kind.properties.section == section
