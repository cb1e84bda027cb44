"""Statements about a character that somebody plays, in a game or a role: not about themself."""

from palimpsest_language.phrase_tables import read_phrases

_SIGNS = read_phrases("statements/game_characters")


def tells_of_game_character(text: str) -> bool:
    """Tell whether a text is about a character of the speaker: "my wizard lost his staff"."""
    return _SIGNS["tells_of_game_character"].search(text.replace("’", "'")) is not None
