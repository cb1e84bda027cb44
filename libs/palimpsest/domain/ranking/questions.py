"""What the wording of a question tells about what it asks for. Pure rules, for both languages."""

import re

_PAST = re.compile(
    r"\b(?:used to|previously|formerly|originally|initially|at first|back then|in the past"
    r"|no longer|any ?more|before (?:that|this|then|i|we|he|she|they)\b|prior to"
    r"|ex-\w+|once (?:was|were|lived|liked|used|worked)|until (?:when|recently|then)"
    r"|(?:old|previous|former|earlier|last|original)\s+(?:\w+\s+)?"
    r"(?:job|address|flat|apartment|home|house|city|company|employer|boss|phone|car|name|number"
    r"|framework|plan|choice|preference|favou?rite|opinion|decision|school|team|title|role|one)s?"
    r"|how (?:has|have|did) .{1,60}\bchanged?)\b",
    re.IGNORECASE,
)
_PAST_CHINESE = re.compile(
    r"以前|从前|之前(?!的?消息)|原来|原先|原本|曾经|曾|过去(?!的?一)|当初|最初|起初|一开始|早先|本来|"
    r"前任|前一个|上一(?:份|个|任|家|套)|旧(?:的|地址|公司|房|手机|号码)|变化|变过|改过"
)


def asks_about_the_past(question: str) -> bool:
    """Whether what no longer holds is asked for, as in "where did I use to live"."""
    return bool(_PAST.search(question) or _PAST_CHINESE.search(question))
