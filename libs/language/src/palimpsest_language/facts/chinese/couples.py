"""That two have parted: 我和林涛分手了, 我离婚了, 我前男友叫林涛."""

import re

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.chinese.omitted_subjects import JUST, WHEN
from palimpsest_language.facts.chinese.shared_patterns import compile_chinese, refine_plain
from palimpsest_language.facts.rule import FactRule, MatchGroups

_PARTNER = r"(?:男朋友|女朋友|男友|女友|对象|老公|老婆|丈夫|妻子|太太|先生|爱人|另一半|未婚夫|未婚妻|[他她]|TA|那个人)"
_WITH = r"(?:和|跟|与|同)"
_PARTED = r"(?:分手|离婚|离(?=了)|分(?=了)|掰(?=了)|吹(?=了)|拜拜|断(?=了)|散(?=了)|分开)"
_NOT_YET = r"(?![没吗吧再就的]|以后|之后|多少)"
_NO_NAME = re.compile(
    r"^(?:我|你|他|她|它|这|那|别|谁|大家|公司|单位|老板|同事|朋友|闺蜜|室友|房东|客户|合伙)|[的了]$"
)


def refine_former_partner(groups: MatchGroups) -> MatchGroups | None:
    """Somebody by name, who was a partner."""
    tidied = refine_plain(groups)
    return None if tidied is None or _NO_NAME.search(tidied["value"]) else tidied


def refine_single(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    told = tidied["value"]
    parted = "离" in told and "分" not in told
    return {**tidied, "told": told, "value": "离异" if parted else "单身"}


COUPLES = (
    FactRule(
        kind=Kind.PERSON,
        pattern=compile_chinese(
            rf"<ME> ?{WHEN}*{JUST} ?{_WITH} ?(?!{_PARTNER})(?P<value>[\u4e00-\u9fff]{{2,4}}?|[A-Za-z][\w-]+) ?{WHEN}*{JUST}(?:和平)?(?P<told>{_PARTED})了?{_NOT_YET}(?=[^，,。；;！!]{{0,4}}(?:[，,。；;！!]|$))"
        ),
        content="{subject}和{value}{told}了",
        attribute="partner",
        refine=refine_former_partner,
        ended=True,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PERSON,
        pattern=compile_chinese(
            rf"<ME> ?{WHEN}*{JUST} ?{_WITH} ?(?!{_PARTNER})(?P<value>[\u4e00-\u9fff]{{2,4}}?) ?{WHEN}*{JUST}(?P<told>复合|和好|复婚)了(?=[，,。；;！! ]|$)"
        ),
        content="{subject}和{value}{told}了",
        attribute="partner",
        refine=refine_former_partner,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            rf"<ME> ?{WHEN}*{JUST} ?(?:{_WITH} ?(?:我的?)?(?P<whom>{_PARTNER}))? ?{WHEN}*{JUST}(?:和平)?(?P<value>分手|离婚|(?<=[友婆公友她他人])(?:分|掰|吹|离|分开))了{_NOT_YET}"
        ),
        content="{subject}{told}了",
        attribute="marital_status",
        refine=refine_single,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"<ME> ?(?:现在|目前|还是|恢复|一直|是|又|回归)*(?:个)?(?P<value>单身)(?=了?(?:[，,。；;！!狗]|$))"
        ),
        content="{subject}单身",
        attribute="marital_status",
        refine=refine_single,
    ),
    FactRule(
        kind=Kind.PERSON,
        pattern=compile_chinese(
            r"我的?前(?P<relation>男友|女友|男朋友|女朋友|任|夫|妻) ?(?:就?是|叫|，)? ?(?P<value>[\u4e00-\u9fff]{2,3}|[A-Z][\w-]+)(?=[，,。；;！!、 ]|$)"
        ),
        content="{value}是{subject}的前{relation}",
        attribute="partner",
        refine=refine_former_partner,
        ended=True,
        names_entity=True,
    ),
)
