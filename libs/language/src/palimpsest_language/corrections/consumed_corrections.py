"""A correction that was put to what it corrects says nothing by itself: 不对，我记错了，是下周日."""

import re
from collections.abc import Sequence

from palimpsest_language.corrections.chinese_cues import SAYS_WRONG
from palimpsest_language.proposals import MessageQuote, Proposal

_SAYS_WRONG = re.compile(SAYS_WRONG, re.IGNORECASE)


def drop_consumed_corrections(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Without those that only say what another one says, which rests on an earlier message too."""
    return [one for one in proposals if not _is_spent(one, proposals)]


def _is_spent(one: Proposal, proposals: Sequence[Proposal]) -> bool:
    if one.attribute is not None or not all(_says_wrong(each.quote) for each in one.evidence):
        return False
    return any(_takes_up(other, one) for other in proposals if other is not one)


def _says_wrong(quote: str) -> bool:
    return _SAYS_WRONG.match(quote) is not None


def _takes_up(other: Proposal, one: Proposal) -> bool:
    first = min(each.message for each in one.evidence)
    rests_on_earlier = any(each.message < first for each in other.evidence)
    return rests_on_earlier and all(
        any(_is_of(each, cited) for each in other.evidence) for cited in one.evidence
    )


def _is_of(one: MessageQuote, cited: MessageQuote) -> bool:
    within = one.quote in cited.quote or cited.quote in one.quote
    return one.message == cited.message and within
