"""Keywords of a statement: the words that tell which plan it is about, and no other."""

import re

from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_language.time_expressions.time_removal import remove_time_words

_OF_IT = re.compile(
    r"\b(?:make|move|push|change|shift|bump|moved|pushed|changed|shifted|bumped|rescheduled"
    r"|postponed|delayed) (?:it|that|this)\b"
    r"|\b(?:it|that|this)(?:['’]?s|['’]ll| is| was| has| got| will| won['’]?t| can['’]?t| cannot)\b"
    r"|[把将][它这那](?:个|件事|事)?|^(?:那|就|我们|咱们?|还是|要不|不如|先|得|只好|可能|临时|又"
    r"|再|被|老板|时间|日期)*(?:改|推|延|提前|顺延|挪|调)",
    re.IGNORECASE,
)
"""It is not named what is moved: that is what was spoken of just before."""
_WHO_MOVES = re.compile(
    r"^[^，。,]{1,6}?(?:说|通知|要求|让)(?=.{0,6}(?:改|推|延|提前|顺延|挪|调))"
    r"|因为?[^，。,]{1,12}[，,]?(?=.{0,4}(?:改|推|延|提前|顺延|挪|调))"
)

_FILLERS = re.compile(
    r"(?<![\w’'-])(?:the|and|for|but|not|now|you|your|she|her|him|his|our|are|was|were|been|has"
    r"|had|have|having|can|can['’]?t|cannot|will|won['’]?t"
    r"|let['’]?s|let|say|said|who|all|any|one|two|yes|its|it['’]s|that['’]?s|too|get|got|going"
    r"|with|from|into|about|around|like|more|aim|call|make|made|take"
    r"|this|that|these|those|then|than|there|they|them|their|user|need|needs|want|wants|just|also"
    r"|only|still|actually|sorry|wait|oops|scratch|correction|mean|meant|instead|rather"
    r"|ready|done|finished|book|booked|plan|planned|remind|moved?|push|pushed|shift|shifted|bump"
    r"|bumped|brought|change|changed|postponed|rescheduled|delayed|back|forward|until|till|before"
    r"|after|because"
    r"|time|date|day|days|week|weeks|weekend|month|months|year|today|tomorrow|tonight|yesterday"
    r"|morning|afternoon|evening|night|noon|early|late|mid|end|next|last"
    r"|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|january|february|march|april|may|june|july"
    r"|august|september|october|november|december)(?![\w-])"
    r"|改到|改成|改|时间|日期|提醒|用户|我们?|咱们?|推迟|延期|提前|顺延|推|延|调整|调|挪|到|至"
    r"|不对|不是|[说记写打看搞弄讲算想发][错岔混反串]了?|错了|[更纠改]正"
    r"(?:一下)?|口误|笔误|手误|刚刚|刚才?|前面|抱歉|不好意思|等一?下|等等|应该|其实|是|今天|明天"
    r"|后天|昨天|前天|(?:[这下上本]个?)?(?:周|星期|礼拜)[一二三四五六日天末]?"
    r"|[这下上本]个?月|月[底初中末]|[上中下]旬|上午|下午|晚上|早上|中午|记得|已经|还是|可能|大概"
    r"|做不完|来不及|要不|不如|只好|了|吧|要|得|会|在|的|就|那|再|又|也|都|跟|和|去",
    re.IGNORECASE,
)
"""Days, and words that stand beside anything."""
_AT_THE_DENTIST = re.compile(r"[看洗补拔]牙|牙科")
_EATEN = re.compile(r"[法西中日聚]餐")
"""Whatever is eaten, where it is eaten is moved along with it."""


def names_moved_plan(text: str, said: UtteranceTime) -> bool:
    """The report won't be ready, 手术改时间了，改到15号: the words around it say what is moved."""
    if _OF_IT.search(text):
        return False
    return bool(extract_keywords(_WHO_MOVES.sub(" ", text), said))


def extract_keywords(text: str, said: UtteranceTime) -> frozenset[str]:
    """Return those with weight: no days, no fillers, nothing that says that something is moved."""
    for time in find_sentence_times(text, said):
        text = remove_time_words(text, time)
    plain = _FILLERS.sub(" ", _EATEN.sub("餐厅", _AT_THE_DENTIST.sub("牙医", text)))
    latin = {word.casefold().removesuffix("s") for word in re.findall(r"[A-Za-z][\w-]{2,}", plain)}
    return frozenset(latin) | frozenset(re.findall(r"(?=([\u3400-\u9fff]{2}))", plain))
