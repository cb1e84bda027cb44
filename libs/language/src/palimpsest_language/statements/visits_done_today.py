"""今天去复查，医生给换药了: who tells how it went was there, and nothing of it is to be done."""

import re

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("statements/visits_done_today")
_WENT_TODAY = _PHRASES["went_today"]
_STILL_TO_COME = _PHRASES["still_to_come"]
_CLAUSE = re.compile(r"[，,。；;]")


def is_visit_done_today(core: str, sentence: str) -> bool:
    """Tell whether a clause says where one went today, and the next clauses what came of it."""
    if not _WENT_TODAY.search(core):
        return False
    if core.endswith(("了", "过")):
        return True
    behind = sentence.partition(core)[2]
    return any(
        clause.strip().endswith(("了", "过")) and not _STILL_TO_COME.search(clause)
        for clause in _CLAUSE.split(behind.rstrip("。！!~～ "))
    ) and not _STILL_TO_COME.search(behind)
