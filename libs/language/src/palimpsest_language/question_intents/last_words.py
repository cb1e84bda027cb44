"""Recognize questions about what was said a moment ago.

"What did I just say?" has no word in it that what was said could have: only
its place in the conversation answers it. With a matter beside it ("what did I
just say about the flight") it is a question like any other.
"""

import re
import unicodedata

from palimpsest.model.turn import Role
from palimpsest_language.phrase_tables import read_phrases

_ENGLISH, _CHINESE = (
    read_phrases(f"question_intents/{language}_last_words")["last_words"]
    for language in ("english", "chinese")
)
_LONGEST = 120
"""Characters of a question that asks for nothing else."""
_ENDS = re.compile(r"[\s?!.,;:。！？，、~…]+$")


def find_last_words_speaker(question: str) -> Role | None:
    """Return the speaker whose last words are asked for, where the question asks nothing else."""
    if len(question) > _LONGEST:
        return None
    text = unicodedata.normalize("NFKC", question).replace("’", "'").casefold()
    text = _ENDS.sub("", " ".join(text.split()))
    match = _ENGLISH.search(text) or _CHINESE.search(re.sub(r"[\s,，、]", "", text))
    if match is None:
        return None
    return Role.USER if match["who"] in {"i", "my", "我"} else Role.AGENT
