"""Plans that are abandoned later in a conversation: 全马我放弃了, "the trip is off"."""

import re
from collections.abc import Iterator, Sequence

from palimpsest.model.kinds import Kind
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.plans.listed_tasks import list_tasks
from palimpsest_language.proposals import Proposal
from palimpsest_language.statements.clause_judgement import ClauseJudgement
from palimpsest_language.time_expressions.time_removal import remove_time_words

_GIVES_UP = read_phrases("plans/abandoned_plans")["gives_up"]
_PAIR = re.compile(r"(?=([\u3400-\u9fff]{2}))")
_NAME = re.compile(r"[A-Za-z][\w-]+")
_NO_NAMES = frozenset(["我们", "用户", "这个", "那个", "现在", "以后", "还是", "决定", "已经"])


def find_abandoned_plans(
    plans: Sequence[Proposal], judged: Sequence[ClauseJudgement], *, message: int
) -> Iterator[Proposal]:
    """Return the plans of earlier messages that this one abandons, by shared words."""
    standing = [
        plan
        for plan in plans
        if all(quote.message < message for quote in plan.evidence) and _is_plan(plan)
    ]
    if not standing:
        return
    named = {word for part in judged if not part.withheld for word in _given_up_in(part.core)}
    for plan in standing if named else ():
        if named & _words(_without_time(plan)):
            yield plan


def _is_plan(proposal: Proposal) -> bool:
    if len(list_tasks(proposal.content)) > 1:
        # The other tasks of a list stay; a claim ends the one that is given up.
        return False
    if proposal.ended or (proposal.valid_from is not None and proposal.kind is Kind.EVENT):
        return False
    return proposal.kind.times.is_plannable or (
        proposal.kind is Kind.FACT and _is_to_come(proposal)
    )


def _is_to_come(proposal: Proposal) -> bool:
    return proposal.occurred_at is not None or (
        proposal.time is not None and proposal.valid_from is None
    )


def _given_up_in(core: str) -> Iterator[str]:
    for match in _GIVES_UP.finditer(core):
        yield from _words(next(named for named in match.groups() if named))


def _without_time(plan: Proposal) -> str:
    return remove_time_words(plan.content, plan.time) if plan.time else plan.content


def _words(text: str) -> frozenset[str]:
    latin = {word.casefold() for word in _NAME.findall(text)}
    return frozenset((latin | set(_PAIR.findall(text))) - _NO_NAMES)
