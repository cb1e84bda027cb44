"""Rules which differ in nothing but their patterns, as those of what one has several of do."""

from collections.abc import Callable

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.rule import FactRule, RefineGroups
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern


def build_rules(
    written: Callable[[str], LazyPattern],
    attribute: str,
    kind: Kind,
    content: str,
    refine: RefineGroups,
    *patterns: str,
    ended: bool = False,
    names_entity: bool = False,
) -> tuple[FactRule, ...]:
    """A rule for each pattern; `written` is the language's way of writing them."""
    return tuple(
        FactRule(
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
