"""The direction of a sentence: past or future."""

import re

from palimpsest_language.time_expressions.spans import TimeDirection

_TO_COME = re.compile(
    r"\b(?:will|won['’]t|shall|going to|plans?|planning(?! (?:officer|department|office"
    r"|permission|committee))|needs?|must|should|have to|has to|remind"
    r"|remember|don['’]t forget|appointment|wants?|hope|gets "
    r"(?:done|fixed|removed|fitted|installed)|(?:all|already) booked|let['’]?s|due|deadline"
    r"(?! exceeded)|would like|I start|we start|starts?(?= (?:on|in|at|this|next|mon|tue|wed|thu"
    r"|fri|sat|sun)))\b|['’]ll\b|\b(?:shifted|moved|pushed|postponed|rescheduled|brought forward"
    r"|put back) (?:back |out )?to (?:the )?(?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may"
    r"|jun|jul|aug|sep|oct|nov|dec)"
    r"|(?<![主重首])要(?!求|点|是)|约(?:了|好了?)|预约|(?<!制)订(?:了|好了?)|报名|排[在到]|"
    r"(?<![议社机开过散只学教晚那这])会(?![议上员场计了])|打算|承诺|答应|准备|计划|提醒"
    r"(?!一下)|记得|别忘|将|想|争取|预计|即将|安排|希望|(?:提前|推迟?|改|挪|延[期后]?)到"
    r"(?!了)|[还就只]剩",
    re.IGNORECASE,
)
_A_DATE = (
    r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov"
    r"|dec)[a-z]*\b)"
)
_STANDS_FOR = re.compile(
    rf"(?:\b(?:is|are|isn['’]t)|['’]s) (?:[A-Z]{{2}}\d+ )?(?:only |now |not until |set for |on "
    rf"|for )*{_A_DATE}"
    r"|\b(?:expires?|ends?|closes|opens|launch(?:es)?|fl(?:y|ies)|leaves?|depart"
    rf"(?:s|ing)?|lands?|arrives?|travels?) (?:to [\w ]{{2,20}} )?(?:out )?(?:on |in )?{_A_DATE}"
    r"|\b(?:have|has|['’]ve got|am seeing|['’]m seeing|are seeing) "
    rf"(?:an?|my|our|the|his|her) [\w ]{{2,30}} on {_A_DATE}",
    re.IGNORECASE,
)
"""“My exam is on 3 December”, “we fly on the 5th”: in the present tense of what is to come."""
_PAST = re.compile(
    r"\b(?:was|were|did|didn['’]t|had|went|met|saw|(?<!['’]ve )(?<!have )(?<!['’]s )"
    r"(?<!has )got|took|made|came|left(?! (?:eye|ear|arm|hand|leg|foot|knee|hip|ankle|wrist"
    r"|shoulder|side|breast))|bought|began|quit|ran"
    r"|ate|drank|gave|found|lost|won|broke|told|said|sent|paid|spent|flew|drove|wrote|built|sold"
    r"|taught|caught|fell|felt|grew|held|kept|knew|rode|sang|slept|spoke|stood|swam|threw|wore"
    r"|became|laid off|(?-i:sat (?:out|in|down|with|at|by|there))|bit|blew|bent|crept|dealt|dug"
    r"|drew|fed|fought|froze|leapt|lit|sank|shrank|slid|spun|spilt|swept|swung|swore|tore|thought"
    r"|understood|wept|withdrew|overslept|chose|forgot|hid|led|lent|rang|rose|shook|shot|stole"
    r"|stuck|woke|born|been|ago|back in|any ?more|no longer)\b"
    r"|\b(?<!\bis )(?<!\bare )(?<!\bam )(?<!['’]m )(?<!['’]re )(?<!\bim )(?<!\bbe )(?<!\bget )"
    r"(?<!\bgets )(?<!\bgetting )(?<!\byears )(?!need|speed|feed|indeed|exceed|proceed|succeed"
    r"|embed|hundred|sacred|shed|allowed)(?-i:[a-z]{2,}ed|(?<=^)[A-Z][a-z]+ed|"
    r"(?<=\. )[A-Z][a-z]+ed)\b"
    r"|(?<!多)了(?!解)|(?<![号日天再要超不])过(?!年|节|来|去|敏|期"
    r"|[两几0-9一二三四五六七八九十]+[天周月]|[6-9][0-9](?![0-9%天次])|[^，。,]{0,6}"
    r"(?:生日|大寿|寿|岁))|上次|(?<![晚早马])上回(?![来去家到国])|刚|曾|已经|当时|那时|一直"
    r"|的时候|那会|月份?的事|才(?:开始|学|来|到|知道|认识|换|买|搬)|拿到|考上|收到|离职|辞职|去世"
    r"|没[成去来能]|泡汤|黄了|[入离结毕]的[职婚业]|的[。！!]?$|(?<=[号日月年天周前])"
    r"(?:去|来|买|到|办|搬|换|装修|入职|毕业|生|锁|签|定|订|发|交|寄|开|写|收|付|租|考|拿|拍|种"
    r"|养|见|认识|结|离|停|拆|修)的(?=[\u4e00-\u9fff])|是[^，。,]{0,12}"
    r"(?:换|买|做|建|开|来|去|定|签|装|搬|写|生|办|订|发|改|拍|修|领|养|种|考|读|学|到|成立|出"
    r"|进)的",
    re.IGNORECASE,
)


_WAS = re.compile(
    (
        r"\b(?:was|were|wasn['’]t|weren['’]t|did|didn['’]t|went|met|ago|back in|used to)\b|当时"
        r"|那时|那会|那年|上次|曾|(?<=[\u4e00-\u9fff])的(?=[。！!，,]|$)"
    ),
    re.IGNORECASE,
)
"""Of what was, and never of what was arranged for a day to come."""
_GOT_TO_GO_TO = re.compile(
    (
        r"\bgot (?:the|my|an?|our|this|another|his|her) (?:[a-z]+ ){0,2}?"
        r"(?:tests?|exams?|scan|appointment|appt|interview|meeting|shift|wedding|flight|game"
        r"|match|class|op|operation|surgery|dentist|deadline|date|call|rehearsal|session"
        r"|presentation|viva|gig|race|party|trip|check ?up|viewing|hearing|audition|recital|show"
        r"|[A-Z]{3,5})\b"
    ),
)
"""“I got the scan on Thursday”: it is still to come."""
_NEITHER = re.compile(
    (
        r"\bas of\b|\beffective\b|\bofficially\b|才(?:到|来|开始)|入职|上岗|到岗|报到|开学|开业"
        r"|毕业于|就[^，。,\s]{1,10}了(?=$|[，。,\s])|(?<=[号日月])[^，。,\s]{0,6}"
        r"(?:不可用|故障|宕机|报错|超时|中断|生效)"
    ),
)
"""五月就退役了, 七月三号入职: as often of what is to come."""
_BOOKED = re.compile(
    (
        r"\b(?:booked|reserved|(?:got|bought) (?:the |our |my |us )?"
        r"(?:[\w-]+ )?tickets|booking)\b[^.;!?]*$"
    ),
    re.IGNORECASE,
)
_FOR_THEN = re.compile(r"(?:\bfor|[,:(–—])\s*(?:the )?$", re.IGNORECASE)
_FROM_THEN_TO = re.compile(r"from\b|.*(?:\bto\b|\d ?[-–] ?\d|\bthrough\b|\buntil\b)", re.IGNORECASE)
"""“Booked the flights, Feb 8 to 23”: not when they were booked."""
_BIRTHDAY = re.compile(r"\b(?:birthday|anniversary)\b|生日|纪念日", re.IGNORECASE)
_BARE_DAY = re.compile(
    r"(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)|(?:\d{1,2}|[一二三四五六七八九十]{1,3})\s?[号日]",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(
    r"[，,；;。!！?？…]|(?<=[\u4e00-\u9fff])\s+|\s(?:and|but|so|because|while)\s",
    re.IGNORECASE,
)
_OF_ITS_OWN = re.compile(r"(?:[，,；;…]|[了啊呀唉的]\s+)$")
_WAS_THEN = re.compile(r"那会|那时|那年|当时|的时候|上次|曾|已经|刚")
_ASKED_TO_REMEMBER = re.compile(
    r"\b(?:remember|remind me|don['’]t forget|do not forget)"
    r"(?:\s*[:,]|\s+that\b|(?=\s+(?:I|we|my|our|he|she|they|his|her|their)\b))"
    r"|(?:记住|记得|记着|别忘了?|不要忘了?)(?:[，,：:]|(?=我|咱|他|她))",
    re.IGNORECASE,
)
"""“Remember that I moved in January”: what is to be remembered looks its own way."""
_WIDEST_PART = 80
"""The most characters on either side of a time that are read, however long the sentence is."""
_LEAST_AROUND = 2
"""The least characters beside a time that make a part of their own; fewer join the next part."""


def find_direction_at(
    sentence: str, start: int, end: int, *, whole: TimeDirection, chinese: bool
) -> TimeDirection:
    """Return the direction at a time: that of its part of the sentence, otherwise of the whole.

    In Chinese, a past clause before a comma ("换好了，周六上班") tells nothing about the clause
    behind it.
    """
    sentence = _without_request(sentence)
    part, behind_a_comma = _part_around(sentence, start, end)
    signs = (_TO_COME, _GOT_TO_GO_TO, _STANDS_FOR)
    on_a_birthday = _BIRTHDAY.search(part) and _BARE_DAY.fullmatch(sentence[start:end].strip())
    if _is_booked_for(sentence, start, end) or (
        not on_a_birthday and any(sign.search(part) for sign in signs)
    ):
        return TimeDirection.FUTURE
    if on_a_birthday or (_NEITHER.search(part) and not _WAS_THEN.search(part)):
        return TimeDirection.NEARER
    if _PAST.search(part):
        return TimeDirection.OVER if _WAS.search(part) else TimeDirection.PAST
    if chinese and whole is TimeDirection.PAST:
        return TimeDirection.UNSAID if behind_a_comma else TimeDirection.NEARER
    return whole


def _without_request(sentence: str) -> str:
    """Replace a request to remember by blanks; all else keeps its place."""
    return _ASKED_TO_REMEMBER.sub(lambda request: " " * len(request[0]), sentence)


def _is_booked_for(sentence: str, start: int, end: int) -> bool:
    before = sentence[max(0, start - _WIDEST_PART) : start]
    if not _BOOKED.search(before) or _WAS.search(before):
        return False
    then = _FOR_THEN.search(before) or _FROM_THEN_TO.match(sentence[start:end])
    return then is not None


def _part_around(sentence: str, start: int, end: int) -> tuple[str, bool]:
    """Return the words around a time up to the next part, and whether a comma precedes them."""
    low, high = max(0, start - _WIDEST_PART), min(len(sentence), end + _WIDEST_PART)
    begins = max((match.end() for match in _BOUNDARY.finditer(sentence, low, start)), default=low)
    ends = [match.start() for match in _BOUNDARY.finditer(sentence, end, high)] + [high]
    first = ends[0]
    around = (sentence[begins:start] + sentence[end:first]).strip()
    if len(around) < _LEAST_AROUND and around != "吧":
        first = ends[min(1, len(ends) - 1)]
        if first == high and begins > low and len(sentence[end:first].strip()) < _LEAST_AROUND:
            begins = low
    return sentence[begins:first], _OF_ITS_OWN.search(sentence, low, begins) is not None


def find_sentence_direction(sentence: str) -> TimeDirection:
    """Return future if a word shows it, otherwise past if a word does, otherwise unsaid."""
    sentence = _without_request(sentence)
    if _TO_COME.search(sentence):
        return TimeDirection.FUTURE
    return TimeDirection.PAST if _PAST.search(sentence) else TimeDirection.UNSAID
