"""Judge whether a new memory repeats an existing one: by a language model, never by rules."""

from typing import Protocol

from palimpsest.events.extractor_answers import JudgementProposed
from palimpsest.events.extractor_requests import JudgementRequested
from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.judgement import DuplicateJudgement, JudgementVerdict
from palimpsest_server.extraction.answer_envelope import build_answer_envelope
from palimpsest_server.extraction.answer_language import require_language
from palimpsest_server.extraction.prompts.judgement import FoundJudgement, build_judgement_prompt
from palimpsest_server.models.model_errors import UnusableAnswer
from palimpsest_server.models.task_model import ModelProvider


class MemoryJudge(Protocol):
    @property
    def name(self) -> str: ...

    async def judge(self, asked: JudgementRequested, *, provider: str) -> JudgementProposed:
        """Return the proposal that follows; the same question gives the same event id.

        Raises:
            TransientError: it may succeed later, not before `retry_after_seconds`.
            PermanentError: it will fail every time.
        """
        ...


class KeepBothJudge:
    """Keep both memories of a question left over from a time when a model was configured."""

    name = "local"

    async def judge(self, asked: JudgementRequested, *, provider: str) -> JudgementProposed:
        return _proposed(asked, _KEEP_BOTH, provider)


class ModelMemoryJudge(ModelProvider):
    """Ask a model. Its judgement is a proposal.

    The consolidator checks that both memories are still stored.
    """

    async def judge(self, asked: JudgementRequested, *, provider: str) -> JudgementProposed:
        language = detect_language(asked.new.text)

        def check(judgement: FoundJudgement) -> None:
            if judgement.verdict is JudgementVerdict.KEEP_BOTH:
                return
            if judgement.n is None or not 1 <= judgement.n <= len(asked.standing):
                raise UnusableAnswer(
                    "the judgement names none of the memories",
                    remedy=f"n must be from 1 to {len(asked.standing)}, or the verdict keep_both.",
                )
            if judgement.verdict is JudgementVerdict.MERGE:
                if not (judgement.content or "").strip():
                    raise UnusableAnswer(
                        "the merge has no content", remedy="A merge needs its content."
                    )
                require_language(language, [judgement.content or ""])

        found = await self._model.ask(
            build_judgement_prompt(
                asked.new.text, [memory_text.text for memory_text in asked.standing], language
            ),
            user_id=asked.user_id,
            check=check,
        )
        return _proposed(asked, found, provider)


_KEEP_BOTH = FoundJudgement(verdict=JudgementVerdict.KEEP_BOTH, n=None, content=None)


def _proposed(
    asked: JudgementRequested, judgement: FoundJudgement, provider: str
) -> JudgementProposed:
    return JudgementProposed(
        **build_answer_envelope(asked, JudgementProposed, provider),
        judgement=_judgement(asked, judgement),
    )


def _judgement(asked: JudgementRequested, judgement: FoundJudgement) -> DuplicateJudgement:
    standing = asked.standing[(judgement.n or 1) - 1]
    merges = judgement.verdict is JudgementVerdict.MERGE
    return DuplicateJudgement(
        verdict=judgement.verdict,
        new=asked.new.at,
        standing=standing.at,
        content=(judgement.content or "").strip() if merges else None,
    )
