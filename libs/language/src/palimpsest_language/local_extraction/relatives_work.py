"""Statements of what a relative does for a living: "The user's sister teaches in Galway"."""

from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.relations import name_relation, work_attribute
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import Proposal

_WORKS = read_phrases("local_extraction/relatives_work")["works"]
_KINDS = frozenset({Kind.FACT, Kind.PERSON})


def label_relatives_work(proposal: Proposal) -> Proposal:
    """Return the statement with the relative's work as an attribute of the user, if it tells it."""
    if proposal.kind not in _KINDS or proposal.ended:
        return proposal
    match = _WORKS.search(proposal.content)
    if match is None or proposal.attribute not in {None, name_relation(match["relation"])}:
        return proposal
    return proposal.model_copy(
        update={
            "subject": "user",
            "attribute": work_attribute(match["relation"]),
            "value": match["value"].strip(),
        }
    )
