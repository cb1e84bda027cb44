"""Summaries without a model: what rules found and sentences that were said, chosen, not written.

Honest about it: whatever is not a rule's statement is quoted as the user's own words.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from palimpsest.domain.evolution.wording import gist
from palimpsest.domain.kinds import KINDS
from palimpsest.domain.turn import Role
from palimpsest.domain.user import Language
from palimpsest.domain.writing import has_chinese, summarised
from palimpsest.providers.extraction.messages import Message
from palimpsest.providers.extraction.prompts.conversation import conversation_language
from palimpsest.providers.extraction.provider import ExtractionProvider, Proposal
from palimpsest.providers.extraction.summaries.moods import mood_of
from palimpsest.providers.extraction.summaries.sentences import split
from palimpsest.providers.extraction.summaries.summariser import SummaryAnswer, SummaryAsked
from palimpsest.providers.extraction.summaries.topics import topics_of

SENTENCES = 3
LONGEST_SENTENCE = 200
"""In width: a Chinese character takes two."""
_SAME_WORDS = 0.6
_SHORTEST = 4
"""Words, or Chinese characters: "OK then" sums up nothing."""

_QUOTED = {Language.ENGLISH: 'The user said: "{words}"', Language.CHINESE: "用户说：“{words}”"}
_OPEN = ("还没决定", "没想好", "不确定", "还在考虑", "再想想", "拿不定主意", "再观察")
_OPEN_ENGLISH = (
    "not sure", "undecided", "haven't decided", "have not decided", "still thinking", "don't know yet",
    "will think about it", "let me think",
)  # fmt: skip
_ASKS = ("帮我", "请", "想要", "想知道", "怎么", "如何", "能不能", "可以", "推荐")
_ASKS_ENGLISH = ("can you", "could you", "please", "help me", "i want to", "i need", "how do", "how can", "what")  # fmt: skip


@dataclass(frozen=True)
class _Sentence:
    place: int
    text: str
    words: frozenset[str]
    stated: Proposal | None
    """What a rule made of it."""
    score: float = 0.0


class LocalSummaries:
    name = "local"

    def __init__(self, rules: ExtractionProvider) -> None:
        self._rules = rules

    async def summarise(self, asked: SummaryAsked) -> SummaryAnswer | None:
        request = asked.conversation
        found = await self._rules.extract(request)
        # A long session takes tens of milliseconds, and somebody has an event loop to keep free.
        return await asyncio.to_thread(_summary, asked, found.proposals)


def _summary(asked: SummaryAsked, proposals: Sequence[Proposal]) -> SummaryAnswer | None:
    request = asked.conversation
    language = request.language or conversation_language(request.messages)
    people = [message for message in request.messages if message.role is Role.USER]
    sentences = list(_sentences(people, proposals))
    chosen = _chosen(sentences)
    if not chosen:
        return None
    joint = "" if language is Language.CHINESE else " "
    facts = tuple(sorted(proposals, key=lambda each: -KINDS[each.kind].importance))
    return SummaryAnswer(
        text=asked.published or joint.join(_told(each, language) for each in chosen),
        topics=topics_of([message.text for message in people], entities=_entities(proposals)),
        user_intent=_first(people, _ASKS, _ASKS_ENGLISH, language),
        emotional_tone=mood_of([message.text for message in people], language),
        unresolved=_unresolved(request.messages, language),
        key_facts=facts,
        proposes_facts=False,
        language=language,
    )


def _sentences(people: Iterable[Message], proposals: Sequence[Proposal]) -> Iterable[_Sentence]:
    stated = {
        (citation.message, citation.quote): proposal
        for proposal in reversed(proposals)
        for citation in proposal.evidence
    }
    place = 0
    for message in people:
        for text in split(message.text):
            words = frozenset(gist(text).split())
            place += 1
            if len(words) >= _SHORTEST:
                yield _Sentence(place, text, words, _statement(stated, message.number, text))


def _statement(stated: dict[tuple[int, str], Proposal], number: int, text: str) -> Proposal | None:
    return next(
        (
            proposal
            for (message, quote), proposal in stated.items()
            if message == number and (text in quote or quote in text)
        ),
        None,
    )


def _chosen(sentences: Sequence[_Sentence]) -> list[_Sentence]:
    """The weightiest that do not say the same, in the order in which they were said.

    Luhn's measure: a sentence weighs what its words weigh, which is how often
    they come in the conversation; what a rule understood weighs double, and so
    does the one that opened it.
    """
    counts = Counter(word for sentence in sentences for word in sentence.words)
    first = sentences[0].place if sentences else 0

    def weight(sentence: _Sentence) -> float:
        mean = sum(counts[word] for word in sentence.words) / len(sentence.words)
        doubled = (2 if sentence.stated else 1) * (2 if sentence.place == first else 1)
        question = 0.5 if sentence.text.rstrip("”\"')）」").endswith(("?", "？")) else 1.0
        return mean * doubled * question

    chosen: list[_Sentence] = []
    for sentence in sorted(sentences, key=lambda one: (-weight(one), one.place)):
        if all(_overlap(sentence, other) < _SAME_WORDS for other in chosen):
            chosen.append(sentence)
        if len(chosen) == SENTENCES:
            break
    return sorted(chosen, key=lambda one: one.place)


def _overlap(one: _Sentence, other: _Sentence) -> float:
    return len(one.words & other.words) / len(one.words | other.words)


def _told(sentence: _Sentence, language: Language) -> str:
    if sentence.stated is not None:
        content = summarised(sentence.stated.content, LONGEST_SENTENCE)
        if language is Language.CHINESE:
            return content.rstrip("。.") + "。"
        return content[:1].upper() + content[1:].rstrip(".") + "."
    words = summarised(sentence.text, LONGEST_SENTENCE)
    return _QUOTED[language].format(words=words)


def _entities(proposals: Sequence[Proposal]) -> list[str]:
    return [entity for proposal in proposals for entity in proposal.entities]


def _first(
    people: Sequence[Message],
    chinese: Sequence[str],
    english: Sequence[str],
    language: Language,
    *,
    last: bool = False,
) -> str | None:
    found = [
        text
        for message in people
        for text in split(message.text)
        if any(
            word in (text if has_chinese(text) else text.casefold())
            for word in (chinese if has_chinese(text) else english)
        )
    ]
    if not found:
        return None
    words = summarised(found[-1] if last else found[0], LONGEST_SENTENCE)
    return _QUOTED[language].format(words=words)


def _unresolved(messages: Sequence[Message], language: Language) -> str | None:
    """What the user said that they do not know yet, or a last question that nobody answered."""
    people = [message for message in messages if message.role is Role.USER]
    undecided = _first(people, _OPEN, _OPEN_ENGLISH, language, last=True)
    if undecided or not messages or messages[-1].role is not Role.USER:
        return undecided
    last = split(messages[-1].text)[-1:]
    if last and last[0].rstrip("”\"')）」").endswith(("?", "？")):
        return _QUOTED[language].format(words=summarised(last[0], LONGEST_SENTENCE))
    return None
