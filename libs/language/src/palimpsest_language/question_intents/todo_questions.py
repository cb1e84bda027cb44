"""Recognizes questions for all open todos, and for nothing else.

"Is there anything I still have to do?", 我还有哪些事没办. No todo shares a word with them, and done
todos are as near to them as open ones. Their answer is therefore every open todo. A question on a
matter ("what is left to do for the wedding") is a question like any other.
"""

import re
import unicodedata

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.question_intents.attribute_questions import restore_apostrophes

_LONGEST = 120
"""Characters of a question that asks for nothing else."""
_AROUND = re.compile(r"^[\s?!.,。~…]+|[\s?!.,。~…]+$")
_ENGLISH, _CHINESE = (
    read_phrases(f"question_intents/{language}_todo_questions")["todos"]
    for language in ("english", "chinese")
)


def asks_for_todos(question: str) -> bool:
    """Return whether a question asks for all that is still to be done, and for nothing else."""
    if len(question) > _LONGEST:
        return False
    text = restore_apostrophes(unicodedata.normalize("NFKC", question))
    text = _AROUND.sub("", " ".join(text.split()))
    if has_chinese(text):
        return _CHINESE.search(re.sub(r"[\s,、]", "", text)) is not None
    return _ENGLISH.search(text.replace(",", "")) is not None
