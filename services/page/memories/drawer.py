"""The drawer of a memory: where it comes from, its versions side by side, and what it is related to."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from starlette.responses import Response

from palimpsest.api.conversations import Conversation
from palimpsest.api.resources import MemoryDetail, MemoryRevision, TurnDetail
from palimpsest.client.errors import ClientError, NotFound
from palimpsest.model.memory import Evidence, Memory
from services.page.dialogue import Stretch, mark_quotes
from services.page.memories.cards import build_card_context
from services.page.memories.word_difference import TextPart, compare_words
from services.page.page_routes import PageRoute
from services.page.session_effects import Effect, name_effect
from services.page.visit import Visit

MOST_QUOTES = 8
MOST_RELATED = 12
LATEST = 200
"""Conversations among which the title of a quoted one is looked for."""


class QuotedEvidence(NamedTuple):
    """The words of one message that a memory rests on, with the conversation around it."""

    evidence: Evidence
    """The first quote of the message."""
    conversation: TurnDetail | None
    """The conversation; None where it is gone or cannot be seen."""
    is_of_before: bool
    """True if it is of the version before the person's own correction."""
    words: Sequence[Stretch] = ()
    """The text of the message with all its quotes; empty without a conversation."""


class ShownRelation(NamedTuple):
    """Another memory, and the word for how it is related."""

    relation: str
    memory: Memory


class ShownVersion(NamedTuple):
    """A change of the memory, and the difference that it made to the words."""

    revision: MemoryRevision
    words: Sequence[TextPart]
    effect: Effect


async def show_drawer(visit: Visit) -> Response:
    """Show one memory in full: in a drawer, or as a page of its own."""
    detail = await visit.client.get(visit.path["memory_id"], **visit.scope())
    quotes, related, titles = await asyncio.gather(
        asyncio.gather(
            *(
                _quote(visit, quotes, is_of_before=is_of_before)
                for quotes, is_of_before in list_evidence(detail)
            )
        ),
        _find_related(visit, detail.memory),
        _read_titles(visit),
    )
    template = "memories/drawer.html" if visit.is_fragment else "memories/detail.html"
    return visit.render(
        template,
        detail=detail,
        memory=detail.memory,
        quotes=quotes,
        titles=titles,
        most_quotes=MOST_QUOTES,
        related=related,
        versions=list_versions(detail),
        **build_card_context(visit),
    )


def list_evidence(detail: MemoryDetail) -> list[tuple[Sequence[Evidence], bool]]:
    """Return the quotes of a memory by message, and then those that it rested on before a correction."""
    own = detail.memory.evidence
    earlier = next(
        (
            revision.before.evidence
            for revision in detail.history
            if revision.before and _has_said(revision.before.evidence)
        ),
        (),
    )
    # A memory that still rests on what was said was not corrected: more was said since.
    replaced = () if _has_said(own) else earlier
    return [
        *((quotes, False) for quotes in group_quotes(own[:MOST_QUOTES])),
        *((quotes, True) for quotes in group_quotes(replaced[:MOST_QUOTES])),
    ]


def group_quotes(evidence: Iterable[Evidence]) -> list[Sequence[Evidence]]:
    """Group quotes of the same message; a quote of none stands alone."""
    groups: dict[object, list[Evidence]] = {}
    for place, quote in enumerate(evidence):
        message = (quote.session_id, quote.message_id)
        groups.setdefault(place if None in message else message, []).append(quote)
    return list(groups.values())


def _has_said(evidence: Sequence[Evidence]) -> bool:
    """Return whether any of the quotes is other than the person's own edit."""
    return any(quote.origin != "command" for quote in evidence)


def list_versions(detail: MemoryDetail) -> list[ShownVersion]:
    """Return the changes of a memory, the latest first, each with the difference in its words."""
    return [
        ShownVersion(
            revision,
            compare_words(
                revision.before.content if revision.before else "", revision.after.content
            ),
            _name_effect(revision),
        )
        for revision in detail.history
    ]


def _name_effect(revision: MemoryRevision) -> Effect:
    before, after = revision.before, revision.after
    effect = name_effect(before, after)
    is_said_again = before is None or len(after.evidence) > len(before.evidence)
    return Effect.REWORDED if effect is Effect.REPEATED and not is_said_again else effect


async def _quote(visit: Visit, quotes: Sequence[Evidence], *, is_of_before: bool) -> QuotedEvidence:
    evidence = quotes[0]
    if evidence.session_id is None or evidence.message_id is None:
        return QuotedEvidence(evidence, None, is_of_before)
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
        return QuotedEvidence(evidence, None, is_of_before)
    words = mark_quotes(conversation.turn.text, [(quote.quote, 0) for quote in quotes])
    return QuotedEvidence(evidence, conversation, is_of_before, words)


async def _read_titles(visit: Visit) -> dict[str, str]:
    """Return the titles of the latest conversations, as their list has them, with the agent's name."""
    latest = await visit.client.sessions.list(**visit.everywhere(), limit=LATEST)
    return {
        talk.session_id: " · ".join(filter(None, (_name_conversation(visit, talk), talk.agent_id)))
        for talk in latest.conversations
    }


def _name_conversation(visit: Visit, talk: Conversation) -> str:
    if talk.topic or talk.last_message_at is None:
        return talk.topic or visit.word("conversations.title")
    return visit.word("conversations.untitled", day=visit.times.day(talk.last_message_at))


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


ROUTES = (PageRoute("/memories/{memory_id:path}", show_drawer),)
