"""Merges proposals that say the same."""

from collections.abc import Sequence

from palimpsest_language.proposals import Proposal


def merge_repeated_proposals(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Merge repeated proposals into one, with all evidence, at the place of the last one.

    Something else may have been said of the same attribute in between, and the last word counts.
    "Tomorrow" on two days means two days.
    """
    merged: dict[tuple[object, ...], Proposal] = {}
    meant = {
        (proposal.content.casefold(), proposal.evidence[0].message): proposal.time_meant
        for proposal in proposals
        if proposal.time_meant is not None and proposal.evidence
    }
    for proposal in proposals:
        words = proposal.content.casefold()
        message = proposal.evidence[0].message if proposal.evidence else 0
        key = (proposal.kind, proposal.subject, words, meant.get((words, message)))
        if earlier := merged.pop(key, None):
            evidence = tuple(dict.fromkeys((*earlier.evidence, *proposal.evidence)))
            # A part of a parsed statement may have the same words without the attribute.
            said = proposal if proposal.attribute or not earlier.attribute else earlier
            proposal = said.model_copy(update={"evidence": evidence})  # noqa: PLW2901
        merged[key] = proposal
    return list(merged.values())
