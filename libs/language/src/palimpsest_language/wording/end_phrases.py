"""Statements that something is no longer so: "I no longer work at X", 不再用 X 了."""

import re

_ENDS = re.compile(
    r"""\b(?:no\ longer | stop(?:ped|s)? | quits? | g(?:ave|iven|iving|ives)\ up | left | leaves
    | leaving
    | (?:resigned|retired)\ from | got\ rid\ of | ceased | cancell?ed | dropped | done\ with
    | broke\ up\ with
    | (?<!\bam\ )(?<!\bis\ )(?<!\bare\ )(?<!'m\ )(?<!\bget\ )used\ to)\b
    | 不再 | 已经?不 | 早就不 | 早已不 | 现在不 | 如今不 | 没再 | 不想再 | 戒掉?了?
    | 放弃了? | 停用了? | 停止 | 弃用了?
    | 离开了? | 辞去了? | 辞掉了? | 取消了? | 卸载了? | 退出了? | 告别了?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NOT = re.compile(r"\b(?:not|never)\b|n['’]t\b", re.IGNORECASE)
_ANY_MORE = re.compile(r"[^.,;!?]{0,40}?\bany ?(?:more|longer)\b", re.IGNORECASE)
_CHINESE_NOT = re.compile(r"不")
_CHINESE_NO_MORE = re.compile(r" ?[\u4e00-\u9fff]{0,4}了(?:$|[。！!，,])")
_CHINESE_AFTER = re.compile(
    r" ?(?:已经|早就|现在|都|也)?(?:不[\u4e00-\u9fff]{0,3}了|没了|离职了?|辞职了?|搬走了)"
)
_OTHERWISE = re.compile(
    r"\b(?:and|but|now|then|instead)\b|[,;.:!?，。；：！？、]|改|换|而是|转|去了", re.IGNORECASE
)
"""Words between the ending and the value, by which something else ended."""

_FARTHEST = 24
"""The most characters between the two."""


def has_ended_value(content: str, value: str) -> bool:
    """Tell whether the content says that the value no longer holds.

    The value itself must end: "quit Google and joined OpenAI" ends only the first. A mere denial
    ("does not eat meat") ends nothing, because the value never held as far as is known.
    """
    text, wanted = content.casefold(), value.strip().casefold()
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        if _ended(text[:at], text[at + len(wanted) :]):
            return True
        at = text.find(wanted, at + 1)
    return False


def _ended(before: str, after: str) -> bool:
    if _reaches(_ENDS, before) or _CHINESE_AFTER.match(after):
        return True
    if _reaches(_NOT, before) and _ANY_MORE.match(after):
        return True
    return _reaches(_CHINESE_NOT, before) and _CHINESE_NO_MORE.match(after) is not None


def _reaches(pattern: re.Pattern[str], before: str) -> bool:
    return any(
        len(before) - match.end() <= _FARTHEST and _OTHERWISE.search(before, match.end()) is None
        for match in pattern.finditer(before)
    )
