"""What somebody is called, said for short or set right: 儿子叫小贝, 儿子名字打错了，是子轩不是梓轩, 猫不叫发财了，改叫元宝."""

import re
from collections.abc import Iterator

from palimpsest.model.kinds import Kind
from palimpsest_language.corrections.chinese_cues import RATHER, SAYS_WRONG
from palimpsest_language.facts.chinese.places import is_known_place
from palimpsest_language.facts.chinese.shared_patterns import (
    PIECES,
    compile_chinese,
    refine_plain,
    refine_relative,
)
from palimpsest_language.facts.rule import FactRule, MatchGroups, RefineGroups

KIN = rf"(?:[大小二]?(?:女儿|儿子)|{PIECES['RELATIVE']}|闺女|娃|宝宝|小孩|侄[子女]|外甥女?|孙[子女]|外孙女?|发小|同学|同桌|男友|女友|爱人|老伴儿?|婆婆|公公|岳父|岳母|保姆)"
ANIMAL = PIECES["ANIMAL"]
CALLED = r"(?:[\u4e00-\u9fff·]{2,4}?|[A-Z][a-z]+)"
NO_NAME = re.compile(
    r"^(?:[了过得上出人车醒]|我|你|您|他|她|它|这|那|谁|什么|啥|哪|怎|因为|为|在|有|没|不|要|会|去|来|很|太|最|也|都|还|就|周[一二三四五六日天末]|星期|礼拜|[今明昨后前]天|[下上]个?[周月]|[一二两三四五六七八九十])"
    r"|[的了吗呢吧着过]$|[号点月日天年岁]$|\d|老师|医生|护士"
)

_BEGIN = r"(?:^|(?<=[，,。；;！!：:\s]))"
_OF_ONESELF = r"(?:我们?家的?|咱家的?|家里的?|我们?的?|还有|有)*(?:一?个)?"
_END = r"(?=[了啦哈哦呢]*\s*(?:[，,。；;！!～~（(\s]|$))"
_NAME = r"(?:的?(?:名字|大名|小名|全名))"
_NAMED = rf"(?:{_NAME}[，, ]*(?:{SAYS_WRONG})?|[，, ]*{SAYS_WRONG}){RATHER}"
_TO_BE = rf"(?:{_NAMED}(?:是|叫)|[，, ]*{RATHER}叫)"
"""我女儿是理科不是文科 names nobody."""
_VALUE = rf"(?P<value>{CALLED})"
_REPLACED = rf"(?P<replaced>{CALLED})"
_HAD = re.compile(r"[养有买捡接领]|[只条头匹个]")
_SOMEBODY = r"[他她你您]|(?:朋友|同事|闺蜜|室友|邻居|同学|领导|老板|客户|[小阿老][\u4e00-\u9fff](?=[\u4e00-\u9fff]))(?!叫|名叫|的?名字)"
"""Before a relation that nobody is said to have: 朋友来了，儿子叫乐乐 is of the friend's."""


def refine_person_name(groups: MatchGroups) -> MatchGroups | None:
    """Somebody by name, under what they are to the speaker."""
    tidied = refine_relative(groups)
    return tidied if tidied is not None and is_name(tidied["value"]) else None


def refine_pet_name(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_plain(groups)
    if tidied is None or not is_name(tidied["value"]) or _HAD.search(tidied["relation"]):
        return None
    return {**tidied, "attribute": "pets"}


def is_name(word: str) -> bool:
    return NO_NAME.search(word) is None and not is_known_place(word)


_SET_RIGHT = (
    rf"{_TO_BE} ?{_VALUE}[，, ]*(?:而)?不(?:是|叫) ?{_REPLACED}{_END}",
    rf"(?:{_NAMED}不(?:是|叫)|不(?:再)?叫) ?{_REPLACED}了?[，, ]+[^，,。；;！!？?\s]{{0,8}}?(?:是|叫) ?{_VALUE}{_END}",
    rf"(?:{_NAME}[，, ]*{SAYS_WRONG}{RATHER}(?:是|叫)|[，, ]*{SAYS_WRONG}{RATHER}叫) ?{_VALUE}{_END}",
)
_INTRODUCED = tuple(
    # The first one of a sentence, and the last.
    rf"^(?:(?!{_SOMEBODY})[^。；;！!？?])*{lazily}{_BEGIN}{_OF_ONESELF}(?P<relation>{KIN})的?{_NAME}?(?:叫|名叫) ?{_VALUE}{_END}"
    for lazily in ("?", "")
)


def _called(kind: Kind, content: str, refine: RefineGroups, *patterns: str) -> Iterator[FactRule]:
    for pattern in patterns:
        yield FactRule(
            kind=kind,
            pattern=compile_chinese(pattern),
            content=content,
            refine=refine,
            names_entity=True,
        )


RENAMING = (
    *_called(
        Kind.PERSON,
        "{possessive}{relation}叫{value}",
        refine_person_name,
        *(rf"{_BEGIN}{_OF_ONESELF}(?P<relation>{KIN})的?{pattern}" for pattern in _SET_RIGHT),
        *_INTRODUCED,
    ),
    *_called(
        Kind.FACT,
        "{subject}有一只{relation}叫{value}",
        refine_pet_name,
        *(rf"{_BEGIN}{_OF_ONESELF}(?P<relation>{ANIMAL})的?{pattern}" for pattern in _SET_RIGHT),
    ),
)
