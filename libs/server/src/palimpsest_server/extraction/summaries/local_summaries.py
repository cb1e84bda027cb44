"""Summaries without a model: what rules found and sentences that were said, chosen, not written.

Honest about it: whatever is not a rule's statement is quoted as the user's own words.
"""

import asyncio
from collections.abc import Sequence

from palimpsest.model.bilingual_text import has_chinese, shorten_to_summary
from palimpsest.model.kinds import KINDS
from palimpsest.model.turn import Role
from palimpsest.model.user import Language
from palimpsest_language.dialogue import DialogueMessage, detect_conversation_language
from palimpsest_language.message_spans.own_messages import keep_own_words
from palimpsest_language.proposals import Proposal
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

_OPEN = ("还没决定", "没想好", "不确定", "还在考虑", "再想想", "拿不定主意", "再观察")
_OPEN_ENGLISH = (
    "not sure", "undecided", "haven't decided", "have not decided", "still thinking", "don't know yet",
    "will think about it", "let me think",
)  # fmt: skip
_ASKS = ("帮我", "请", "想要", "想知道", "怎么", "如何", "能不能", "可以", "推荐")
_ASKS_ENGLISH = ("can you", "could you", "please", "help me", "i want to", "i need", "how do", "how can", "what")  # fmt: skip


class LocalSummaries:
    name = "local"

    def __init__(self, rules: ExtractionProvider) -> None:
        self._rules = rules

    async def summarise(self, asked: SummaryInput) -> SummaryAnswer | None:
        request = asked.conversation
        found = await self._rules.extract(request)
        # A long session takes tens of milliseconds, and somebody has an event loop to keep free.
        return await asyncio.to_thread(_summary, asked, found.proposals)


def _summary(asked: SummaryInput, proposals: Sequence[Proposal]) -> SummaryAnswer | None:
    request = asked.conversation
    language = request.language or detect_conversation_language(request.messages)
    people = [message for message in keep_own_words(request.messages) if message.role is Role.USER]
    text = summarize_in_sentences(people, proposals, language)
    if not text:
        return None
    facts = tuple(sorted(proposals, key=lambda each: -KINDS[each.kind].importance))
    return SummaryAnswer(
        text=asked.published or text,
        topics=find_frequent_topics(
            [message.text for message in people], entities=_entities(proposals)
        ),
        user_intent=_first(people, _ASKS, _ASKS_ENGLISH, language),
        emotional_tone=find_moods([message.text for message in people], language),
        unresolved=_unresolved(request.messages, language),
        key_facts=facts,
        proposes_facts=False,
        language=language,
    )


def _entities(proposals: Sequence[Proposal]) -> list[str]:
    return [entity for proposal in proposals for entity in proposal.entities]


def _first(
    people: Sequence[DialogueMessage],
    chinese: Sequence[str],
    english: Sequence[str],
    language: Language,
    *,
    last: bool = False,
) -> str | None:
    found = [
        text
        for message in people
        for text in split_text(message.text)
        if any(
            word in (text if has_chinese(text) else text.casefold())
            for word in (chinese if has_chinese(text) else english)
        )
    ]
    if not found:
        return None
    words = shorten_to_summary(found[-1] if last else found[0], MAX_SENTENCE_WIDTH)
    return QUOTE_TEMPLATES[language].format(words=words)


def _unresolved(messages: Sequence[DialogueMessage], language: Language) -> str | None:
    """Return what the user does not know yet, or a last question that nobody answered."""
    people = [message for message in messages if message.role is Role.USER]
    undecided = _first(people, _OPEN, _OPEN_ENGLISH, language, last=True)
    if undecided or not messages or messages[-1].role is not Role.USER:
        return undecided
    last = split_text(messages[-1].text)[-1:]
    if last and last[0].rstrip("”\"')）」").endswith(("?", "？")):
        return QUOTE_TEMPLATES[language].format(
            words=shorten_to_summary(last[0], MAX_SENTENCE_WIDTH)
        )
    return None
