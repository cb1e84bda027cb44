"""Attributes that the words of a statement imply, though no rule extracted them."""

from palimpsest.model.memory import MemoryOrCandidateT
from palimpsest_language.attributes.ages import mark_age
from palimpsest_language.attributes.aversions import mark_aversion
from palimpsest_language.attributes.separations import mark_separation


def infer_attribute(plain: MemoryOrCandidateT) -> MemoryOrCandidateT:
    """Return the memory with the attribute and value that its words imply."""
    return mark_age(mark_separation(mark_aversion(plain)))
