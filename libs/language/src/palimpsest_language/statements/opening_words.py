"""Opening words that say nothing: interjections, links, the name of the listener."""

import re
from collections.abc import Collection
from functools import lru_cache

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("statements/opening_words")
_ENGLISH = _PHRASES["english_opening"]
_LEAD_IN = _PHRASES["lead_in"]
_CHINESE = _PHRASES["chinese_opening"]
_TRAILING = _PHRASES["trailing"]
_FILLS_THE_END = _PHRASES["fills_the_end"]
_NODS = _PHRASES["nods"]
_TO_SOMEBODY = _PHRASES["to_somebody"]
_REQUEST_TO_REMEMBER = _PHRASES["request_to_remember"]
_REQUEST_TO_CONSIDER = _PHRASES["request_to_consider"]
_ASIDE_WORD = _PHRASES["aside_word"]
_PICTURES = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+")
_AROUND = " \t\n,，;；.。!！?？:：、…~～—–-"


def strip_opening_words(text: str, names: Collection[str], *, chinese: bool) -> str:
    """The statement alone: "oh and tutor, stop that lol" becomes "stop that"."""
    before = None
    text = _PICTURES.sub(" ", text)
    while before != text:
        before = text
        text = (_CHINESE if chinese else _ENGLISH).sub("", text)
        if not chinese:
            text = _LEAD_IN.sub("", text)
            text = _NODS.sub(",", _FILLS_THE_END.sub("", _TO_SOMEBODY.sub("", text)))
        if names:
            text = _addressed(tuple(sorted(names))).sub("", text)
        text = text.strip(_AROUND)
    stripped = _TRAILING.sub("", text).strip(_AROUND)
    return stripped or text


def strip_requests_to_remember(text: str) -> str:
    """Return the text without words that only ask to remember what follows them in a sentence."""
    return _REQUEST_TO_REMEMBER.sub("", text)


def strip_words_to_agent(content: str) -> str:
    """Return the statement without "by the way" and what the agent is asked to make of it."""
    stripped = _REQUEST_TO_CONSIDER.sub("", _ASIDE_WORD.sub("", content)) or content
    is_beheaded = content[:1].isupper() and not content.startswith(stripped[:1])
    return stripped[:1].upper() + stripped[1:] if is_beheaded else stripped


@lru_cache(maxsize=256)
def _addressed(names: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(re.escape(name) for name in names)
    return re.compile(
        rf"^(?:{words})(?:\s*[,:，：]\s*|\s+(?=你|请|麻烦|把|帮|记得))", re.IGNORECASE
    )
