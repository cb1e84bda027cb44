"""What somebody asks not to be remembered. Pure."""

import re

_ASKED_NOT_TO = re.compile(
    r"(?:^|[.!?,;:(\n]|\b(?:please|pls|but|and|so|ok|just|actually))\s*"
    r"(?:don['’]?t|do not|never) (?:remember|memori[sz]e)"
    r" (?:this|that|it|any(?:thing)? of (?:this|that|it)|what I(?:['’]ve)?)\b"
    r"|\boff the record\b"
    r"|(?:别|不要|不用|不必|请勿)(?:再)?(?:给我|帮我|替我)?"
    r"(?:记住|记下来?|记录(?:下来?)?|记(?=[了啊哦吧]?\s*(?:$|[，。！；：,.!;:\n])))(?!错|混|反|仇)",
    re.IGNORECASE,
)
"""An order: “I don't remember this” tells of whoever says it."""

_POINTS_AHEAD = re.compile(r"\bthis\b|这", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？\n]")


def off_the_record(text: str) -> str:
    """The part of a message that is not to be remembered: what was said up to where it asks so.

    All of it where it begins with that and points ahead; nothing where nobody asks.
    """
    *_, asked = (None, *_ASKED_NOT_TO.finditer(text))
    if asked is None:
        return ""
    begins = _SENTENCE_END.search(text[: asked.start()].strip()) is None
    end = _SENTENCE_END.search(text, asked.end())
    sentence = text[: end.start()] if end else text
    return text if begins and _POINTS_AHEAD.search(sentence) else sentence
