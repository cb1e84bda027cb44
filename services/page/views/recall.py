"""Recall: a question, its answer, and the way there; two policies side by side."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.responses import Response

from palimpsest.api.recall import RecallDetail, RecallResponse, RecordType
from palimpsest.client.errors import NotFound
from palimpsest.model.context_format import FormatName
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.user import Language
from services.page.page_routes import PageRoute
from services.page.places import find_places
from services.page.recall_explanation import (
    count_candidates,
    count_exclusions,
    find_arms,
    find_ranks,
    list_parts,
)
from services.page.translations import load_words
from services.page.visit import Visit

NameT = TypeVar("NameT", PolicyName, FormatName)

LATEST_QUESTIONS = 6
NAMED_EXCLUSIONS = 8
"""Excluded memories that are shown with their words."""


@dataclass(frozen=True)
class PolicyAnswer:
    """The answer of one policy."""

    policy: PolicyName
    answer: RecallResponse
    excluded_words: Mapping[str, str]
    """The words of excluded memories, by id."""


async def show(visit: Visit) -> Response:
    """Show a question and, once one is asked, its answer by one policy or two."""
    question = visit.query.get("query", "").strip()
    places, traces = await asyncio.gather(find_places(visit), _find_latest_questions(visit))
    policies = _choose_policies(visit.query)
    answers = (
        await asyncio.gather(*(_ask(visit, question, policy) for policy in policies))
        if question
        else []
    )
    return visit.render(
        "recall.html",
        question=question,
        places=places,
        traces=traces,
        policies=policies,
        all_policies=tuple(PolicyName),
        answers=answers,
        count_candidates=count_candidates,
        count_exclusions=count_exclusions,
        find_arms=find_arms,
        find_ranks=find_ranks,
        list_parts=list_parts,
        formats=tuple(FormatName),
        known_reason=find_reason_words,
    )


async def show_block(visit: Visit) -> Response:
    """Show the block that a prompt would hold, in one format."""
    scope = visit.scope()
    block = await visit.client.context(
        visit.query.get("query") or None,
        user_id=scope["user_id"],
        agent_id=scope.get("agent_id"),
        project_id=scope.get("project_id"),
        format=_choose(FormatName, visit.query.get("format"), FormatName.DEFAULT),
    )
    return visit.render("recall/block.html", block=block, formats=tuple(FormatName))


async def _ask(visit: Visit, question: str, policy: PolicyName) -> PolicyAnswer:
    scope = visit.scope()
    answer = await visit.client.recall(
        question, **scope, policy=policy, include=(RecallDetail.EXPLANATION,), preview=True
    )
    named = [row.id for row in answer.fell_out if row.record is RecordType.MEMORY]
    words = await asyncio.gather(
        *(_find_words(visit, memory_id) for memory_id in named[:NAMED_EXCLUSIONS])
    )
    pairs = zip(named[:NAMED_EXCLUSIONS], words, strict=True)
    return PolicyAnswer(policy, answer, {name: said for name, said in pairs if said is not None})


async def _find_words(visit: Visit, memory_id: str) -> str | None:
    try:
        return (await visit.client.get(memory_id, **visit.scope())).memory.summary
    except NotFound:
        return None


async def _find_latest_questions(visit: Visit) -> list[Any]:
    if visit.session.agent_id is not None:
        return []
    page = await visit.client.traces(user_id=visit.session.user_id, limit=50)
    asked = {trace.asked: trace for trace in reversed(page.traces) if trace.asked}
    latest = sorted(asked.values(), key=lambda trace: trace.asked_at, reverse=True)
    return [trace for trace in latest if trace.asked != "[erased]"][:LATEST_QUESTIONS]


def _choose_policies(query: Mapping[str, str]) -> tuple[PolicyName, ...]:
    first = _choose(PolicyName, query.get("policy"), PolicyName.DEFAULT)
    second = query.get("compared")
    if second in set(PolicyName) and second != first:
        return first, PolicyName(second)
    return (first,)


def _choose(names: type[NameT], chosen: str | None, default: NameT) -> NameT:
    return names(chosen) if chosen in set(names) else default


def find_reason_words(why: str) -> str:
    """Return the key of the words for a reason of exclusion; also for one that is new."""
    key = f"recall.why_{why}"
    return key if key in load_words(Language.ENGLISH) else "recall.why_other"


ROUTES = (PageRoute("/recall", show), PageRoute("/recall/block", show_block))
