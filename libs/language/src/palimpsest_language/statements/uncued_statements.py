"""Statements that no sign gives away: about the speaker or theirs, or with a number or a name."""

import re

from palimpsest_language.facts.chinese.places import names_place
from palimpsest_language.plans.english import find_cancelled_plan

_CONTENT_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+#%'’-]*|[\u3400-\u9fff]")
_ABOUT_SPEAKER = re.compile(
    r"(?<![\w'’])(?:I|we|my|our|us|me|mine|ours)(?![\w-])|我|咱|俺", re.IGNORECASE
)
_NUMBER = re.compile(
    r"\d|[一二两三四五六七八九十百千半]+(?:个|份|位|人|次|天|小时|分钟|秒|周|月|年|成|倍|万|百|千"
    r"|分之|条|台|家)"
)
_VERB = re.compile(
    r"['’](?:s|m|re|ve|d|ll)\b|\b(?:is|are|was|were|am|be|been|has|have|had|do|does|did|can|will"
    r"|need|must|\w+ed|\w+s"
    r"|went|grew|got|came|saw|took|made|gave|kept|left|met|ran|found|bought|taught|built|wrote"
    r"|live|work|use|eat|drink"
    r"|go|run|keep|speak|own|play|drive|ride|cycle|feed|commute|study|wear|sleep|teach|sing|write"
    r"|read|walk|swim|pay"
    r"|earn|weigh|share|take|make|get)\b",
    re.IGNORECASE,
)
_NARRATES = re.compile(
    r"^(?:I|we|he|she|they|it)(?:'ve|'s| have| has)? (?:(?:just|also|really|finally|already|still"
    r"|even|never|only|actually|then) )*"
    r"(?:\w+ed|went|came|saw|took|made|gave|got|said|told|thought|had|did|left|put|read|ran|knew"
    r"|felt|heard|forgot|lost|kept)\b",
    re.IGNORECASE,
)
"""What somebody did, once: that matters with its time, a number or a name."""
_NARRATES_CHINESE = re.compile(
    r"^我?(?:今天|昨天|昨晚|刚刚?|刚才)?(?:又|才|突然|忽然)?(?:看到|看见|听到|想到|想起|刷到|路过"
    r"|遇见|发现|觉得|感觉|在想|琢磨)"
)
_DEED_ALONE = re.compile(
    r"^(?:just |finally |recently |already |also )?(?:(?:switched|moved|changed|started|finished"
    r"|joined|adopted|dropped|quit|ported|upgraded)|(?!need|feed|speed|red\b)\w{2,}ed(?= "
    r"(?:the|my|our|an?|to|from|in|out|up|for|on|off|with|at|everything|all|\d|"
    r"(?-i:[A-Z])))|sold|bought|got|left|gave up|went"
    r"|quit|began|became|took up|found|lost|won|met) \w+",
    re.IGNORECASE,
)
"""Who did it is left out, as people do who write of themselves."""
_SPEAKER_DOES = re.compile(r"(?<![\w'’])(?:I|[Ww]e)(?:['’](?:m|ve|ll|re|d))? \w+")
_POINTS_AT = re.compile(
    (
        r"^(?:I|we)(?:['’](?:m|ve|ll|d|re))?(?: (?:can|could|will|just|also|really|still|already"
        r"|only|have|had|then|always))* (?!know|have\b|need|want|like|love|hate)[a-z]+(?: \w+)? "
        r"(?:it|them|him|her|that|this|those)(?= (?!of\b)|$)"
    ),
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:my|our)\b|\b(?:every|each|usually|never|always|on \w+days)\b", re.IGNORECASE
)
_NAMES_OR_COUNTS = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|thousand|half)\b|"
    r"(?<!^)(?<![.!?] )\b[A-Z][A-Za-z]+|[a-z]+[A-Z0-9]|[\u4e00-\u9fff] ?[A-Za-z]{2,}"
    r"|[A-Za-z]{2,} ?[\u4e00-\u9fff]"
    r"|[一二两三四五六七八九十百千半]+(?:个|年|岁|天|月|周|次|口|只|条|块|万|千|百|公里|斤|层|点"
    r"|位|米|元|度|台|辆|间|室|号|折|成)"
)
_LASTS = re.compile(
    r"是|在(?!吗|呢)|有(?!点|没)|叫|住|做|养|会(?!儿)|属|姓|来自|毕业|负责|过敏|怕|戴|开|用|学|教"
    r"|玩|打|弹|骑|跑|每[天周年月晚]"
    r"|平时|一般|通常|经常|从小|小时候|以前|搬|换|改|转行|不[^了]{1,4}了|疼|病|基础|水平|擅长"
    r"|不会|没.{1,6}过|可以代|敏感|只能|心率|血压|血糖|过高|偏高|偏低|不齐|不调|不耐"
    r"(?!烦)|色弱|色盲|左撇子|近视|散光|糖尿|哮喘|痛风|半月板|椎间盘|腰突|甲状腺|鼻炎|湿疹|偏头痛"
    r"|贫血|忌口|不好(?=$|[，,只])"
)
_OF_A_THING = re.compile(
    r"^(?:the|our|new|all) (?:[\w'’-]+ ){1,4}(?:is|are|was|has|only|"
    r"(?:need|go|goe|work|keep|stay|change|close|open|take"
    r"|cost|come|live|sit|hang|belong|run|use|leave|flood|end|start|allow|expire)s?)\b(?: \S+){4}"
    r"|^(?:my |our )?new [\w ]{2,30}:|\bis (?:called|named)\b"
    r"|\b(?:is|are|was|were|has|have|costs?|takes?|['’]s|starts?|ends?|opens?|closes?|needs?"
    r"|goes? in|comes?|allows?|runs?)\b"
    r".*(?:\d|(?<!^)(?-i:[A-Z]))",
    re.IGNORECASE,
)
_OF_A_THING_CHINESE = re.compile(
    r"^在(?!吗|呢|线|忙).{5,}|.{1,12}(?:是|叫|在|有|改|换|用|要|属|需要|一共|都|过敏|只能|必须)"
    r"|.*\d"
)

_ORDINAL = re.compile(r"第[一二两三四五六七八九十]+[天次个回]|[今这那]一?天|一个人|有一天")
_LASTING = re.compile(
    r"左撇子|色弱|色盲|叫(?![我你他她停醒苦])|名字|[\u4e00-\u9fff]"
    r"(?:大学|学院|医院|银行|小学|中学|集团|研究所|设计院|专业)|过敏|职业|血型|饮食"
    r"|^(?:已经|早就|现在)?不(?:再|在|是|用|做|去|住)[^，。]{2,}了$|^"
    r"(?:以前|原来|之前|现在|目前|如今|以后)(?:都|就|只|主要)?"
    r"(?:是|在|用|做|当|住|开|养|学|吃|喝|改|换)"
    r"|[放挂存藏摆写印在锁]在?[^，。]{1,10}(?:里|上|下|边|后面|前面|那里|那儿)(?:的|$)|上"
    r"(?:印|写)的是|[要得][^，。]{2,}才[^，。]+|每(?!次|个人)[天周月年晚]|从来|一直(?!在)"
)
"""Statements worth asking for later: names, places of things, habits, lasting changes."""

_THING_FIRST = re.compile(
    r"^(?:(?:今天|昨天|昨晚|今晚|刚刚?|刚才|最近|这[几两]天|早上|中午|下午"
    r"|晚上)的?)+[^，。\s]{0,6}的[\u4e00-\u9fff]{2,}"
)
_DONE_TO_SPEAKER = re.compile(r"[给让跟对叫帮陪带和找问教催骂]我们?(?!家|的)")
"""天天给我留一份: of whoever does it, and that is left out."""

_LEAST_WORDS = 3
_LEAST_CHARACTERS_OF_SPEAKER = 4
_LEAST_CHARACTERS_OF_A_THING = 6


def count_words(text: str) -> int:
    """Latin words and Chinese characters."""
    return len(_CONTENT_WORD.findall(text))


def count_numbers(text: str) -> int:
    return len(_NUMBER.findall(text))


def is_about_speaker(text: str) -> bool:
    return _ABOUT_SPEAKER.search(text) is not None


def is_speaker_action(text: str) -> bool:
    """It begins with "I" or "we" and a verb."""
    return _SPEAKER_DOES.match(text) is not None


def is_action_without_subject(text: str) -> bool:
    """It begins with what was done, and leaves out who did it."""
    return _DEED_ALONE.match(text) is not None


def depends_on_conversation(text: str) -> bool:
    """Return what "I" or "we" do to something that only the talk names.

    No name, no number, no person.
    """
    if not _POINTS_AT.search(text) or _NAMES_OR_COUNTS.search(text):
        return False
    return _OWN.search(text) is None


def is_uncued_statement(
    text: str, *, of_somebody: bool, pronoun: str | None, chinese: bool
) -> bool:
    """Tell whether a clause without any sign is a statement.

    `of_somebody`: it is about a person who is known.
    """
    about = of_somebody or is_about_speaker(text)
    if chinese:
        about = about and (of_somebody or is_about_speaker(_DONE_TO_SPEAKER.sub("", text)))
        return _states_in_chinese(text, about=about, telling=of_somebody, pronoun=pronoun)
    return _states_in_english(text, about=about or pronoun is not None)


def _states_in_chinese(text: str, *, about: bool, telling: bool, pronoun: str | None) -> bool:
    least = _LEAST_CHARACTERS_OF_SPEAKER if about else _LEAST_CHARACTERS_OF_A_THING
    if count_words(text) < least or (
        _NARRATES_CHINESE.search(text) and not _NAMES_OR_COUNTS.search(text)
    ):
        return False
    if not (about or pronoun) and not _is_of_a_thing(text):
        return False
    return telling or bool(_LASTS.search(text) or _NAMES_OR_COUNTS.search(text))


def has_thing_as_subject(text: str) -> bool:
    """今天食堂的红烧肉, CI: something is said of it, rather than of what somebody did."""
    return _THING_FIRST.match(text) is not None


def _is_of_a_thing(text: str) -> bool:
    return _OF_A_THING_CHINESE.match(text) is not None and has_lasting_reference(text)


def has_lasting_reference(text: str) -> bool:
    """Tell whether a statement has a name, number or place: nobody asks later for 人在心不在."""
    if _LASTING.search(text) or names_place(text):
        return True
    return _NAMES_OR_COUNTS.search(_ORDINAL.sub("", text)) is not None


def _states_in_english(text: str, *, about: bool) -> bool:
    if find_cancelled_plan(text) is not None:
        return True
    if count_words(text) < _LEAST_WORDS or (
        _NARRATES.search(text) and not _NAMES_OR_COUNTS.search(text)
    ):
        return False
    if _SPEAKER_DOES.search(text) or _DEED_ALONE.search(text):
        return True
    pattern = _VERB if about else _OF_A_THING
    return pattern.search(text) is not None
