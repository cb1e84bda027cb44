"""Ask a language model to word an answer, and check that the memories bear it out."""

from collections.abc import Sequence

from palimpsest.model.bilingual_text import detect_language
from palimpsest.model.memory import Memory
from palimpsest_language.detail_support.source_words import SourceText, SourceWords
from palimpsest_language.detail_support.unsupported_detail import find_unsupported_detail
from palimpsest_language.memory_injection.rights_claims import states_rights_or_instructions
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from palimpsest_server.extraction.answer_language import require_language
from palimpsest_server.extraction.prompts.question_answer import FoundAnswer, build_answer_prompt
from palimpsest_server.models.task_model import ModelProvider

_MOST_CHARACTERS = 1_000


class ModelAnswers(ModelProvider):
    """Word answers by a model. Words that the memories do not bear out are not used."""

    async def word(
        self, query: str, memories: Sequence[Memory], *, user_id: str, time_zone: str
    ) -> str | None:
        """Return the answer of a question from memories; None if the model has no sound one.

        Raises:
            TransientError: the model is away, or its limit is reached.
            PermanentError: the model refuses to answer.
        """
        language = detect_language(query)

        def check(found: FoundAnswer) -> None:
            if found.answer.strip():
                require_language(language, [found.answer])

        found = await self._model.ask(
            build_answer_prompt(query, memories, language), user_id=user_id, check=check
        )
        answer = found.answer.strip()
        numbers = range(1, len(memories) + 1)
        if not found.rests_on or not all(number in numbers for number in found.rests_on):
            return None
        bases = [memories[number - 1] for number in dict.fromkeys(found.rests_on)]
        return answer if is_borne_out(answer, bases, time_zone) else None


def is_borne_out(answer: str, memories: Sequence[Memory], time_zone: str) -> bool:
    """Return whether an answer holds no number, day or name that these memories do not hold."""
    if not 0 < len(answer) <= _MOST_CHARACTERS or states_rights_or_instructions(answer):
        return False
    sources = SourceWords(
        [
            SourceText(memory.content, UtteranceTime(memory.occurred_at, time_zone))
            for memory in memories
        ]
    )
    return find_unsupported_detail([answer], sources) is None
