"""The provider that has a language model understand."""

from palimpsest.providers.extraction.answering_language import require
from palimpsest.providers.extraction.messages import ExtractionRequest
from palimpsest.providers.extraction.prompts.conversation import conversation_language
from palimpsest.providers.extraction.prompts.extraction import (
    FoundFinished,
    FoundMemories,
    FoundMemory,
    extraction_prompt,
)
from palimpsest.providers.extraction.provider import Citation, ExtractionAnswer, Finished, Proposal
from palimpsest.providers.extraction.timing import timed
from palimpsest.providers.models.asking import TaskModel


class ModelExtraction:
    """What the model says is only proposed: evidence and rights are checked by whoever asked."""

    def __init__(self, model: TaskModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
        if not any(message.fresh and message.text for message in request.messages):
            return ExtractionAnswer()
        language = request.language or conversation_language(request.messages)

        def check(found: FoundMemories) -> None:
            require(language, (memory.content for memory in found.memories))

        found = await self._model.ask(
            extraction_prompt(request, language), user_id=request.user_id, check=check
        )
        return ExtractionAnswer(
            proposals=tuple(timed(_proposal(each), request) for each in found.memories),
            finished=tuple(map(_finished, found.finished or ())),
        )


def _proposal(found: FoundMemory) -> Proposal:
    return Proposal(
        kind=found.kind,
        content=found.content,
        summary=_said(found.summary),
        subject=_said(found.subject),
        attribute=_said(found.attribute),
        value=_said(found.value),
        replaces=_said(found.replaces),
        importance=None if found.importance is None else _unit(found.importance),
        confidence=_unit(found.confidence),
        agent=_said(found.agent),
        tags=_once(found.tags),
        entities=_once(found.entities),
        evidence=tuple(Citation(message=each.n, quote=each.quote) for each in found.evidence),
    )


def _finished(found: FoundFinished) -> Finished:
    return Finished(about=_said(found.what), evidence=Citation(message=found.n, quote=found.quote))


def _unit(number: float) -> float:
    return min(max(number, 0.0), 1.0)


def _said(text: str | None) -> str | None:
    """Models write nothing in several ways."""
    return text.strip() or None if text else None


def _once(words: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in words if word.strip()))
