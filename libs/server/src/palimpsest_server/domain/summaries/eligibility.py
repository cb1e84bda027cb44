"""Choose the conversations that are worth a summary, and split long ones into pieces."""

from collections.abc import Sequence

from palimpsest.model.turn import Role, Turn
from palimpsest_language.vocabulary.chit_chat import is_chit_chat

FEWEST_MESSAGES = 3
PIECE_CHARACTERS = 24_000
"""Of what a model reads at once: well within the window of any, and cheap."""


def is_worth_a_summary(turns: Sequence[Turn]) -> bool:
    """Return whether people said enough, and not only small talk."""
    return (
        len(turns) >= FEWEST_MESSAGES
        and any(turn.role is Role.USER for turn in turns)
        and not is_chit_chat(turns)
    )
