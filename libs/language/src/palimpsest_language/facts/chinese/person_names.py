"""Names of people and pets, short or corrected: 儿子叫小贝, 是子轩不是梓轩, 猫改叫元宝."""

import re

from palimpsest_language.facts.chinese.places import is_known_place
from palimpsest_language.facts.chinese.shared_patterns import (
    PIECES,
    refine_plain,
    refine_relative,
)
from palimpsest_language.facts.rule import MatchGroups

KIN = (
    rf"(?:[大小二]?(?:女儿|儿子)|{PIECES['RELATIVE']}|闺女|娃|宝宝|小孩|侄[子女]|外甥女?|孙[子女]"
    r"|外孙女?|发小|同学|同桌|男友|女友|爱人|老伴儿?|婆婆|公公|岳父|岳母|保姆)"
)
ANIMAL = PIECES["ANIMAL"]
CALLED = r"(?:[\u4e00-\u9fff·]{2,4}?|[A-Z][a-z]+)"
NO_NAME = re.compile(
    r"^(?:[了过得上出人车醒]|我|你|您|他|她|它|这|那|谁|什么|啥|哪|怎|因为|为|在|有|没|不|要|会"
    r"|去|来|很|太|最|也|都|还|就|周[一二三四五六日天末]|星期|礼拜|[今明昨后前]天|[下上]个?[周月]"
    r"|[一二两三四五六七八九十])"
    r"|[的了吗呢吧着过]$|[号点月日天年岁]$|\d|老师|医生|护士"
)

_HAD = re.compile(r"[养有买捡接领]|[只条头匹个]")


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
