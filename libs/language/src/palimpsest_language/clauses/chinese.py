"""Clauses in Chinese: boundaries of statements within a sentence.

Commas separate clauses that may well say one thing together ("在苏州做嵌入式，干了六年了"). A new
statement has a new subject, contradicts, or begins with its topic.
"""

import re
from collections.abc import Iterator

_MARK = re.compile(
    r"\s*[，,；;、…]+\s*|(?<=[\u4e00-\u9fff）)])\s+(?=\S)|(?<=[A-Za-z0-9%])\s+(?=[\u4e00-\u9fff])"
)
_RELATIVES = (
    r"(?:老婆|妻子|老公|丈夫|女儿|儿子|孩子|爸|妈|父亲|母亲|姐|妹|哥|弟|爷爷|奶奶|外公|外婆|室友"
    r"|同事|朋友|老板|导师|对象|女朋友|男朋友|房东|邻居|婆婆|公公|丈母娘|岳父)"
)
_LINK = r"(?:而且|并且|然后|所以|因此|另外|还有|顺便|对了|不过|但是?|可是|只是|哦|嗯|那|就是|其实)"
_BEGINS = re.compile(
    rf"{_LINK}?\s*(?:"
    r"(?:我|咱|你|您|她|他|它|大家|团队|公司)(?!的?话)"
    rf"|{_RELATIVES}"
    r"|(?:不过|但是?|可是|另外|还有(?!点)|顺便|对了|所以|以后|今后|提醒|记得|别忘|帮我|麻烦)"
    r"|改(?!天|日|良|进|善|编|革|正|造|版|名|稿|变|了|行)|改名(?!字|了)(?=\S)|换(?:回|成|用)(?!了$)"
    r"|(?:之前|上次|上回)(?:跟|和)?你|[\u4e00-\u9fff]{2,4}得(?:提前|先|赶紧|早点)"
    r"|(?:不再|别(?!的|人|处|家|说|提)再?|不要|不许|少|多)(?=[\u4e00-\u9fffA-Za-z“「《\"])"
    r"|(?:想(?![起到不必法象来])|打算|计划)(?=[\u4e00-\u9fff]{4,})"
    r"|(?:现在|目前)(?!是|的)"
    r"|(?:小时候|从前|当年|以前)(?!的)"
    r"|[A-Za-z][\w-]+ ?(?:今天|今晚|明天|后天|这周|下周|周[一二三四五六日末天]|\d+ ?[号日]"
    r"|来[^自]|负责)"
    r"|(?:最近|后来|刚刚?|上个?月|今年|去年)(?:才|就|又|也|已经)?(?:跳槽|换|搬|转|升|辞|调|入职)"
    r")"
)
_ENDED = re.compile(
    r"(?:已经)?不(?:在|用|是|做|喝|吃|去|抽|写|玩|学|跑|打|看|住|再|叫|考|报|弹|养|练|走|坐|带|开"
    r"|接|租|申)[^，。；]{0,16}了$"
)
_CIRCLED = "①②③④⑤⑥⑦⑧⑨"
_NUMBERED = re.compile(
    r"(?:^|[\s：:；;，,])(?:(?=(?P<mark>[1-9①-⑨]))(?:[1-9](?:[.、)）]|(?=\s))|[①-⑨]))\s*"
    r"(?=[\u4e00-\u9fffA-Za-z])"
)
_NUMBER_BEHIND = re.compile(r"[\s：:；;，,]+(?:[1-9][.、)）]?|[①-⑨])\s*$")
_SETTLED = re.compile(r"(?:砍|删|停|撤|下架|不要|取消|作废|去)(?:掉)?了(?:吧)?$")
"""轮播砍了 日历放最上面: the next clause is another point."""
_ADDS = re.compile(r"反正|因为|毕竟|太|没|也|都|.{0,3}$")
_REMINDS = re.compile(r"提醒我|喊我|叫我|记得")
_AGREES = re.compile(r"[按照](?:这个|这样|你说的|你的)(?:来|办|做|定|执行)吧?$")
_LONG = 24
_NOT_SHORT = 6
"""The least characters of a clause that is no mere addition, but a statement of its own."""
_DAY = re.compile(
    r"(?:大?[前后]|[今明昨])[天早晚儿](?!气)|(?:[上下这本]+个?)?"
    r"(?:周|星期|礼拜)[一二三四五六日天末]|[0-9一二三四五六七八九十]{1,3} ?[号日]"
    r"(?![线楼店])|[0-9]{1,2}月|月[初底]|年底|国庆|元旦|春节|清明|端午|中秋"
)
_BESIDE_A_DAY = re.compile(
    r"[\s0-9:：点分半]|[一二三四五六七八九十]+[点号]|[上下中]午|早上|晚上|[之以]?[前后]|从|到|在"
)
_MOVED = re.compile(r"[改推挪延]|提前")
"""周五要用车，答辩改下周二: one clause is the reason for the other."""
_NOT_THAT_DAY = re.compile(r"(?:^|[^是])不是[^吗，,。]*$")
_BUT_THIS = re.compile(r"(?:而|应该|其实)*是")
_AND_NOT_THAT = re.compile(r"(?:而)?不是(?!吗)")
_LEAST_BESIDE_A_DAY = 2
"""The least characters beside a day that make a statement; shorter clauses continue the one before.
"""
_SUPPOSES = re.compile(r"^\W*(?:如果|要是|假如|假设|万一|只要|等|除非|虽然|既然)")


_ASKS_WHAT_TO_DO = re.compile(
    r" ?(?:那|今天|明天|周末|今晚|我|我们|该|应该|[早中午晚][饭餐])*"
    r"(?:[做吃喝买穿用选送看去][点些个]?(?:什么|啥|哪[个家种里些])|怎么(?:办|做|选|吃|安排)|有(?:什么|啥|哪些)"
    r"(?:推荐|建议|好的|办法))[^，,。；;]{0,6}[?？]?\s*$"
    r"|[^，,。；;]{0,4}(?:什么|啥|哪[个家种些]|怎么|咋)(?![都也])[^，,。；;]{0,6}"
    r"(?:好|行|有用|合适|靠谱|划算|值得|快|补|搞|弄|选|挑)(?:一?点|呢|啊|呀)*[?？]?\s*$"
)
"""A request for advice: "晚饭做什么好" behind the facts to respect."""


def find_chinese_boundaries(sentence: str) -> Iterator[int]:
    """Yield the positions where a statement begins, except the first, in order."""
    if len(numbers := _numbers(sentence)) > 1:
        yield from (match.end() for match in numbers)
        return
    low = 0
    marks = list(_MARK.finditer(sentence))
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(sentence)
        clause = sentence[mark.end() : end]
        if _AGREES.search(sentence[low : mark.start()]) and low == 0:
            yield mark.end()
            low = mark.end()
            continue
        if _SUPPOSES.match(sentence[low : mark.start()]) and place == 0:
            continue
        long = mark.start() - low >= _LONG and end - mark.end() >= _NOT_SHORT
        long = long and not is_visual_gap(sentence, mark)
        dated = _has_its_day(sentence[low : mark.start()]) and _has_its_day(clause)
        dated = (
            dated
            and not _MOVED.search(clause)
            and not _sets_right(sentence[low : mark.start()], clause)
        )
        settled = _SETTLED.search(sentence[low : mark.start()]) and not _ADDS.match(clause)
        asked = _ASKS_WHAT_TO_DO.match(clause) and end == len(sentence)
        if (_begins(clause) or long or dated or settled or asked) and mark.end() < len(sentence):
            yield mark.end()
            low = mark.end()


def _has_its_day(text: str) -> bool:
    """Tell whether a clause names a day and says something of it: 12月10号开题."""
    if not _DAY.search(text):
        return False
    return len(_BESIDE_A_DAY.sub("", _DAY.sub("", text))) >= _LEAST_BESIDE_A_DAY


def _sets_right(before: str, clause: str) -> bool:
    """Tell whether a clause corrects a day: 看牙是周四，不是周三."""
    if _AND_NOT_THAT.match(clause):
        return True
    return _BUT_THIS.match(clause) is not None and _NOT_THAT_DAY.search(before) is not None


def is_visual_gap(sentence: str, mark: re.Match[str]) -> bool:
    """Tell whether a gap only stands between Latin and Chinese characters ("docker 命令")."""
    beside = sentence[mark.start() - 1] + sentence[mark.end() : mark.end() + 1]
    return mark.group().isspace() and any(character.isascii() for character in beside)


def _numbers(sentence: str) -> list[re.Match[str]]:
    """Return the numbers of a list that counts from 1; "7 月 3 号" is no such list."""
    matches = list(_NUMBERED.finditer(sentence))
    counted = [
        _CIRCLED.find(mark) + 1 or int(mark) for mark in (match["mark"] for match in matches)
    ]
    return matches if counted == list(range(1, len(matches) + 1)) else []


def strip_list_number(text: str, sentence: str) -> str:
    """Return a point of a numbered list without the number of the next point."""
    return _NUMBER_BEHIND.sub("", text) if len(_numbers(sentence)) > 1 else text


def _begins(clause: str) -> bool:
    return bool(_BEGINS.match(clause) or _ENDED.match(clause) or _REMINDS.search(clause))
