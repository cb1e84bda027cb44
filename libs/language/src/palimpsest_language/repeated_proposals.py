"""Proposals that say the same, made one."""

from collections.abc import Sequence

from palimpsest_language.proposals import Proposal


def merge_repeated_proposals(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Propose once what was said several times, with all its evidence, where it was last said.

    Between two mentions something else may have been said of the same attribute,
    and the last word counts. "Tomorrow" of two days is said of two days.
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
            # A piece of what a rule took apart may come to the same words without attribute.
            said = proposal if proposal.attribute or not earlier.attribute else earlier
            proposal = said.model_copy(update={"evidence": evidence})  # noqa: PLW2901
        merged[key] = proposal
    return list(merged.values())
