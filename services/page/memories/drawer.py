"""The drawer of a memory: where it comes from, its versions side by side, and what it is related to."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response

from palimpsest.api.resources import MemoryDetail, MemoryRevision, TurnDetail
from palimpsest.client.errors import ClientError, NotFound
from palimpsest.model.memory import Evidence, Memory
from services.page.memories.cards import build_card_context
from services.page.memories.word_difference import TextPart, compare_words
from services.page.page_routes import PageRoute
from services.page.visit import Visit

MOST_QUOTES = 8
MOST_RELATED = 12


class QuotedEvidence(NamedTuple):
    """A quote with the conversation around it; None where that is gone or cannot be seen."""

    evidence: Evidence
    conversation: TurnDetail | None


class ShownRelation(NamedTuple):
    """Another memory, and the word for how it is related."""

    relation: str
    memory: Memory


class ShownVersion(NamedTuple):
    """A change of the memory, and the difference that it made to the words."""

    revision: MemoryRevision
    words: Sequence[TextPart]


async def show_drawer(visit: Visit) -> Response:
    """Show one memory in full: in a drawer, or as a page of its own."""
    detail = await visit.client.get(visit.path["memory_id"], **visit.scope())
    quotes, related = await asyncio.gather(
        asyncio.gather(
            *(_quote(visit, evidence) for evidence in detail.memory.evidence[:MOST_QUOTES])
        ),
        _find_related(visit, detail.memory),
    )
    template = "memories/drawer.html" if visit.is_fragment else "memories/detail.html"
    return visit.render(
        template,
        detail=detail,
        memory=detail.memory,
        quotes=quotes,
        related=related,
        versions=list_versions(detail),
        **build_card_context(visit),
    )


def list_versions(detail: MemoryDetail) -> list[ShownVersion]:
    """Return the changes of a memory, the latest first, each with the difference in its words."""
    return [
        ShownVersion(
            revision,
            compare_words(
                revision.before.content if revision.before else "", revision.after.content
            ),
        )
        for revision in detail.history
    ]


async def _quote(visit: Visit, evidence: Evidence) -> QuotedEvidence:
    if evidence.session_id is None or evidence.message_id is None:
        return QuotedEvidence(evidence, None)
    session = visit.session
    try:
        # What was said to an agent may have become a memory of the user's, or of a project.
        conversation = await visit.client.sessions.message(
            evidence.session_id,
            evidence.message_id,
            user_id=session.user_id,
            agent_id=session.agent_id,
            everywhere=True,
        )
    except NotFound:
        conversation = None
    return QuotedEvidence(evidence, conversation)


async def _find_related(visit: Visit, memory: Memory) -> list[ShownRelation]:
    named = [
        *(("supersedes", memory_id) for memory_id in memory.supersedes),
        *([("superseded_by", memory.superseded_by)] if memory.superseded_by else []),
        *((relation.type.value, relation.memory_id) for relation in memory.relations),
    ]

    async def find(relation: str, memory_id: str) -> ShownRelation | None:
        try:
            detail = await visit.client.get(memory_id, **visit.scope())
        except ClientError:
            return None
        return ShownRelation(relation, detail.memory)

    found = await asyncio.gather(*(find(*pair) for pair in dict.fromkeys(named[:MOST_RELATED])))
    return [related for related in found if related is not None]


ROUTES = (PageRoute("/memories/{memory_id}", show_drawer),)
