"""What one has one of at a time, said by its name: a gym, a bank, a car, a main language."""

import re

from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.diets import DIET_ATTRIBUTE, choose_diet_attribute
from palimpsest_language.facts.chinese.places import is_known_place
from palimpsest_language.facts.chinese.shared_patterns import compile_chinese, refine_plain
from palimpsest_language.facts.rule import FactRule, MatchGroups

_ATTRIBUTES = (
    (r"公司|单位|东家|雇主", "employer"),
    (r"职位|岗位|头衔|职务|职称", "job"),
    (r"伴侣|另一半|对象|女朋友|男朋友|女友|男友", "partner"),
    (r"座驾|车子|车", "car"),
    (r"手机型号|手机", "phone"),
    (r"健身房", "gym"),
    (r"银行卡|工资卡|开户行|主账户|银行", "bank"),
    (r"饮食方式|饮食习惯|饮食", "diet"),
    (r"(?:主力|主要|首选|常用)(?:的|用的)?(?:编程)?语言", "preferred_language"),
    (r"(?:首选|默认|主力|常用|最喜欢的|最爱的|最爱)(?:的)?框架", "preferred_framework"),
    (r"最?(?:喜欢|爱|馋)的?菜系", "favorite_cuisine"),
)
_NOUN = f"(?P<noun>{'|'.join(pattern for pattern, _ in _ATTRIBUTES)})"
_NOW = r"(?:现在|如今|目前|已经|就|还|一直|也)*"
_NEW = r"(?:新|现在|目前|如今|常去|主要)?的?"
_VALUE = r"(?P<value>[^，,。；;！!？?：:\s我你的][^，,。；;！!？?：:]{0,23}?)"
_END = r"(?=\s*(?:了|啦|的)?\s*(?:[，,。；;！!～~（(]|$))"

_NO_VALUE = re.compile(
    r"^(?:谁|什么|哪|怎么|这|那|不|没|很|太|非常|特别|挺|坏|新|旧|好|最|在|要|会|被|一个|家|公司|我|他|她)|吗$|呢$|坏了|丢了|没电"
)
_NAME = re.compile(r"[A-Za-z\u4e00-\u9fff]")


def refine_single_value(groups: MatchGroups) -> MatchGroups | None:
    """A value, under the attribute of the word that it was called by."""
    tidied = refine_plain(groups)
    if tidied is None or _NO_VALUE.search(tidied["value"]) or not _NAME.search(tidied["value"]):
        return None
    noun = tidied["noun"]
    attribute = next(name for pattern, name in _ATTRIBUTES if re.fullmatch(pattern, noun))
    if attribute == DIET_ATTRIBUTE:
        attribute = choose_diet_attribute(tidied["value"])
    return {**tidied, "attribute": attribute}


def refine_known_home(groups: MatchGroups) -> MatchGroups | None:
    """A place that is known as one."""
    tidied = refine_plain(groups)
    return tidied if tidied is not None and is_known_place(tidied["value"]) else None


def _rule(pattern: str) -> FactRule:
    return FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(pattern),
        content="{possessive}{noun}是{value}",
        refine=refine_single_value,
    )


SINGLE = (
    _rule(
        rf"我们?{_NOW}{_NEW}{_NOUN}{_NOW}(?:是|叫|换成|改成|变成|改为|换到|转到)(?:了|一辆|一台|一部)?{_VALUE}{_END}"
    ),
    _rule(rf"(?:新|现在的?|目前的?|如今的?){_NOUN}{_NOW}(?:是|叫|[：:]) ?{_VALUE}{_END}"),
    _rule(
        rf"(?:^|(?<=[，,。；;！!\s])){_VALUE}(?:现在|如今|目前|已经|成了|成为|就|才|还)*(?:是|成了|变成)我们?{_NOW}{_NEW}{_NOUN}{_END}"
    ),
    _rule(
        rf"换(?:了|过)?(?:个|台|辆|部|家)?{_NOUN}了?[，,] ?(?:我)?{_NOW}(?:用|是|开|去|在|换成|换到)(?:的是|的|了)?{_VALUE}{_END}"
    ),
    _rule(
        rf"我{_NOW}(?:用|开|存|去|上)的(?:那?[个台辆部家])?{_NOUN}{_NOW}(?:是|叫)的?{_VALUE}{_END}"
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"(?:坐标|定居(?:在|于)?|常驻|人在|家里人都住在?|就住在?|落户(?:在|于)?) ?(?P<value>[\u4e00-\u9fff]{2,5}?)"
            r"(?=[，,。；;！!了好很多有\s]|$)"
        ),
        content="{subject}住在{value}",
        attribute="city",
        refine=refine_known_home,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"(?:健身|锻炼|撸铁|练器械)我?(?:都|也|现在|一般|平时|改|就)*(?:去|在|到)(?P<value>[^，,。；;！!\s我]{2,12}?)(?:去|了|练)*(?=[，,。；;！!]|$)"
        ),
        content="{subject}在{value}健身",
        attribute="gym",
        refine=refine_plain,
    ),
)
"""After all others: where a rule for the very attribute fits, it knows better."""
