"""What somebody asks not to be remembered: kept with the conversation, and in nothing made of it."""

import re

_ORDER = r"(?:^|[.!?,;:(\n]|\b(?:please|pls|but|and|so|ok|just|actually))\s*"
"""An order: “I don't remember this” tells of whoever says it."""
_ASKED_NOT_TO = re.compile(
    rf"{_ORDER}(?:don['’]?t|do not|never) (?:remember|memori[sz]e)"
    r" (?:this|that|it|any(?:thing)? of (?:this|that|it)|what I(?:['’]ve)?)\b"
    rf"|{_ORDER}(?:don['’]?t|do not|never) (?:save|store|keep|put|add|write) (?:this|that|it|any of (?:this|that|it))"
    r" (?:down )?(?:in|into|to)(?: your| my)? memor(?:y|ies)\b"
    rf"|{_ORDER}forget (?:that )?I (?:ever |just )?(?:said|told you|mentioned)"
    r" (?:this|that|it|anything|so|any of (?:this|that|it))\b"
    r"|\boff the record\b"
    r"|(?:别|不要|不用|不必|请勿)(?:再)?(?:给我|帮我|替我)?(?:把这[^，。！？\n]{0,4}?)?"
    r"(?:记住|记下来?|记录(?:下来?)?|记(?=[了啊哦吧]?\s*(?:$|[，。！；：,.!;:\n]))"
    r"|(?:保存|存|写|记|放|加|添加)(?:进|到|入|在)[^，。！？\n]{0,6}?记忆[里中]?)(?!错|混|反|仇)"
    r"|(?:就)?当我没(?:有)?(?:说|讲|提)(?!清)(?:过)?",
    re.IGNORECASE,
)

_HINTS = ("remember", "memor", "forget", "off the record", "记", "当我没")
"""Without any of these nobody asks: to look for them takes a hundredth of the time."""
_POINTS_AHEAD = re.compile(r"\bthis\b|这", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？\n]")


def on_the_record(text: str) -> str:
    """The part of a message that may be remembered: what was said after asking that it be not.

    Nothing where it begins with that and points ahead; all of it where nobody asks.
    """
    return text[_asked_until(text) :]


def asks_not_to_remember(text: str) -> bool:
    return _asked_until(text) > 0


def _asked_until(text: str) -> int:
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS):
        return 0
    *_, asked = (None, *_ASKED_NOT_TO.finditer(text))
    if asked is None:
        return 0
    begins = _SENTENCE_END.search(text[: asked.start()].strip()) is None
    end = _SENTENCE_END.search(text, asked.end())
    until = end.end() if end else len(text)
    return len(text) if begins and _POINTS_AHEAD.search(text, 0, until) else until
