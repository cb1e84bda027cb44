"""Features of a memory or a turn that ranking needs beside its nearness to the question.

They are projected with the vectors, so that all hits can be ranked, and only returned ones are read.
"""

from typing import NamedTuple

NOTHING_STATED = -1
"""Value for a turn that is no evidence of anything: less than for a question, which states 0."""


class RankingFeatures(NamedTuple):
    about: tuple[str, ...] = ()
    """Names: of a turn's speaker, or of a memory's subject."""
    stated_length: int = 0
    """Length of the statement, see `measure_stated_length` of `extract_features`; `NOTHING_STATED` for mere filler."""
    quoted: tuple[str, ...] = ()
    """The ids of the turns that a memory quotes."""
    at: int | None = None
    """Moment when it was said or happened, in whole seconds since 1970."""
    successor: str | None = None
    """Id of the memory that superseded this one."""
    corrected: tuple[str, ...] = ()
    """Ids of the turns whose statement was corrected since, by hand or in words."""
    held: tuple[int, int] | None = None
    """First moment of a period that is over, and the first moment after it, in seconds since 1970."""


NO_FEATURES = RankingFeatures()
