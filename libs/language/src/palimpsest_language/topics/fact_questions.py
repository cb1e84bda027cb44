"""Recognize questions for a fact, which no topic constrains: "What did I eat?" has one answer.

Questions what to do, to give or to write are worded otherwise. Such words let a question through
that begins like one for a fact ("What is a good gift?", 什么时候去合适). A question about somebody
by name, and neither about the user nor about the assistant, asks for a fact too ("Would Nate enjoy
the trip?"), but not one about what ought to be done ("What should Nate eat?").
"""

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.vocabulary.simplified_characters import simplify_characters

_PHRASES = read_phrases("topics/fact_questions")
_ENGLISH = _PHRASES["english_fact"]
_ADVICE = _PHRASES["english_advice"]
_CHINESE = _PHRASES["chinese_fact"]
_CHINESE_ADVICE = _PHRASES["chinese_advice"]
_ASKS = _PHRASES["asks"]
_OUGHT = _PHRASES["ought"]
_OURS = _PHRASES["ours"]
_NAME = _PHRASES["name"]


def asks_for_a_fact(question: str) -> bool:
    text = simplify_characters(question).replace("’", "'")
    if _NAME.search(text) and _ASKS.search(text) and not _OURS.search(text):
        return not _OUGHT.search(text)
    if _ENGLISH.search(text):
        return not _ADVICE.search(text)
    return bool(_CHINESE.search(text)) and not _CHINESE_ADVICE.search(text)
