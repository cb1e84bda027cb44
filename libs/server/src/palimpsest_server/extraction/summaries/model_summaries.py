"""Summaries by a language model; a long conversation piece by piece, each added to the summary so far."""

from palimpsest.model.kinds import Kind
from palimpsest.model.user import Language
from palimpsest_language.dialogue import DialogueMessage, detect_conversation_language
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.summaries.text_sentences import count_sentences
from palimpsest_server.domain.summaries.eligibility import PIECE_CHARACTERS
from palimpsest_server.extraction.answer_language import require_language
from palimpsest_server.extraction.prompts.summary import (
    FoundKeyFact,
    FoundSummary,
    build_summary_prompt,
)
from palimpsest_server.extraction.summaries.summariser import SummaryAnswer, SummaryInput
from palimpsest_server.models.model_errors import UnusableAnswer
from palimpsest_server.models.task_model import ModelProvider, TaskModel

MOST_SENTENCES = 4
"""The prompt requests three sentences; a fourth is accepted."""
MOST_TOPICS = 5

_TOO_LONG = {
    Language.ENGLISH: "Answer again: the summary in 2 or 3 sentences, and 3 to 5 topics.",
    Language.CHINESE: "请重新回答：summary 用 2 到 3 句话，topics 3 到 5 个。",
}


class SummaryLengthError(UnusableAnswer):
    """Raised if a summary is empty or as long as an essay."""

    reason = "wrong_length"


class ModelSummaries(ModelProvider):
    def __init__(self, model: TaskModel, *, piece_characters: int = PIECE_CHARACTERS) -> None:
        super().__init__(model)
        self._piece_characters = piece_characters

    async def summarise(self, asked: SummaryInput) -> SummaryAnswer | None:
        request = asked.conversation
        language = request.language or detect_conversation_language(request.messages)

        def check(summary: FoundSummary) -> None:
            _require_summary(summary, language)

        found: FoundSummary | None = None
        facts: list[FoundKeyFact] = []
        for piece in _pieces(request.messages, self._piece_characters):
            prompt = build_summary_prompt(
                piece,
                language,
                time_zone=request.time_zone,
                so_far=found.summary if found and found.substance else None,
                published=asked.published,
                topic=request.topic,
            )
            latest = await self._model.ask(prompt, user_id=request.user_id, check=check)
            if latest.substance:
                # A last piece of thanks and goodbyes must not empty the summary.
                found = latest
                facts += latest.key_facts
        return None if found is None else _answer(found, facts, language)


def _require_summary(summary: FoundSummary, language: Language) -> None:
    if not summary.substance:
        return
    sentences = count_sentences(summary.summary)
    if not 1 <= sentences <= MOST_SENTENCES or not any(map(str.strip, summary.topics)):
        raise SummaryLengthError(
            f"a summary of {sentences} sentences and {len(summary.topics)} topics",
            remedy=_TOO_LONG[language],
        )
    require_language(
        language, [summary.summary, *(key_fact.fact for key_fact in summary.key_facts)]
    )


def _answer(summary: FoundSummary, facts: list[FoundKeyFact], language: Language) -> SummaryAnswer:
    topics = tuple(dict.fromkeys(topic.strip() for topic in summary.topics if topic.strip()))
    return SummaryAnswer(
        text=summary.summary.strip(),
        topics=topics[:MOST_TOPICS],
        user_intent=_said(summary.user_intent),
        emotional_tone=_said(summary.emotional_tone),
        unresolved=_said(summary.unresolved),
        key_facts=tuple(map(_proposal, facts)),
        proposes_facts=True,
        language=language,
    )


def _proposal(found: FoundKeyFact) -> Proposal:
    return Proposal(
        kind=Kind.FACT,
        content=found.fact.strip(),
        subject="user",
        evidence=(MessageQuote(message=found.n, quote=found.quote),),
    )


def _said(text: str | None) -> str | None:
    return text.strip() or None if text else None


def _pieces(
    messages: tuple[DialogueMessage, ...], characters: int
) -> list[tuple[DialogueMessage, ...]]:
    """Split messages in order into pieces of this many characters; a longer message is one piece."""
    found: list[list[DialogueMessage]] = []
    room = 0
    for message in messages:
        if not found or len(message.text) > room:
            found.append([])
            room = characters
        found[-1].append(message)
        room -= len(message.text)
    return [tuple(piece) for piece in found]
