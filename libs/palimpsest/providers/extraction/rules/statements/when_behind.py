"""When something was, said in words of its own right behind it: "I'm no longer there; I left in May"."""

import re
from collections.abc import Iterator, Sequence

from palimpsest.domain.kinds import Kind
from palimpsest.providers.extraction.rules.completing import is_when_alone
from palimpsest.providers.extraction.rules.statements.gathering import Statement
from palimpsest.providers.extraction.rules.statements.judged import Judged
from palimpsest.providers.extraction.rules.statements.stating import words_in
from palimpsest.providers.extraction.without_time import without_time

_SAYS_WHEN = re.compile(
    r"^(?:and |but |so )*(?:(?:the |my )?(?:deadline|last day|first day|launch|due date) (?:is|was|will be)\b|due\b|in force|as of|effective"
    r"|(?:(?:I|we|it|that|this|he|she|they)(?:['’]ll|['’]ve|['’]s|['’]m| will)? )?(?:left|quit|stopped|starts?|started|starting|ended|died|passed|finished|happened|begins?|began|resigned|retired|broke|did)\b"
    r"|(?:since|from)\b)"
    r"|^(?:就?从.*[起始]|截止|截稿|最后一天|报到|入职|生效)",
    re.IGNORECASE,
)

_MOST_WORDS = 7
"""Beside the time: who says more says something else."""
_DATED = frozenset({Kind.EVENT, Kind.DECISION, Kind.FACT, Kind.ACTION_ITEM, Kind.GOAL, Kind.PERSON})


def times_behind(
    statements: Sequence[Statement], judged: Sequence[Judged]
) -> Iterator[tuple[int, Judged]]:
    """By the identity of a statement without a time the clause behind it that says when."""
    place = {id(each): at for at, each in enumerate(judged)}
    for statement in statements:
        if statement.kind not in _DATED or any(part.time for part in statement.parts):
            continue
        at = place.get(id(statement.parts[-1]))
        behind = judged[at + 1] if at is not None and at + 1 < len(judged) else None
        if behind is not None and says_when(behind):
            yield id(statement), behind


def says_when(each: Judged) -> bool:
    """Of what it stands behind, and nothing else."""
    time = each.time
    if time is None or time.recurrence is not None or each.withheld or each.clause.asks:
        return False
    if is_when_alone(each.core, time):
        return True
    rest = without_time(each.core, time)
    return _SAYS_WHEN.search(each.core) is not None and words_in(rest) <= _MOST_WORDS
