"""Choose the conversations that are worth a summary, and split long ones into pieces."""

from collections.abc import Sequence

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role, Turn
from palimpsest_language.question_intents.fillers import is_filler
from palimpsest_language.statements.small_talk import is_small_talk
from palimpsest_language.summaries.text_sentences import split_text
from palimpsest_language.vocabulary.chit_chat import is_chit_chat, is_chit_chat_text

FEWEST_MESSAGES = 3
PIECE_CHARACTERS = 24_000
"""Characters that a model reads at once: within the context of any model, and cheap."""


def is_worth_a_summary(turns: Sequence[Turn]) -> bool:
    """Return whether people said enough beyond small talk, whatever one agent replies."""
    return (
        len(turns) >= FEWEST_MESSAGES
        and any(turn.role is Role.USER for turn in turns)
        and not is_chit_chat(turns)
        and not _is_small_talk(turns)
    )


def _is_small_talk(turns: Sequence[Turn]) -> bool:
    """Return whether the user only makes small talk, to a single agent.

    A discussion of several agents deserves a summary even if the user only greets them.
    """
    agents = {turn.agent_id or turn.speaker for turn in turns if turn.role is Role.AGENT}
    by_user = [turn for turn in turns if turn.role is Role.USER]
    if len(agents) > 1 or any(turn.images or turn.role is Role.TOOL for turn in turns):
        return False
    return all(_is_idle(sentence) for turn in by_user for sentence in split_text(turn.full_text))


def _is_idle(sentence: str) -> bool:
    words = sentence.strip(" .!?~。！？～…，,")
    if is_chit_chat_text(words):
        return True
    # "OK" may agree to a question.
    return is_small_talk(words, chinese=has_chinese(words)) and not is_filler(words)
