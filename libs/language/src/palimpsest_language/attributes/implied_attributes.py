"""Attributes that a statement's words imply though nobody took them apart."""

from palimpsest.model.memory import MemoryOrCandidateT
from palimpsest_language.attributes.ages import mark_age
from palimpsest_language.attributes.aversions import mark_aversion
from palimpsest_language.attributes.separations import mark_separation


def infer_attribute(plain: MemoryOrCandidateT) -> MemoryOrCandidateT:
    """Return what is stated, with the attribute and value that its words have."""
    return mark_age(mark_separation(mark_aversion(plain)))
