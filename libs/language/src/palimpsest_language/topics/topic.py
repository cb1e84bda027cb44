"""Topic of everyday life: the words that show it, and examples of memories about it."""

from typing import NamedTuple


class QuestionTopic(NamedTuple):
    rule: str
    """The id of its row."""
    name: str
    question_words: tuple[str, ...]
    """Words and phrases by which English questions show it, each in its forms."""
    chinese_question_words: tuple[str, ...]
    """Words, of at most four characters, by which Chinese questions show it."""
    memory_words: tuple[str, ...]
    """Words of memories about it, in both languages."""
    examples: tuple[str, ...]
    """Invented memories about it; the mean of their embeddings is its direction."""
    secondary: bool = False
    """True where its words stand in questions about anything: it counts if no other is shown."""
