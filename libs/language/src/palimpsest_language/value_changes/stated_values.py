"""Values of a plain statement that another one has for its own, and their end.

“I work nights at a depot” is kept as a sentence and as the shift “nights”. Once the shift is
another, the sentence is over as well, though it has no attribute of its own.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from palimpsest.model.memory import Candidate, Memory
from palimpsest_language.attributes.attribute_names import (
    MARITAL_STATUS,
    PARTNER_ATTRIBUTES,
    canonical_attribute,
    canonical_subject,
    canonical_value,
    is_single_valued,
    is_without_partner,
)
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import Proposal, StatedValue

_OF_A_COUPLE = read_phrases("value_changes/stated_values")["plans_wedding"]
_NO_STATES: tuple["HeldValue", ...] = ()
_ANYBODY = ""
"""The value of whoever it is: a wedding is off once the couple has parted, whatever the name."""


class HeldValue(NamedTuple):
    subject: str
    attribute: str
    value: str


def note_stated_values(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals, each plain one with the values that others took from its words."""
    valued = [
        proposal
        for proposal in proposals
        if proposal.attribute and proposal.value and not proposal.ended and not proposal.valid_until
    ]
    return [
        proposal
        if proposal.attribute or not (states := tuple(_states(proposal, valued)))
        else proposal.model_copy(update={"states": states})
        for proposal in proposals
    ]


def _states(plain: Proposal, valued: Sequence[Proposal]) -> Iterator[StatedValue]:
    content = plain.content.casefold()
    if plain.subject in (None, "user") and _OF_A_COUPLE.search(plain.content):
        yield StatedValue(subject="user", attribute=PARTNER_ATTRIBUTES[0], value=_ANYBODY)
    for other in valued:
        value = other.value or ""
        if value.casefold() in content and _share_words(plain, other):
            yield StatedValue(
                subject=other.subject or "user", attribute=other.attribute or "", value=value
            )


def _share_words(one: Proposal, other: Proposal) -> bool:
    return any(
        mine.message == theirs.message
        and (mine.quote in theirs.quote or theirs.quote in mine.quote)
        for mine in one.evidence
        for theirs in other.evidence
    )


def states_replaced_value(later: Memory | Candidate, earlier: Memory | Candidate) -> bool:
    """Tell whether a value that the earlier plain statement holds has ended with the later one."""
    if later.attribute is None or later.value is None or earlier.attribute is not None:
        return False
    return any(_is_over(held, later) for held in list_stated_values(earlier))


def list_stated_values(memory: Memory | Candidate) -> tuple[HeldValue, ...]:
    noted = memory.data.get("states")
    if memory.attribute is not None or not isinstance(noted, list | tuple):
        return _NO_STATES
    return tuple(
        HeldValue(canonical_subject(subject), canonical_attribute(attribute), value)
        for subject, attribute, value in noted
    )


def list_stated_names(memory: Memory | Candidate) -> list[str]:
    """List the names under which a plain statement is found whose value may end."""
    return sorted({_name(held) for held in list_stated_values(memory)})


def list_ended_names(memory: Memory | Candidate) -> list[str]:
    """List the names of the values that a statement may end."""
    if memory.attribute is None or memory.value is None:
        return []
    subject, attribute = canonical_subject(memory.subject), canonical_attribute(memory.attribute)
    attributes = {attribute, *(PARTNER_ATTRIBUTES if attribute == MARITAL_STATUS else ())}
    over = [memory.value] if memory.ended else [memory.data.get("replaces")]
    return sorted(
        {
            _name(HeldValue(subject, name, value or ""))
            for name in attributes
            for value in over
            if is_single_valued(name) or value
        }
    )


def _name(held: HeldValue) -> str:
    """Return one name for all values of an attribute that has one, else one for each value."""
    value = "" if is_single_valued(held.attribute) else canonical_value(held.value)
    return f"{held.subject} {held.attribute} {value}"


def _is_over(held: HeldValue, later: Memory | Candidate) -> bool:
    if held.subject != canonical_subject(later.subject):
        return False
    attribute, value = canonical_attribute(later.attribute or ""), canonical_value(later.value)
    if held.attribute in PARTNER_ATTRIBUTES and is_without_partner(attribute, value):
        return True
    if held.value == _ANYBODY:
        return later.ended and attribute in PARTNER_ATTRIBUTES
    return held.attribute == attribute and _is_replaced(canonical_value(held.value), later)


def _is_replaced(mine: str, later: Memory | Candidate) -> bool:
    """Tell whether a value of the same attribute ends with a later statement of it."""
    value, replaced = canonical_value(later.value), later.data.get("replaces")
    if later.ended:
        return mine == value
    if is_single_valued(later.attribute or ""):
        return mine not in value and value not in mine
    return isinstance(replaced, str) and canonical_value(replaced) == mine
