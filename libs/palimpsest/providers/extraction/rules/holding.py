"""Rules which differ in nothing but their patterns, as those of what one has several of do."""

from collections.abc import Callable

from palimpsest.domain.kinds import Kind
from palimpsest.domain.late_pattern import LatePattern
from palimpsest.providers.extraction.rules.rule import Refine, Rule


def holding(
    written: Callable[[str], LatePattern],
    attribute: str,
    kind: Kind,
    content: str,
    refine: Refine,
    *patterns: str,
    ended: bool = False,
    names_entity: bool = False,
) -> tuple[Rule, ...]:
    """A rule for each pattern; `written` is the language's way of writing them."""
    return tuple(
        Rule(
            kind=kind,
            pattern=written(pattern),
            content=content,
            attribute=attribute,
            refine=refine,
            ended=ended,
            names_entity=names_entity,
        )
        for pattern in patterns
    )
