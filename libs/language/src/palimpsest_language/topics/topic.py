"""Topic of everyday life: the words that show it, and examples of memories about it."""

from typing import NamedTuple


class QuestionTopic(NamedTuple):
    rule: str
    """The id of its row."""
    name: str
    question_words: tuple[str, ...]
    """English words and phrases of questions on the topic, in all forms."""
    chinese_question_words: tuple[str, ...]
    """Chinese words of questions on the topic, of at most four characters."""
    memory_words: tuple[str, ...]
    """Words of memories on the topic, in both languages."""
    examples: tuple[str, ...]
    """Invented memories on the topic; the mean of their embeddings is its direction."""
    secondary: bool = False
    """True if its words occur in questions about anything: it counts only without other topics."""
