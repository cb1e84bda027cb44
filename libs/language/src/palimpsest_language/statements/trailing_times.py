"""Times told in a clause right behind: "I'm no longer there; I left in May"."""

from collections.abc import Iterator, Sequence

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.statements.clause_judgement import ClauseJudgement
from palimpsest_language.statements.plan_details import is_only_time
from palimpsest_language.statements.statement_builder import ClauseStatement
from palimpsest_language.statements.uncued_statements import count_words
from palimpsest_language.time_expressions.time_removal import remove_time_words

_PHRASES = read_phrases("statements/trailing_times")
_SAYS_WHEN = _PHRASES["says_when"]

_MOST_WORDS = 7
"""The most words beside such a time; more words say something else."""


def find_trailing_times(
    statements: Sequence[ClauseStatement], judged: Sequence[ClauseJudgement]
) -> Iterator[tuple[int, ClauseJudgement]]:
    """Yield each statement without a time, by identity, with the clause behind that tells it."""
    place = {id(clause_judgement): at for at, clause_judgement in enumerate(judged)}
    for statement in statements:
        if not statement.kind.times.is_dated or any(part.time for part in statement.parts):
            continue
        at = place.get(id(statement.parts[-1]))
        behind = judged[at + 1] if at is not None and at + 1 < len(judged) else None
        if behind is not None and is_trailing_time(behind):
            yield id(statement), behind


def is_trailing_time(judgement: ClauseJudgement) -> bool:
    """Tell whether a clause only gives the time of the one before it."""
    time = judgement.time
    if time is None or time.recurrence is not None or judgement.withheld or judgement.clause.asks:
        return False
    if is_only_time(judgement.core, time):
        return True
    rest = remove_time_words(judgement.core, time)
    return _SAYS_WHEN.search(judgement.core) is not None and count_words(rest) <= _MOST_WORDS
