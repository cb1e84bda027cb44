"""Claims that something is done: "搞定了", "done with the tickets". Rules, in both languages.

They may be generous, for nothing follows where no open todo is spoken of.
"""

import re
from collections.abc import Iterator, Sequence

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.proposals import CompletionClaim, MessageQuote

_FINISHED = (
    r"done|finished|completed|sorted(?: out)?|taken care of|handled|submitted|sent|paid|booked"
    r"|bought"
    r"|called|returned|picked up|cancell?ed|renewed|filed|mailed|emailed|delivered|ordered|cleaned"
    r"|fixed|signed|scheduled|arranged|packed|printed|uploaded|posted|reserved|updated|written|read"
)
_DONE_TO = (
    r"\w{2,}ed|taken|took|given|gave|made|met|seen|saw|spoken|spoke|told|brought|sold|fed|swept"
    r"|put|run|ran|set|got|gotten"
    r"|gone|went|been|withdrawn|drawn|found|chosen|built|cut|hung|kept|left|sewn|swapped|thrown"
    r"|threw|won|woken|done|did"
)
"""Whatever was done, where somebody says "already"."""
_TO_WHOM_OR_WHERE = r"(?: (?:up|out|off|in|back|over|down|away|to|with|at|through|for|by))*"
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
        (
            rf"^{_OPENING}(?:i |we )?already (?:did|have|done)(?: so| it| that| this)?"
            r"(?: now| yesterday| today)?(?:, (?:thanks|thank you|thx))?[.! ]*$"
        ),
        (
            rf"\b(?:i|we)(?:'ve| have)?(?: just| already| finally)* (?:{_FINISHED}) "
            r"(?:it|that|this|them)\b"
        ),
        (
            rf"^{_OPENING}(?:just |finally |already |also |then )*(?:{_FINISHED}) (?P<about>"
            rf"(?:the|my|our|that|those) [^,.;!?]{{2,60}})"
        ),
        (
            r"^(?P<about>[^.;!?]{2,60}?),? (?:and |so )*that's (?:all )?"
            r"(?:done|sorted|taken care of|out of the way|handled)(?: now| then)?[.! ]*$"
        ),
        # Who was to be sent for was there: "The boiler man came".
        (
            rf"^{_OPENING}(?P<about>(?:the|my|our|that|those|a|an) [^,.;!?]{{2,40}}?)"
            r"(?:'s| has| have)?(?: just| already| finally)* (?:came|come|been(?! "
            r"(?:a|the|so|very|ill|sick|away)\b)|was here|were here|turned up|showed up|stopped "
            r"by|dropped by|visited)\b"
        ),
        r"\b(?:done|finished|through) with (?P<about>[^,.;!?]+)",
        (
            r"\b(?:(?:i|we)(?:'m|'re| am| are|'ve| have)?(?: just| already| finally| all)* "
            r"(?:done|finished|through|wrapped up)|^(?:just |finally |already |all )*"
            r"(?:done|finished)) (?P<about>\w{3,}ing\b[^,.;!?]*)"
        ),
        (
            rf"(?:^{_OPENING}|\b(?:i|we)(?:'ve| have)? )(?:just |finally )*already (?:{_DONE_TO})"
            rf"{_TO_WHOM_OR_WHERE} (?P<about>(?!it\b|that\b|this\b|so\b|you\b)[^,.;!?]{{2,60}})"
        ),
        (
            r"\b(?:i|we)(?:'ve| have)?(?: just| already| finally)* (?:got|had|have) (?P<about>"
            r"(?:the|my|our|that|those) [^,.;!?]{2,60}?) (?:done|finished|sorted"
            r"(?: out)?|fixed|sent|paid|booked|signed|cleaned|over with|out of the way)\b"
        ),
        (
            rf"(?:^{_OPENING}|\b(?:i|we)(?:'ve| have)? )(?:just |already |finally )*"
            r"(?:did|wrapped up|got through|crossed off|ticked off|checked off|knocked out) "
            rf"(?P<about>(?:the|my|our|that|those) [^,.;!?]{{2,60}})"
        ),
        (
            rf"\b(?:i|we)(?:'ve| have)? (?:just |finally )*(?:{_DONE_TO}){_TO_WHOM_OR_WHERE} "
            rf"(?P<about>(?!it\b|that\b|this\b|you\b)[^,.;!?]{{2,60}}?) already\b"
        ),
        (
            r"\b(?P<about>(?:the|my|our|that|those) [^,.;!?]{2,60}?) (?:is|are|'s|'re)"
            r"(?: now| all| already| finally)* (?:over and done|done and dusted|out of the way"
            r"|taken care of|off my (?:list|plate)|all set)\b"
        ),
        (
            rf"\b(?:i|we)(?:'ve| have)?(?: just| already| finally)* (?:{_FINISHED}|took care of)"
            r" (?P<about>[^,.;!?]+)"
        ),
        (
            rf"\b(?P<about>(?:the|my|our|that|those) [^,.;!?]{{2,60}}?) "
            r"(?:is|are|has been|have been|got|was|were)"
            rf"(?: now| all| already| finally)* (?!called\b)(?:{_FINISHED})\b"
        ),
        (
            r"^(?:and |also |oh )*(?P<about>[^.;!?]{2,60}?)(?:,| so)? (?:you can |pls |please )*"
            r"(?:tick|cross|check|mark) (?:it|that|this)(?: one)?(?: off| done| as done)?[.! ]*$"
        ),
        (
            r"^(?P<about>[^,.;!?]{2,40}?)(?: is|:|,)? (?:done|finished|sorted)"
            r"(?: now| already| btw| too| lol)*(?:[.! ]*$|, )"
        ),
    )
)
_ENGLISH_NOT_YET = re.compile(
    r"\b(?:not|never|n't|n’t|will|'ll|going to|almost|nearly|once|when|until|after|before|if|to be"
    r"|should|must|need(?:s)?|have to|has to|half|want)\b|n't\b|n’t\b|'ll\b",
    re.IGNORECASE,
)

_WHOLLY = (
    r"(?:搞定|做完|办完|办好|弄好|弄完|完成|处理完|处理好|办妥|做好|订好|买好|买到|写完|写好|交完"
    r"|付完|寄完"
    r"|发完|修好|约好|预约好|打完|安排好|看完|读完|收拾好|准备好|解决)"
)
_DEED = r"(?:拿|领|收|交|提交|付|缴|还|取|寄|发|打|订|买|预约|续费|续|联系|通知|寄出|发出|退)"
_SINCE = r"(?:还(?=[订买约付缴寄退]|预约)|我|我们|都|也|已经|早就|终于|总算|全部?|刚|今天|昨天)*"
_ALREADY = r"(?:已经|早就|早已|刚|终于|总算)"
_ENDED = r"(?:完|好|过|掉|成|上|到|出去?|回来?|下来|妥)"
_MADE_READY = r"[洗装充铺擦贴挂拖扫浇喂晾叠熨缝煮炖切泡腌备调录签谈配补磨治盖搭收搬]"
"""周六去摆摊好了 only says what one would like."""
_OPENS = r"(?:好的?|嗯|哦|对|谢谢|ok|OK|那个?|[，,、 ])*"
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(?:好的?|嗯|ok|OK|对|哈哈|[，,、 ])*{_SINCE}{_WHOLLY}(?:了|啦|咯|喽)[！!。~～ ]*$",
        rf"^{_SINCE}把?(?P<about>[^，。！？,]{{1,30}}?){_SINCE}{_WHOLLY}(?:了|啦|咯)",
        rf"^{_SINCE}(?:{_WHOLLY}|{_DEED}(?:完|好)?)(?:了|啦)(?P<about>[^，。！？,了]{{1,30}})",
        (
            rf"^{_SINCE}把?(?P<about>[^，。！？,]{{1,30}}?)(?:我)?(?:已经|都|也|终于|全部?)"
            rf"{_DEED}(?:完|好)?(?:了|啦)"
        ),
        rf"^{_SINCE}把?(?P<about>[^，。！？,]{{2,30}}?){_DEED}(?:完|好)?(?:了|啦)[。！!~～]*$",
        (
            rf"^(?P<about>[^，。！？,刚已今昨没]{{2,16}}?)(?:我)?"
            rf"(?:刚|已经?|今[天早晚]|昨[天晚])+[^，。！？,没不]{{0,6}}?{_DEED}"
            r"(?:完|好|上|掉|过)?(?:了|啦)"
        ),
        # 给妈妈打过电话了, 跟老板说过了: whom it was done to tells which it was.
        (
            rf"^{_OPENS}{_SINCE}(?P<about>(?:给|跟|和|向|替|帮|找|问|通知"
            rf"|联系)[^，。！？,不没]{{1,8}}?[\u4e00-\u9fff]{{1,2}}"
            rf"{_ENDED}[^，。！？,不没了]{{0,10}})(?:了|啦|咯|喽)$"
        ),
        (
            rf"^{_OPENS}(?P<about>[^，。！？,不没了已]{{1,16}}?)(?:我|我们|也|都|全部?)*"
            rf"{_ALREADY}(?:给|跟|和|向|帮|去|都|也|就|全部?)*[^，。！？,不没了]{{0,6}}?(?:"
            rf"{_ENDED})?(?:了|啦|咯|喽)$"
        ),
        # 已经交过房租了, 吃完药了: what it was done to stands behind.
        (
            rf"^{_OPENS}{_SINCE}(?!(?:我们?)?去)[\u4e00-\u9fff]{{1,2}}?(?:完|好|过|掉|妥)(?:了)?"
            rf"(?P<about>[^，。！？,不没了]{{1,16}})(?:了|啦|咯|喽)$"
        ),
        (
            rf"^{_OPENS}(?:我|我们)?{_ALREADY}+(?:都|把|也|去)*"
            rf"(?P<about>[^，。！？,不没了]{{2,24}})(?:了|啦|咯|喽)$"
        ),
        (
            rf"^{_OPENS}{_SINCE}把?(?P<about>[^，。！？,不没了已刚]{{1,16}}?)(?:我|也|都|全部?)*"
            rf"(?:[\u4e00-\u9fff](?:完|妥|过|掉|出去|回来)|{_MADE_READY}好)(?:了|啦|咯|喽)$"
        ),
        # 给妈妈打了电话
        (
            rf"^{_OPENS}{_SINCE}(?P<about>"
            rf"(?:给|跟|和|向|替|帮)[^，。！？,不没]{{1,8}}?[\u4e00-\u9fff]{{1,2}}了"
            rf"(?:个|一个|次|一次|通)?[^，。！？,不没了]{{1,8}})$"
        ),
        # 修锅炉的师傅来过了
        (
            rf"^{_OPENS}(?P<about>[^，。！？,不没了快要]{{1,12}}?"
            r"(?:师傅|的人|的|工人|阿姨|[水电木]工|技工|中介|物业|家政|保洁))"
            r"(?:[今昨]天|今早|上午|下午|早上|刚|已经)*(?:来|到|上门)(?:[修看弄换装打]?)过?了"
        ),
        r"^(?P<about>[^，。！？, ]{2,12}?)不用(?:再)?(?:记|管|做)了",
        rf"^{_SINCE}把(?P<about>[^，。！？,]{{1,30}}?){_DEED}(?:完|好)?(?:了|啦)",
        r"^(?P<about>[^，。！？,✅☑✔]{2,30}?)(?:了|啦)?\s*[✅☑✔]",
    )
)
_CHINESE_NOT_YET = re.compile(
    r"没(?!问题)|还未|尚未|不能|无法|快(?!递|餐|照|件|捷|乐|手)"
    r"(?:要)?|马上|就要|即将|差不多|等|如果|要是|一旦|才能|之前|以后再|需要|得|应该|提醒|记得"
    r"|别忘|帮我"
)


_NO_MORE_REMINDING = re.compile(r"(?:不用|别|不必|甭)(?:再)?提醒(?:我)?(?:了)?")
"""Said of what is done: 已经打过电话了，别提醒了."""
_SAID_BESIDES = re.compile(
    r"[,;] (?:and |so )*(?=(?:also |then |just |finally |already )*(?:i |we |i've |we've |"
    rf"{_FINISHED}\b))"
    rf"| and (?=(?:(?:i|we|i've|we've) )?(?:also |then |just |finally |already )*(?:{_FINISHED}) "
    r"(?:the|my|our|that|those)\b)",
    re.IGNORECASE,
)
"""Between one thing that was done and the next: "renewed my passport, also booked the flights"."""
_BETWEEN_CLAUSES = re.compile(r"[，,；;]")
_LEFT_OUT = re.compile(
    r"\b(?:(that)(s)|(it)(s)(?= (?:all |now )*(?:done|sorted|finished|fixed)\b)|(i)(m|ve)"
    r"|((?:have|has|is|are|do|does|did|was|could|would|should|ca|wo)n)(t))\b",
    re.IGNORECASE,
)
"""Where an apostrophe is left out: “thats sorted”, “havent paid it”."""
_AROUND = " 。.!！~～"
_LONGEST_OPENING = 3
_SPEAKER_ALONE = re.compile(r"(?:我们?|都|也|今天|昨天|刚|全部?)+")

_HINT = re.compile(
    (
        rf"\b(?:{_FINISHED}|did|took|through|already|wrapped|ticked|crossed|off|out|over|set|came"
        r"|come|been|here|up|by|visited)\b|[了啦咯喽✅☑✔]"
    ),
    re.IGNORECASE,
)
"""Without one of these nothing below fits, and most sentences have none."""


_TELLS_A_DEED = re.compile(
    r"^(?:(?:and|also|just|finally|then|i|we|i've|we've),? )*"
    r"(?:booked|bought|paid|sent|submitted|ordered|renewed|reserved|cancell?ed|arranged|scheduled"
    r"|returned|delivered|signed|filed)"
    r" (?:the|my|our|that|those|a|an|some)\b"
    rf"|^(?:我们?|都|也|还|终于|总算|刚|今天|昨天)*(?:{_WHOLLY}|[订买付缴寄交退]|预约)"
    r"(?:完|好)?了(?!吗|没|再|就)",
    re.IGNORECASE,
)


def is_deed_report(text: str) -> bool:
    """“Also booked the flights, Feb 8 to 23”: done, whenever that is which was booked."""
    plain = text.replace("’", "'")
    if not _TELLS_A_DEED.search(plain):
        return False
    return not (_CHINESE_NOT_YET if has_chinese(plain) else _ENGLISH_NOT_YET).search(plain)


def find_completion_claims(sentence: str, *, message: int) -> Iterator[CompletionClaim]:
    """All that this sentence of a user says is done, each in the words for it."""
    whole = MessageQuote(message=message, quote=sentence)
    parts = [sentence] if has_chinese(sentence) else _SAID_BESIDES.split(sentence)
    if len(parts) > 1 and _ENGLISH_NOT_YET.search(sentence.replace("’", "'")):
        parts = [sentence]
    for part in parts:
        if one := find_completion_claim(part.strip(), message=message):
            yield one.model_copy(update={"evidence": whole})


def find_completion_claim(sentence: str, *, message: int) -> CompletionClaim | None:
    """Return what this sentence of a user says is done; None where it says no such thing."""
    said = _NO_MORE_REMINDING.sub("", sentence).replace("’", "'")
    plain = _LEFT_OUT.sub(lambda found: "'".join(filter(None, found.groups())), said)
    if not _HINT.search(plain):
        return None
    chinese = has_chinese(plain)
    if (_CHINESE_NOT_YET if chinese else _ENGLISH_NOT_YET).search(plain):
        return None
    match = _first_match(_CHINESE, _clauses(plain)) if chinese else _first_match(_ENGLISH, [plain])
    if match is None:
        return None
    about = match.groupdict().get("about")
    return CompletionClaim(
        about=about.strip() if about else None,
        evidence=MessageQuote(message=message, quote=sentence),
    )


def _clauses(sentence: str) -> list[str]:
    """As it stands, then its first words alone (电话打了，一切都好), behind a 好的 or 嗯.

    Who says in the middle of a story that something was done tells of other things.
    """
    parts = [part.strip(_AROUND) for part in _BETWEEN_CLAUSES.split(sentence)]
    return [sentence, *parts[: 2 if len(parts[0]) <= _LONGEST_OPENING else 1]]


def _first_match(patterns: Sequence[re.Pattern[str]], texts: Sequence[str]) -> re.Match[str] | None:
    found = (pattern.search(text) for text in texts for pattern in patterns)
    return next((match for match in found if match and not _names_nobody_else(match)), None)


def _names_nobody_else(match: re.Match[str]) -> bool:
    """我已经复查过了: it was the speaker who did it, and that is not what was done."""
    about = match.groupdict().get("about")
    return about is not None and _SPEAKER_ALONE.fullmatch(about.strip()) is not None
