"""Recognize messages that do nothing but ask: they answer no question in their words."""

import re

from palimpsest_language.question_intents.fillers import is_filler

_SENTENCES = re.compile(r"[^.!?。！？…\n]+[.!?。！？…]*")
_ASKS = ("?", "？")


def is_only_a_question(text: str) -> bool:
    """Return whether a text only asks; filler beside the question does not count.

    “Ha, fair enough. How old is Theo?” only asks.

    Somebody who asks may tell something by it; an assistant hardly does.
    """
    sentences = [each.strip() for each in _SENTENCES.findall(text)]
    said = [sentence for sentence in sentences if not sentence.endswith(_ASKS)]
    return len(said) < len(sentences) and all(map(is_filler, said))
