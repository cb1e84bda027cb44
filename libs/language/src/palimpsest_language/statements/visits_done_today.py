"""今天去复查，医生给换药了: who tells how it went was there, and nothing of it is to be done."""

import re

_WENT_TODAY = re.compile(
    r"^(?:我)?(?:今[天早晨儿晚]|刚才?|早上|上午|中午|下午|一早)+(?:我|又|陪.{1,6}?|带.{1,8}?)*"
    r"(?:去|到)(?!.*(?:要|得|该|提醒|记得|别忘|打算|准备))"
)
_STILL_TO_COME = re.compile(
    r"提醒|记得|别忘|别让我忘|等会|待会|一会儿|完了再|回头|[要得该](?!了)|太.{1,6}了|快.{0,6}了"
)
_CLAUSE = re.compile(r"[，,。；;]")


def is_visit_done_today(core: str, sentence: str) -> bool:
    """Tell whether a clause says where one went today, and the next clauses what came of it."""
    if not _WENT_TODAY.match(core):
        return False
    if core.endswith(("了", "过")):
        return True
    behind = sentence.partition(core)[2]
    return any(
        clause.strip().endswith(("了", "过")) and not _STILL_TO_COME.search(clause)
        for clause in _CLAUSE.split(behind.rstrip("。！!~～ "))
    ) and not _STILL_TO_COME.search(behind)
