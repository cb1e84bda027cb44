"""Rules of what one has several of, which differ in nothing but their patterns."""

import re
from collections.abc import Callable

from palimpsest.domain.kinds import Kind
from palimpsest.providers.extraction.rules.rule import Refine, Rule


def holding(
    compiled: Callable[[str], re.Pattern[str]],
    attribute: str,
    kind: Kind,
    content: str,
    refine: Refine,
    *patterns: str,
    ended: bool = False,
) -> tuple[Rule, ...]:
    """A rule for each pattern; `compiled` is the language's way of writing them."""
    return tuple(
        Rule(
            kind=kind,
            pattern=compiled(pattern),
            content=content,
            attribute=attribute,
            refine=refine,
            ended=ended,
        )
        for pattern in patterns
    )
