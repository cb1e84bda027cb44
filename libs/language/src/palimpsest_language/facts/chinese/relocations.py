"""That one has moved or will, and that one has left where one worked, in ordinary words.

What is only wished for (想搬到, 打算搬到) changes nothing; what has a day holds from that day on.
"""

import re

from palimpsest.model.kinds import Kind
from palimpsest_language.attribution.attribute_topic import join_alternatives
from palimpsest_language.attribution.chinese_names import FIRMS
from palimpsest_language.facts.chinese.omitted_subjects import JUST, LEFT_OUT, WHEN
from palimpsest_language.facts.chinese.shared_patterns import (
    compile_chinese,
    refine_place,
    refine_plain,
)
from palimpsest_language.facts.rule import FactRule, MatchGroups

NOWHERE = "无"
"""Where somebody works who has left and says no more."""

_SIDE = r"(?:这边|那边|这里|那里|这儿|那儿)?"
_END = r"(?=[，,。；;！!、 ]|$)"
_NO_HOME = re.compile(
    r"[的离近远]|地方|公司|单位|宿舍|公寓|房|楼|层|一起|家$|里$|新|大床|电脑|手机|桌|箱|[沙窗]|隔壁|旁边|附近|外面|哪"
)
_FIRM = re.compile(
    rf"{join_alternatives(FIRMS)}|[A-Za-z][\w&. -]*|[\u4e00-\u9fffA-Za-z]{{2,8}}(?:科技|集团|公司|网络|软件|传媒|银行|证券|保险|医院|大学|中学|小学|学校|设计院|研究院|研究所|事务所|工作室)",
    re.IGNORECASE,
)
_LEFT = r"(?:离职|辞职|裸辞|跳槽|失业|下岗|被裁(?:员)?|被优化)"
_TO = r"(?:跳槽|加入|入职|去|到|进)(?:去|到|了)*"


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


MOVING = (
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            rf"{LEFT_OUT} ?{WHEN}*{JUST} ?搬(?:家)?(?:到|去|回|来|进)了? ?<PLACE> ?{_SIDE}(?:住|来|去)?了?{_END}"
        ),
        content="{subject}搬到{value}",
        attribute="city",
        refine=refine_home,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            rf"(?:<ME>|{LEFT_OUT}) ?{WHEN}*{JUST} ?(?:从[^，,。]{{1,10}}?)?{_LEFT}了?[，,。 ]*(?:然后|接下来)?{WHEN}*{JUST}(?:会)? ?"
            rf"{_TO} ?(?:一[家所个])?(?P<value>[^，,。；;、\s一这那新别另]{{2,12}}?) ?(?P<work>上班|工作|入职|报到|任职)?了?{_END}"
        ),
        content="{subject}去{value}工作",
        attribute="employer",
        refine=refine_next_employer,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            rf"(?:<ME>|{LEFT_OUT}) ?{WHEN}*{JUST} ?(?:从?(?:公司|单位)(?:里)?)?(?P<value>{_LEFT})了{_END}"
        ),
        content="{subject}{verb}了",
        attribute="employer",
        refine=refine_left_employer,
    ),
)
