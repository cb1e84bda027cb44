"""Attributes with several values: likes, hobbies, tools, pets, allergies, languages.

And their ends.
"""

import re

from palimpsest_language.facts.chinese.shared_patterns import refine_plain
from palimpsest_language.facts.rule import MatchGroups

_NO_THING = re.compile(
    r"^[看吃听玩用喝做写说想闻]$|^(?:现在|如今|以前|之前|已经|最近|后来|今天|明天|这|那|它|他|她"
    r"|谁|什么|怎么|一直|一点|所有|任何|太|没|不|也|都|就|还|再|去|来|说|想|要|能|会)|我|你|担心"
    r"|客气|谢|[这那]个|低于|高于|超过|[就都也还]$"
)


def refine_thing(groups: MatchGroups) -> MatchGroups | None:
    """Return what can be liked or done, however it is called.

    No sentence, and nothing pointed at.
    """
    tidied = refine_plain(groups)
    return None if tidied is None or _NO_THING.search(tidied["value"]) else tidied


DRUNK = (
    r"(?:茶|咖啡|可乐|雪碧|汽水|饮料|果汁|豆浆|酸奶|牛奶|奶昔|苏打水|红牛|拿铁|美式|啤酒|白酒|红酒)"
)
_NO_PASTIME = re.compile(
    rf"{DRUNK}$|零食|甜食|宵夜|夜宵|辣椒?$|肉$|"
    r"[烟酒药糖课班]$|(?:烟|酒|药|课|班)(?:先|都|也)|先$|方案|计划|项目|工作|会员|订单|合同|订阅"
    r"|游戏账号|服务|功能|版本|代码|数据库|框架|系统|考研|考试|治疗|手术|保险|贷款|房子|"
    r"^(?:原来|原先|之前|以前|先前|这个|那个|旧|老(?!歌|电影))的?"
)


def refine_pastime(groups: MatchGroups) -> MatchGroups | None:
    """Return what is done for pleasure.

    Neither what is smoked, taken or taught, nor what one works by.
    """
    found = refine_thing(groups)
    return None if found is None or _NO_PASTIME.search(found["value"]) else found
