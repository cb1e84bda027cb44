"""Words for a time that date nothing: comparisons, and durations of races."""

import re

_COMPARED_WITH = re.compile(
    r"\b(?:than|(?:same|much|many|good|bad|high|low|busy|cheap|expensive|hot|cold|often|long) as"
    r"|compared (?:to|with)|versus|vs\.?|unlike) (?:(?:it|they|that|we|I) "
    r"(?:was|were|did|had|paid) )?(?:in |on |the )*$"
    r"|比(?:起|较)?(?:我们?)?$",
    re.IGNORECASE,
)
_ONE_AGO = re.compile(r"\blast\b|\byesterday\b|\bago\b|\bbefore\b|[去前昨上]", re.IGNORECASE)
"""“Earlier than Monday” says when; “more than last year” does not."""
_ALIKE_BEHIND = re.compile(r"(?:的时候)?(?:一样|差不多|相比|比(?=[，,起来]|$)|持平)")
_WITH = re.compile(r"[跟和同与像]$")
_TOOK = re.compile(
    r"\b(?:under|sub|below|beat|break|faster than|slower than|"
    r"(?:ran|run|running|finish|finished|do|did|done) (?:it |that |the "
    r"(?:half|full|race|marathon|course) )?in"
    r"|(?:(?:pb|pr|personal best|goal|target|finish(?:ing)?|race|best)(?: time)?|time) "
    r"(?:is|was|of|:|for the (?:half|full|marathon) is)(?: around| about)?)[ -]$"
    r"|(?:跑[进到了]|成绩|破|用时|配速|目标)(?:是|了|为)?$",
    re.IGNORECASE,
)
_HOURS_AND_MINUTES = re.compile(r"[0-9]{1,2}[:：][0-5][0-9](?:[:：][0-5][0-9])?")
_LONGEST_BEFORE = 60


def is_dateless_mention(sentence: str, start: int, end: int) -> bool:
    """Tell whether the time from start to end only compares or measures."""
    before, words = sentence[max(0, start - _LONGEST_BEFORE) : start], sentence[start:end]
    if _HOURS_AND_MINUTES.fullmatch(words):
        return _TOOK.search(before) is not None
    if not _ONE_AGO.search(words):
        return False
    if _WITH.search(before) and _ALIKE_BEHIND.match(sentence, end):
        return True
    return _COMPARED_WITH.search(before) is not None
