"""Unite the fields of several memories, by the rule declared at each field."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from palimpsest.model.field_rules import Unite
from palimpsest.model.memory import Memory
from palimpsest_server.domain.consolidation.evidence import (
    combine_confidence,
    merge_evidence,
    stamp_evidence,
)


def unite_fields(memories: Sequence[Memory]) -> dict[str, Any]:
    """Return the united value of every field that has a rule.

    Args:
        memories: at least one; the one that stays comes first. The order of the others does not change
            the result. Words keep the order of the first memory unless another has more.
    """
    counted = {name for name, rule in UNITED_FIELDS.items() if rule is Unite.FROM_EVIDENCE}
    fields = {name: unite_field(name, memories) for name in UNITED_FIELDS.keys() - counted}
    return fields | dict.fromkeys(counted, combine_confidence(fields["evidence"]))


def unite_field(name: str, memories: Sequence[Memory]) -> Any:
    """Return the united value of one field, by its rule.

    Raises:
        KeyError: the field has no rule, or is derived from other fields.
    """
    rule = UNITED_FIELDS[name]
    if rule is Unite.DISTINCT_EVIDENCE:
        return merge_evidence(piece for memory in memories for piece in stamp_evidence(memory))
    return _RULES[rule]([getattr(memory, name) for memory in memories])


def _unite_words(lists: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return reduce(_add_words, lists)


def _add_words(known: tuple[str, ...], added: tuple[str, ...]) -> tuple[str, ...]:
    if set(added) <= set(known):
        return known
    return tuple(sorted({*known, *added})) if known else added


_RULES: Mapping[Unite, Callable[[Sequence[Any]], Any]] = {
    Unite.EARLIEST: min,
    Unite.LARGEST: max,
    Unite.ANY: any,
    Unite.ALL_WORDS: _unite_words,
}

UNITED_FIELDS: Mapping[str, Unite] = {
    name: rule
    for name, field in Memory.model_fields.items()
    for rule in field.metadata
    if isinstance(rule, Unite)
}
"""The rule of every field that has one, read from the fields of `Memory`."""
