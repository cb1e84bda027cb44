"""Recognize fillers, which are no evidence of anything: chit-chat, and "ok", 知道了, "how nice".

An acknowledgement may answer a question, so whoever reads a conversation as a whole
needs it. Found by itself it takes the place of something that says what is asked for.
"Yes", "no", 是的 and 没有 are not here: beside the question they are all there is of a fact.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.rule_tables import forget_when_switched
from palimpsest_language.vocabulary.chit_chat import CHIT_CHAT_PHRASES

_LONGEST = 80
_BREAK = re.compile(r"[.!?,;:~…。！？，；：、\n]+")

_FILLERS = tuple(
    read_phrases(f"question_intents/{language}_fillers")["filler"]
    for language in ("english", "chinese")
)
_ADDRESS = read_phrases("question_intents/addresses")["address"]
_CHIT_CHAT = frozenset(CHIT_CHAT_PHRASES)
_TOKEN = re.compile(r"[a-z0-9']+|[^\W_]")
_LONGEST_PHRASE_TOKENS = 12


@forget_when_switched
@lru_cache(maxsize=4096)
def is_filler(text: str) -> bool:
    """Return whether a text, read alone, tells nothing; marks and emoji tell nothing either."""
    if len(text) > _LONGEST:
        return False
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").strip()
    plain = _ADDRESS.sub(r"\g<said>", plain).lower()
    pieces = [_TOKEN.findall(piece) for piece in _BREAK.split(plain)]
    return all(map(_is_made_of_phrases, filter(None, pieces)))


def _is_made_of_phrases(tokens: Sequence[str]) -> bool:
    """Return whether the tokens are phrases in a row; each end is tried once, to stay fast."""
    ends = [0]
    for end in ends:
        for further in range(end + 1, min(end + _LONGEST_PHRASE_TOKENS, len(tokens)) + 1):
            if further not in ends and _is_phrase(_joined(tokens[end:further])):
                ends.append(further)
        if len(tokens) in ends:
            return True
    return False


def _is_phrase(words: str) -> bool:
    return words in _CHIT_CHAT or any(fillers.search(words) for fillers in _FILLERS)


def _joined(tokens: Sequence[str]) -> str:
    """Join tokens with the spaces of phrases: between words of Latin script."""
    return "".join(
        f" {one}" if before.isascii() and one.isascii() and before else one
        for before, one in pairwise(("", *tokens))
    )
