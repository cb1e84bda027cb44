"""Which way a sentence looks: what was, or what is to come."""

import re

from palimpsest.domain.time_expressions.spans import Direction

_TO_COME = re.compile(
    r"\b(?:will|won['’]t|shall|going to|plans?|planning(?! (?:officer|department|office|permission|committee))|needs?|must|should|have to|has to|remind"
    r"|remember|don['’]t forget|appointment|wants?|hope|gets (?:done|fixed|removed|fitted|installed)|(?:all|already) booked|let['’]?s|due|deadline|would like)\b|['’]ll\b|\b(?:shifted|moved|pushed|postponed|rescheduled|brought forward|put back) (?:back |out )?to (?:the )?(?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|(?<![主重首])要(?!求|点|是)|约(?:了|好了?)|预约|(?<!制)订(?:了|好了?)|报名|排[在到]|(?<![议社机开过散])会(?![议上员场计了])|打算|准备|计划|提醒|记得|别忘|将|想|争取|预计|即将|安排|希望|[还就只]剩",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|did|didn['’]t|had|went|met|saw|(?<!['’]ve )(?<!have )(?<!['’]s )(?<!has )got|took|made|came|left(?! (?:eye|ear|arm|hand|leg|foot|knee|hip|ankle|wrist|shoulder|side|breast))|bought|began|quit|ran"
    r"|ate|drank|gave|found|lost|won|broke|told|said|sent|paid|spent|flew|drove|wrote|built|sold"
    r"|taught|caught|fell|felt|grew|held|kept|knew|rode|sang|slept|spoke|stood|swam|threw|wore"
    r"|became|chose|forgot|hid|led|lent|rang|rose|shook|shot|stole|stuck|woke|born|been|ago|back in)\b"
    r"|\b(?!need|speed|feed|indeed|exceed|proceed|succeed|embed|hundred|sacred|shed|allowed)[a-z]{2,}ed\b"
    r"|(?<!多)了(?!解)|(?<![号日天再要超不])过(?!年|节|来|去|敏|期|[两几0-9一二三四五六七八九十]+[天周月]|[6-9][0-9](?![0-9%天次])|[^，。,]{0,6}(?:生日|大寿|寿|岁))|上次|(?<![晚早马])上回(?![来去家到国])|刚|曾|已经|当时|那时|一直|的时候|入职|毕业于|的[。！!]?$|(?<=[号日月年天周前])(?:去|来|买|到|办|搬|换|装修|入职|毕业|生)的(?=[\u4e00-\u9fff])|是[^，。,]{0,12}(?:换|买|做|建|开|来|去|定|签|装|搬|写|生|办|订|发|改|拍|修|领|养|种|考|读|学|到|成立|出|进)的",
    re.IGNORECASE,
)


_CLAUSE_BEGINS = re.compile(r"[，,；;]|(?<=[了啊呀唉])\s+")
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
