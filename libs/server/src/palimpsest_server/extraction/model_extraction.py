"""The extraction provider that asks a language model."""

from collections.abc import Collection, Sequence

from palimpsest.model.user import Language
from palimpsest_language.dialogue import ExtractionRequest, detect_conversation_language
from palimpsest_language.proposal_times.mentioned_times import add_mentioned_times
from palimpsest_language.proposal_times.momentary import expire_momentary
from palimpsest_language.proposal_times.validity import date_proposal
from palimpsest_language.proposals import (
    CompletionClaim,
    ExtractionAnswer,
    MessageQuote,
    PictureDescription,
    Proposal,
)
from palimpsest_server.extraction.answer_language import require_language
from palimpsest_server.extraction.prompts.extraction import (
    FoundFinished,
    FoundInPictures,
    FoundMemories,
    FoundMemory,
    build_extraction_prompt,
    select_pictures,
)
from palimpsest_server.extraction.request_slices import merge_answers, slice_request
from palimpsest_server.models.language_model import PromptPicture
from palimpsest_server.models.model_errors import ModelRefused, PromptRefused
from palimpsest_server.models.task_model import ModelProvider, TaskModel
from palimpsest_server.models.vendors import Vendor


class ModelExtraction(ModelProvider):
    """Ask a model. Its answer is a proposal: the caller checks evidence and rights."""

    def __init__(self, model: TaskModel, *, sees: bool = False) -> None:
        """`sees` is True if the model is shown pictures too."""
        super().__init__(model)
        self._sees = sees

    async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
        return merge_answers(
            [
                await self._extract_slice(request_slice.request)
                for request_slice in slice_request(request)
            ]
        )

    async def _extract_slice(self, request: ExtractionRequest) -> ExtractionAnswer:
        language = request.language or detect_conversation_language(request.messages)
        pictures = self._pictures(request, language)
        if not pictures and not any(message.fresh and message.text for message in request.messages):
            return ExtractionAnswer()
        try:
            found = await self._asked(request, language, [picture for _, picture in pictures])
        except (PromptRefused, ModelRefused):
            if not pictures:
                raise
            # A bad address or picture must not cost the words, so the request is repeated without pictures.
            pictures = ()
            found = await self._asked(request, language, [])
        return ExtractionAnswer(
            proposals=expire_momentary(
                await add_mentioned_times(
                    (date_proposal(_proposal(memory), request) for memory in found.memories),
                    request,
                ),
                request,
            ),
            finished=tuple(map(_finished, found.finished or ())),
            seen=_seen(found, {number for number, _ in pictures}),
        )

    def _pictures(
        self, request: ExtractionRequest, language: Language
    ) -> tuple[tuple[int, PromptPicture], ...]:
        if not self._sees:
            return ()
        return select_pictures(
            request, language, given_alone=self._model.vendor == Vendor.COMPATIBLE.value
        )

    async def _asked(
        self, request: ExtractionRequest, language: Language, pictures: Sequence[PromptPicture]
    ) -> FoundMemories:

        def check(found: FoundMemories) -> None:
            require_language(language, (memory.content for memory in found.memories))

        return await self._model.ask(
            build_extraction_prompt(request, language, pictures),
            user_id=request.user_id,
            check=check,
        )


def _proposal(memory: FoundMemory) -> Proposal:
    words = {name: _said(getattr(memory, name)) for name in _WORDS}
    lists = {name: _once(getattr(memory, name)) for name in _LISTS}
    quotes = tuple(MessageQuote(message=quote.n, quote=quote.quote) for quote in memory.evidence)
    return Proposal(
        kind=memory.kind,
        content=memory.content,
        importance=None if memory.importance is None else _unit(memory.importance),
        confidence=_unit(memory.confidence),
        evidence=quotes,
        sensitive=memory.sensitive,
        **words,
        **lists,
    )


_SHARED = FoundMemory.model_fields.keys() & Proposal.model_fields.keys()
_WORDS = frozenset(
    name for name in _SHARED if FoundMemory.model_fields[name].annotation == (str | None)
)
"""Text fields that a proposal takes over by name; a new field needs no line here."""
_LISTS = frozenset(
    name for name in _SHARED if FoundMemory.model_fields[name].annotation == list[str]
)
"""Lists of texts that a proposal takes over by name."""
_CONVERTED = frozenset({"kind", "content", "importance", "confidence", "evidence", "sensitive"})
"""Fields that `_proposal` converts."""

if _LOST := FoundMemory.model_fields.keys() - _CONVERTED - _WORDS - _LISTS:
    raise TypeError(f"no proposal takes over {', '.join(sorted(_LOST))} of what a model found")


def _finished(found: FoundFinished) -> CompletionClaim:
    return CompletionClaim(
        about=_said(found.what), evidence=MessageQuote(message=found.n, quote=found.quote)
    )


def _seen(found: FoundMemories, shown: Collection[int]) -> tuple[PictureDescription, ...]:
    """Return one description for each message shown, joined from those of its pictures."""
    described: dict[int, list[str]] = {}
    told = found.seen if isinstance(found, FoundInPictures) else None
    for picture in told or ():
        if picture.n in shown:
            described.setdefault(picture.n, []).append(picture.description)
    return tuple(
        PictureDescription(message=n, description="\n".join(words))
        for n, words in described.items()
    )


def _unit(number: float) -> float:
    return min(max(number, 0.0), 1.0)


def _said(text: str | None) -> str | None:
    """Return None for the several ways in which models write an empty value."""
    return text.strip() or None if text else None


def _once(words: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in words if word.strip()))
