"""Which way a sentence looks: what was, or what is to come."""

import re

from palimpsest.domain.time_expressions.spans import Direction

_TO_COME = re.compile(
    r"\b(?:will|won['’]t|shall|going to|plans?|planning(?! (?:officer|department|office|permission|committee))|needs?|must|should|have to|has to|remind"
    r"|remember|don['’]t forget|appointment|wants?|hope|let['’]?s|due|deadline|would like)\b|['’]ll\b"
    r"|(?<![主重首])要(?!求|点|是)|约(?:了|好了?)|预约|(?<!制)订(?:了|好了?)|报名|排[在到]|(?<![议社机开过散])会(?![议上员场计了])|打算|准备|计划|提醒|记得|别忘|将|想|争取|预计|即将|安排|希望",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|did|didn['’]t|had|went|met|saw|(?<!['’]ve )(?<!have )(?<!['’]s )(?<!has )got|took|made|came|left|bought|began|quit|ran"
    r"|ate|drank|gave|found|lost|won|broke|told|said|sent|paid|spent|flew|drove|wrote|built|sold"
    r"|taught|caught|fell|felt|grew|held|kept|knew|rode|sang|slept|spoke|stood|swam|threw|wore"
    r"|became|chose|forgot|hid|led|lent|rang|rose|shook|shot|stole|stuck|woke|born|been|ago)\b"
    r"|\b(?!need|speed|feed|indeed|exceed|proceed|succeed|embed|hundred|sacred|shed|allowed)[a-z]{2,}ed\b"
    r"|(?<!多)了(?!解)|(?<![号日天再要超不])过(?!年|节|来|去|敏|期|[两几0-9一二三四五六七八九十]+[天周月]|[^，。,]{0,6}(?:生日|大寿|寿|岁))|上次|(?<![晚早马])上回(?![来去家到国])|刚|曾|已经|当时|那时|一直|的时候|入职|毕业于|的[。！!]?$",
    re.IGNORECASE,
)


_CLAUSE_BEGINS = re.compile(r"[，,；;]")
_LEAST_AROUND = 2
"""Characters beside a time that make a clause of their own: without them it belongs to the next one."""


def direction_at(sentence: str, start: int, end: int) -> Direction:
    """Which way a Chinese sentence looks where a time stands in it.

    What was done before it ("换好了，周六上班") says nothing of what comes behind the comma.
    """
    whole = direction_of(sentence)
    begins = max((comma.end() for comma in _CLAUSE_BEGINS.finditer(sentence, 0, start)), default=0)
    around = sentence[begins:start] + sentence[end:]
    if whole is Direction.FUTURE or not begins or len(around.strip()) < _LEAST_AROUND:
        return whole
    return Direction.PAST if _PAST.search(sentence, begins) else Direction.FUTURE


def direction_of(sentence: str) -> Direction:
    """To come, unless something says that it was and nothing that it will be."""
    if _PAST.search(sentence) and not _TO_COME.search(sentence):
        return Direction.PAST
    return Direction.FUTURE
