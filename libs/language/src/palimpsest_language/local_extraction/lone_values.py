"""Values told beside what is not of them: another sentence, or one date of a regular day.

A value takes its statement with it when it ends. What was said in the next sentence would end too.
"""

import re
from collections.abc import Iterator

from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.attribute_names import REGULAR_VALUES, is_single_valued
from palimpsest_language.proposals import Proposal

UP_TO_NOW = re.compile(r"[到至](?:昨天|今天|现在|目前|如今)|up to (?:now|today|yesterday)")
_SENTENCES = re.compile(r"; |；")


def leave_value_alone(proposal: Proposal) -> Iterator[Proposal]:
    """Yield the value with its own sentence, and what another sentence says beside it."""
    proposal = _lasting_on(_without_one_day(proposal))
    told = _SENTENCES.split(proposal.content)
    own = [part for part in told if (proposal.value or "").casefold() in part.casefold()]
    quotes = proposal.evidence[1:]
    if (
        proposal.value is None
        or proposal.ended
        or not is_single_valued(proposal.attribute or "")
        or len(told) == 1
        or len(own) != 1
        or not quotes
    ):
        yield proposal
        return
    yield proposal.model_copy(update={"content": own[0], "evidence": proposal.evidence[:1]})
    rest = "; ".join(part for part in told if part is not own[0])
    plain = {"attribute": None, "value": None, "replaces": None, "kind": Kind.FACT}
    times = {"time": None, "occurred_at": None, "valid_from": None, "valid_until": None}
    yield proposal.model_copy(
        update={
            **plain,
            **times,
            "content": rest[0].upper() + rest[1:],
            "summary": None,
            "evidence": quotes,
        }
    )


def _lasting_on(proposal: Proposal) -> Proposal:
    """Return what has lasted until now without an end: 到昨天六十天没抽, "sober up to today"."""
    if proposal.attribute is None or proposal.time is None or proposal.ended:
        return proposal
    if not UP_TO_NOW.search(proposal.time.words):
        return proposal
    return proposal.model_copy(update={"valid_until": None})


def _without_one_day(proposal: Proposal) -> Proposal:
    """Return a regular day or hour without the date that its weekday would mean by itself."""
    if not (proposal.attribute or "").startswith(REGULAR_VALUES) or proposal.time is None:
        return proposal
    time = proposal.time if proposal.time.recurrence is not None else None
    none = {"occurred_at": None, "valid_from": None, "valid_until": None}
    return proposal.model_copy(update={**none, "time": time})
