"""What people say they have done: "搞定了", "done with the tickets". Rules, in both languages.

They may be generous, for nothing follows where no open todo is spoken of.
"""

import re

from palimpsest.domain.writing import has_chinese
from palimpsest.providers.extraction.provider import Citation, Finished

_FINISHED = (
    r"done|finished|completed|sorted(?: out)?|taken care of|handled|submitted|sent|paid|booked|bought"
    r"|called|returned|picked up|cancell?ed|renewed|filed|mailed|emailed|delivered|ordered|cleaned"
    r"|fixed|signed|scheduled|arranged|packed|printed|uploaded|posted|reserved|updated|written|read"
)
_OPENING = r"(?:(?:ok(?:ay)?|great|yes|yeah|yep|good|alright|and|so|phew|finally|well)[,!. ]+)*"

_ENGLISH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            rf"^{_OPENING}(?:(?:all|it's|that's|i'm|i am|it is|that is|we're) )?(?:all )?"
            r"(?:done|finished|sorted|taken care of|done and dusted)(?: now| already)?[.! ]*$"
        ),
        (
            rf"^{_OPENING}(?:i )?(?:got (?:it|that) done|did (?:it|that)|took care of (?:it|that))"
            r"(?: now| already| yesterday| today)?[.! ]*$"
        ),
        rf"\b(?:i|we)(?:'ve| have)?(?: just| already| finally)* (?:{_FINISHED}) (?:it|that|this|them)\b",
        rf"^{_OPENING}(?:just |finally |already )*(?:{_FINISHED}) (?P<about>(?:the|my|our|that|those) [^,.;!?]{{2,60}})",
        r"\b(?:done|finished|through) with (?P<about>[^,.;!?]+)",
        (
            rf"\b(?:i|we)(?:'ve| have)?(?: just| already| finally)* (?:{_FINISHED}|took care of)"
            r" (?P<about>[^,.;!?]+)"
        ),
        (
            rf"\b(?P<about>(?:the|my|our|that|those) [^,.;!?]{{2,60}}?) (?:is|are|has been|have been|got|was|were)"
            rf"(?: now| all| already| finally)* (?!called\b)(?:{_FINISHED})\b"
        ),
        r"^(?:and |also |oh )*(?P<about>[^.;!?]{2,60}?)(?:,| so)? (?:you can |pls |please )*(?:tick|cross|check|mark) (?:it|that|this)(?: one)?(?: off| done| as done)?[.! ]*$",
        r"^(?P<about>[^,.;!?]{2,40}?)(?: is|:|,)? (?:done|finished|sorted)(?: now| already| btw| too| lol)*(?:[.! ]*$|, )",
    )
)
_ENGLISH_NOT_YET = re.compile(
    r"\b(?:not|never|n't|n’t|will|'ll|going to|almost|nearly|once|when|until|after|before|if|to be"
    r"|should|must|need(?:s)?|have to|has to|half|want)\b|n't\b|n’t\b|'ll\b",
    re.IGNORECASE,
)

_WHOLLY = (
    r"(?:搞定|做完|办完|办好|弄好|弄完|完成|处理完|处理好|办妥|做好|订好|买好|买到|写完|写好|交完|付完|寄完"
    r"|发完|修好|约好|预约好|打完|安排好|看完|读完|收拾好|准备好|解决)"
)
_DEED = r"(?:拿|领|收|交|提交|付|缴|还|取|寄|发|打|订|买|预约|续费|续|联系|通知|寄出|发出|退)"
_SINCE = r"(?:我|我们|都|也|已经|终于|全部?|刚刚?|今天|昨天)*"
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(?:好的?|嗯+|ok|OK|对|哈哈|[，,、 ])*{_SINCE}{_WHOLLY}(?:了|啦|咯|喽)[！!。~～ ]*$",
        rf"^{_SINCE}把?(?P<about>[^，。！？,]{{1,30}}?){_SINCE}{_WHOLLY}(?:了|啦|咯)",
        rf"^{_SINCE}(?:{_WHOLLY}|{_DEED}(?:完|好)?)(?:了|啦)(?P<about>[^，。！？,了]{{1,30}})",
        rf"^{_SINCE}把?(?P<about>[^，。！？,]{{1,30}}?)(?:我)?(?:已经|都|也|终于|全部?){_DEED}(?:完|好)?(?:了|啦)",
        rf"^{_SINCE}把?(?P<about>[^，。！？,]{{2,30}}?){_DEED}(?:完|好)?(?:了|啦)[。！!~～]*$",
        rf"^(?P<about>[^，。！？,刚已今昨没]{{2,16}}?)(?:我)?(?:刚刚?|已经?|今[天早晚]|昨[天晚])+[^，。！？,没不]{{0,6}}?{_DEED}(?:完|好|上|掉|过)?(?:了|啦)",
        r"^(?P<about>[^，。！？, ]{2,12}?)不用(?:再)?(?:记|管|做)了",
        rf"^{_SINCE}把(?P<about>[^，。！？,]{{1,30}}?){_DEED}(?:完|好)?(?:了|啦)",
        r"^(?P<about>[^，。！？,✅☑✔]{2,30}?)(?:了|啦)?\s*[✅☑✔]",
    )
)
_CHINESE_NOT_YET = re.compile(
    r"没(?!问题)|还未|尚未|不能|无法|快(?!递|餐|照|件|捷|乐|手)(?:要)?|马上|就要|即将|差不多|等|如果|要是|一旦|才能|之前|以后再|需要|得|应该"
)


_HINT = re.compile(rf"\b(?:{_FINISHED}|did|took|through)\b|[了啦咯喽✅☑✔]", re.IGNORECASE)
"""Without one of these nothing below fits, and most sentences have none."""


def finished(sentence: str, *, message: int) -> Finished | None:
    """What this sentence of a user says is done; None where it says no such thing."""
    if not _HINT.search(sentence):
        return None
    chinese = has_chinese(sentence)
    if (_CHINESE_NOT_YET if chinese else _ENGLISH_NOT_YET).search(sentence):
        return None
    plain = sentence.replace("’", "'")
    for pattern in _CHINESE if chinese else _ENGLISH:
        if match := pattern.search(plain):
            about = match.groupdict().get("about")
            return Finished(
                about=about.strip() if about else None,
                evidence=Citation(message=message, quote=sentence),
            )
    return None
