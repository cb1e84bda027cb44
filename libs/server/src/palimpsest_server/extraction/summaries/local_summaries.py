"""Summaries without a model: statements that rules found, and sentences chosen from the messages.

Sentences that are not a rule's statement are marked as the user's own words.
"""

import asyncio
from collections.abc import Sequence

from palimpsest.model.bilingual_text import shorten_to_summary
from palimpsest.model.kinds import KINDS
from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest_language.dialogue import DialogueMessage, detect_conversation_language
from palimpsest_language.message_spans.own_messages import keep_own_words
from palimpsest_language.proposals import Proposal
from palimpsest_language.statements.sarcasm import praises_in_sarcasm
from palimpsest_language.summaries.conversation_aims import find_aim, find_undecided
from palimpsest_language.summaries.moods import find_moods
from palimpsest_language.summaries.sentence_selection import (
    MAX_SENTENCE_WIDTH,
    QUOTE_TEMPLATES,
    summarize_in_sentences,
)
from palimpsest_language.summaries.text_sentences import split_text
from palimpsest_server.extraction.provider import ExtractionProvider
from palimpsest_server.extraction.summaries.frequent_topics import find_frequent_topics
from palimpsest_server.extraction.summaries.summariser import SummaryAnswer, SummaryInput


class LocalSummaries:
    name = "local"

    def __init__(self, rules: ExtractionProvider) -> None:
        self._rules = rules

    async def summarise(self, asked: SummaryInput) -> SummaryAnswer | None:
        request = asked.conversation
        answer = await self._rules.extract(request)
        # A long session takes tens of milliseconds, which would block the event loop.
        return await asyncio.to_thread(_summary, asked, answer.proposals)


def _summary(asked: SummaryInput, proposals: Sequence[Proposal]) -> SummaryAnswer | None:
    request = asked.conversation
    language = request.language or detect_conversation_language(request.messages)
    people = [
        message
        for message in keep_own_words(request.messages)
        if message.role is Role.USER and not praises_in_sarcasm(message.text)
    ]
    text = summarize_in_sentences(people, proposals, language)
    if not text:
        return None
    facts = tuple(sorted(proposals, key=lambda proposal: -KINDS[proposal.kind].importance))
    return SummaryAnswer(
        text=asked.published or text,
        topics=find_frequent_topics(
            [message.text for message in people], entities=_entities(proposals)
        ),
        user_intent=_quote(find_aim(_sentences_of(people)), language),
        emotional_tone=find_moods([message.text for message in people], language),
        unresolved=_unresolved(request.messages, language),
        key_facts=facts,
        proposes_facts=False,
        language=language,
    )


def _entities(proposals: Sequence[Proposal]) -> list[str]:
    return [entity for proposal in proposals for entity in proposal.entities]


def _sentences_of(people: Sequence[DialogueMessage]) -> list[str]:
    return [text for message in people for text in split_text(message.text)]


def _quote(words: str | None, language: Language) -> str | None:
    if words is None:
        return None
    shown = shorten_to_summary(words, MAX_SENTENCE_WIDTH)
    return QUOTE_TEMPLATES[language].format(words=shown)


def _unresolved(messages: Sequence[DialogueMessage], language: Language) -> str | None:
    """Return an open question of the user, or a last question that nobody answered."""
    people = [message for message in messages if message.role is Role.USER]
    undecided = find_undecided(_sentences_of(people))
    if undecided or not messages or messages[-1].role is not Role.USER:
        return _quote(undecided, language)
    last = split_text(messages[-1].text)[-1:]
    if last and last[0].rstrip("”\"')）」").endswith(("?", "？")):
        return _quote(last[0], language)
    return None
