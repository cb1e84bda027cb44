"""What one works as: 在长沙做宠物美容师, 改行卖保险了, 不当护士了, and that one no longer works at a place.

What is done at a place is no trade by itself (在公司做报告, 在医院做手术): it must be called as one,
or the words must say that the trade was changed.
"""

import re

from palimpsest.model.kinds import Kind
from palimpsest_language.attribution.attribute_topic import join_alternatives
from palimpsest_language.attribution.chinese_names import CALLINGS
from palimpsest_language.facts.chinese.omitted_subjects import LEFT_OUT, WHEN
from palimpsest_language.facts.chinese.places import is_known_place
from palimpsest_language.facts.chinese.shared_patterns import (
    compile_chinese,
    refine_employer,
    refine_plain,
)
from palimpsest_language.facts.rule import FactRule, MatchGroups

_END = r"(?=[，,。；;！!、 ～~（(]|$)"
_I = rf"(?:<ME>|{LEFT_OUT}) ?"
_NOW = r"(?:已经|早|现在|目前|如今|最近|一直|主要|其实|刚|终于|正式|再也|就|也|都|又|才)*"
_A = r"(?:一?[名个位]|了|着|起)*"

_WHO = (
    r"[\u4e00-\u9fffA-Za-z]{0,7}?(?:师|(?<![会成人动裁满减党官委学议])员|[技电焊木钳瓦护社水普车漆运洁卫作修理]工|[店厂园校院所站船机车处科部士]长|主任|司机|教练|中介|主厨|裁缝|保姆|翻译|老板娘?"
    rf"|(?:{join_alternatives(CALLINGS)}))"
)
_FIELD = (
    r"[\u4e00-\u9fffA-Za-z]{0,4}?(?:外贸|内贸|销售|运营|产品|设计|开发|研发|前端|后端|运维|算法|行政|人事|人力|财务|法务|审计|会计|采购|仓管|物流|客服|公关|市场|品牌|策划|编导|剪辑"
    r"|后期|摄影|翻译|媒体|自媒体|电商|微商|代购|餐饮|烘焙|监理|造价|地产|保险|证券|投行|猎头|家政|教育|教培|科研|质检|质控|养殖|种植|水电|汽修|建材|服装|园林|软件|生意|批发|零售|金融|芯片|硬件)"
)
_TRADE_NAMED = rf"(?:{_WHO}|{_FIELD})"
_TRADE = rf"(?P<value>{_TRADE_NAMED})"
_SELF_MADE = r"(?P<value>(?:卖|开|跑|送|教|摆|种|养|修|拍|写)(?!了|过|到|始|完)[^，,。；;！!？?、\s我你他她了的]{1,8}?)"
_OTHER_TRADE = r"(?P<value>[^，,。；;！!？?、\s我你他她这那什哪啥了的过]{2,10}?)"
_CHANGED = r"(?:改行|转行|转岗|转型|换岗|换行|调岗|换工作|换了?(?:个|份)?工作|跳槽|转)了?[，,]? ?(?:现在|后来|去|来|到)*"
_AT = r"(?P<where>[^，,。；;、\s]{1,12}?)(?:里面?|那边|这边)?"

_WORKED_AT = r"(?:干|做|待|呆|混|上班|工作|任职|搬砖)(?:下去)?"
_FIRM = r"(?P<value>[^，,。；;、\s我你他她]{2,12}?)"
_IDLE = re.compile(r"[想打算要能]|生意$")


def refine_occupation(groups: MatchGroups) -> MatchGroups | None:
    """What has a name: neither a place nor what is only done once."""
    tidied = refine_plain(groups)
    if tidied is None or is_known_place(tidied["value"]):
        return None
    return tidied


def refine_former_employer(groups: MatchGroups) -> MatchGroups | None:
    found = refine_employer(groups)
    return None if found is None or _IDLE.search(found["value"]) else found


def refine_current_employer(groups: MatchGroups) -> MatchGroups | None:
    """Where one works by now; of a city it is told otherwise."""
    found = refine_employer(groups)
    return found if found is not None and found["attribute"] == "employer" else None


def _job(
    pattern: str, content: str = "{possessive}职业是{value}", *, ended: bool = False
) -> FactRule:
    return FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(pattern),
        content=content,
        attribute="job",
        refine=refine_occupation,
        ended=ended,
    )


def _left(pattern: str) -> FactRule:
    return FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(pattern),
        content="{subject}不再在{value}工作",
        refine=refine_former_employer,
        ended=True,
        names_entity=True,
    )


TRADES = (
    _job(
        rf"{_I}{WHEN}*{_NOW}(?:不|没)(?:再)?(?:做|当|干|搞){_A}{_TRADE}(?:这?一?行)?了{_END}",
        "{subject}不再做{value}",
        ended=True,
    ),
    _job(
        rf"{_I}{_TRADE}(?:这?一?行|的?工作)?我{_NOW}不(?:再)?(?:做|当|干)了{_END}",
        "{subject}不再做{value}",
        ended=True,
    ),
    _job(
        rf"{_I}{_NOW}不再(?:做|当|干|搞){_TRADE}{_END}",
        "{subject}不再做{value}",
        ended=True,
    ),
    _job(
        rf"{_I}{WHEN}*{_NOW}{_CHANGED}(?:做|当|干|搞|担任|成){_A}{_OTHER_TRADE}(?:去)?(?:了|的)*{_END}",
    ),
    _job(
        rf"{_I}{WHEN}*{_NOW}{_CHANGED}{_SELF_MADE}(?:去)?(?:了|的)*{_END}", "{subject}现在{value}"
    ),
    _job(
        rf"{_I}(?:{WHEN})?{_NOW}(?:入职|加入|跳槽到|跳槽去|去|到)了?(?:一?[家所个间])?{_AT}(?:做|当|干|担任){_A}{_TRADE}(?:了|的)*{_END}"
    ),
    _job(rf"{_I}{_NOW}在{_AT}(?:做|当|干|搞|担任){_A}{_TRADE}(?:的|了|呢)*{_END}"),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            rf"{_I}{WHEN}*{_NOW}(?:换(?:了)?(?:个|份)?(?:新)?(?:工作|单位|公司|东家)|跳槽)了?[，, ]+(?:我|现在|目前|如今|已经|就)*(?:在|去了?|到了?)"
            rf"(?:一?[家所间])?{_FIRM}(?:做|当|干|上班|工作|任职|报到|{_END[3:-1]})"
        ),
        content="{subject}在{value}工作",
        refine=refine_current_employer,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            rf"{_I}(?:{WHEN})?{_NOW}(?:入职|加入|跳槽到|跳槽去)了?{_FIRM}(?=(?:做|当|干|担任){_A}{_TRADE_NAMED}(?:了|的)*{_END})"
        ),
        content="{subject}在{value}工作",
        refine=refine_current_employer,
        names_entity=True,
    ),
    _left(rf"(?:<ME>|{LEFT_OUT}) ?{_NOW}(?:不再|不|没再?)(?:在|给|替){_FIRM}{_WORKED_AT}了{_END}"),
    _left(rf"{_I}{_NOW}(?:从){_FIRM}(?:走|出来|撤|退出来|退出)了{_END}"),
    _left(
        rf"{_I}{_NOW}(?:把){_FIRM}的?(?:工作|活儿?|班|职位)(?:给)?(?:辞|扔|丢|推)(?:掉)?了{_END}"
    ),
    _left(
        rf"{_I}{_FIRM}(?:那边|这边|的?工作|的?班|的?活儿?)我?{_NOW}(?:不干|不做|不上|辞|辞掉)了{_END}"
    ),
)
