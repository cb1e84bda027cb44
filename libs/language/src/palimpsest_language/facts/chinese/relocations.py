"""That one has moved or will, and that one has left where one worked, in ordinary words.

What is only wished for (想搬到, 打算搬到) changes nothing; what has a day holds from that day on.
"""

import re

from palimpsest_language.facts.chinese.shared_patterns import (
    refine_place,
    refine_plain,
)
from palimpsest_language.facts.rule import MatchGroups
from palimpsest_language.rule_tables import read_words

NOWHERE = "无"
"""Where somebody works who has left and says no more."""

_NO_HOME = re.compile(
    r"[的离近远]|地方|公司|单位|宿舍|公寓|房|楼|层|一起|家$|里$|新|大床|电脑|手机|桌|箱|[沙窗]"
    r"|隔壁|旁边|附近|外面|哪"
)
_FIRMS = read_words("attribution/chinese_names")["FIRMS"]
_FIRM = re.compile(
    (
        rf"{_FIRMS}|[A-Za-z][\w&. -]*|[\u4e00-\u9fffA-Za-z]{{2,8}}"
        r"(?:科技|集团|公司|网络|软件|传媒|银行|证券|保险|医院|大学|中学|小学|学校|设计院|研究院"
        r"|研究所|事务所|工作室)"
    ),
    re.IGNORECASE,
)


def refine_home(groups: MatchGroups) -> MatchGroups | None:
    """A place to live in, and not what is carried from one room to another."""
    found = refine_place(groups)
    return None if found is None or _NO_HOME.search(found["value"]) else found


def refine_next_employer(groups: MatchGroups) -> MatchGroups | None:
    """A firm by its name, or whatever one goes to work at; 去旅游 is neither."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    return tidied if "work" in tidied or _FIRM.fullmatch(tidied["value"]) else None


def refine_left_employer(groups: MatchGroups) -> MatchGroups | None:
    """Nowhere is where one works then."""
    tidied = refine_plain(groups)
    return tidied and {**tidied, "verb": tidied["value"], "value": NOWHERE}
