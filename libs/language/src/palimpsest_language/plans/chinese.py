"""Plans as they are told in Chinese: what somebody means to do, has given up, or has moved. Pure.

| words | what they say |
| --- | --- |
| 打算国庆去云南玩 | a plan: 去 |
| 云南不去了, 不去云南了 | 去云南 is given up |
| 手术定在12月8号 | an occasion that is to come |
| 手术改到12月15号, 手术取消了 | it is moved, or called off |
| 地图功能推迟到12月中旬 | so is whatever has that name and a day to come |
| 家长会是周四，不是周三 | its time was told wrong |
| 烟我不抽了, 戒奶茶了 | a habit is given up |

A plan is known by its verb or by what the occasion is called; by the words around those it is
seen whether it is the one that is given up.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import select_kinds
from palimpsest_language.plans.chinese_habits import (
    HABIT_VERBS,
    find_abandoned_habit,
    is_habitual,
    names_habit,
)
from palimpsest_language.plans.plan_text import PlanEnding, PlanText

MEANT_IN_WORDS = frozenset(select_kinds(lambda kind: kind.times.is_plannable))
"""No facts: 会开车 is what somebody can do."""

_VERBS = "去考学买换养租办报做开飞回签练搬"
_VERB = f"[{_VERBS}]"
_OCCASIONS = (
    "手术|体检|面试|考试|婚礼|例会|评审|复查|聚餐|聚会|饭局|比赛|演出|答辩|年会|看牙|拔牙|直播"
    "|发布会|家长会|培训|讲座"
    "|电影|演唱会|签约|开业|交房|上线|旅行|旅游|出差|航班|火车|机票|会议|检查|预约|约会|露营|搬家"
    "|装修|团建"
)
_OCCASION = re.compile(_OCCASIONS)

_LED_BY = r"(?:用户|自己|我们?|就|也|都|先|还是|决定|已经|只好|全|暂时|今年|这次|彻底|现在|又)*"
_MAY = r"(?:想|打算|准备|要|用|能)?"
_AGAIN = r"(?:再)?"
_OVER = r"(?=$|[，,。；;！!\s])"
_WHAT = r"(?P<what>[^，,。；;！!？?不没]{1,12}?)"
_NO_LONGER = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:^|[，,。；;！!\s]){_WHAT}{_LED_BY}不{_AGAIN}{_MAY}(?P<verb>{_VERB})了{_OVER}",
        (
            rf"(?<![想该能要会])不{_AGAIN}{_MAY}(?P<verb>{_VERB})"
            rf"(?P<what>[^，,。；;！!？?了]{{1,10}}?)了{_OVER}"
        ),
        (
            rf"(?:^|[，,。；;！!\s]){_WHAT}(?:的?(?:事|计划|行程|安排|之行))?{_LED_BY}"
            rf"(?:取消|泡汤|作废|黄|放弃)了{_OVER}"
        ),
        (
            rf"(?:取消|放弃)了(?P<what>[^，,。；;！!？?了]{{2,10}}?)(?:的?"
            rf"(?:计划|行程|安排|打算|想法))?{_OVER}"
        ),
    )
)
_ANY_TIME = (
    r"(?=\s?(?:[\d一二三四五六七八九十]{1,3} ?[月号日点周]|[今明后下本这上]|周|星期|礼拜|年|月"
    r"|元旦|春节|国庆|五一|中秋))"
)
_MOVED = re.compile(
    rf"(?P<what>[^，,。；;！!？?]{{0,12}}?)(?:的?(?:时间|日期|日子))?{_LED_BY}"
    r"(?:[改变换]了[，,\s]+)?"
    r"(?:改(?:了?(?:时间|期|日期|日子))|(?:时间|日期|日子)(?:改|变)了|"
    r"(?:改|推迟|延期|延后?|提前|顺延|挪|调整?|改期)[到至成])"
    rf"(?P<then>{_ANY_TIME})?"
)
_DAY = (
    r"(?:(?:[下这本]个?)?(?:周|星期|礼拜)[一二三四五六日天末]|[明后]天|大后天|[今明后]晚"
    r"|[下这]个?月|(?:早上|上午|中午|下午|晚上)|[\d一二三四五六七八九十]{1,3} ?[点号日月])"
)
_ANOTHER_DAY = re.compile(
    rf"(?P<what>[^，,。；;！!？?\s]{{2,12}}?)(?:的?(?:时间|日期|日子))?(?:应该|其实)?(?P<then>)(?:"
    rf"是(?={_DAY}[^，,。；;！!？?]{{0,12}}[，,\s]*(?:而)?不是{_DAY})|不是"
    rf"{_DAY}[^，,。；;！!？?是吗]{{0,8}}[，,\s]*(?:而)?(?:应该)?是(?={_DAY}))"
)
"""家长会是周四，不是周三."""
_TO_COME = "to come"
"""The name of all that has a day to come: under it whatever is moved finds what has its name."""
_BESIDE_WHAT = re.compile(
    r"^(?:更正一下|对了|那个?|这个?|把|我们?的?|用户的?|原来的?|之前的?|已经|[，, ])+|的?事儿?$|的$"
)
_WHEN = re.compile(
    r"(?:[今明后]天|[下这本上]?个?(?:周|星期|礼拜)[一二三四五六日天末]|[下这本]个?[周月]"
    r"|\d+[月号日点]|[一二三四五六七八九十]+[月号日点]|早上|上午|中午|下午|晚上)+的?"
)
_NOTHING = re.compile(
    r"^(?:今|明|后|昨)[天晚]|^(?:这|那|它|他|她|什么|哪|以后|下次|现在|一起|再也|[下这上]周"
    r"|[我你人说得到起成想看走里]$)"
)

_ON_A_DAY = re.compile(r"今[天晚早]|明[天早晚]|后天|下次|这[次周]|周[一二三四五六日天末]|先不|还没")
"""今天不开会了: of that day, and of no other meeting."""

_MEANT = re.compile(
    r"打算|计划|目标|准备|想(?!起|到)|(?<![重需主])要(?!求|是)|(?<![机社])会"
    r"(?!议|员|计)|决定|预[订定约]|[订约]了|定[在了于好]|报名|下个?[周月]|明[天年]|提醒|待办"
)
_PEOPLE = re.compile(
    r"老伴儿?|老婆|老公|妻子|丈夫|太太|女朋友|男朋友|对象|儿子|女儿|孩子|爸|妈|父亲|母亲|爷爷"
    r"|奶奶|外公|外婆|姥姥|姥爷|岳父|岳母|丈母娘|公公|婆婆"
    r"|哥|姐|弟|妹|叔|姨|舅|姑|朋友|同事|室友|闺蜜|老板|领导|同学|邻居|侄|外甥|孙"
)
_COMPANION = re.compile(r"(?:和|跟|与|陪|带着?|同)(?:着)?(?:用户|自己|我们?)?的?$")
_FARTHEST = 3
"""Characters between a verb and where to or what for: 去一趟云南."""
_FARTHEST_OF_A_NAME = 8
"""The same before a name of three characters or more, met less by chance: 考宠物美容师A级证."""
_NAME = 3


class AbandonedPlan(NamedTuple):
    """A plan that is no longer meant to be carried out."""

    what: str
    verb: str | None
    """None: whatever was to be done with it."""


class MovedOccasion(NamedTuple):
    """An occasion that has another time now."""

    occasion: str
    which: str
    """What tells it from others of its sort; may be empty."""
    is_of_a_sort: bool = True
    """It is called by what sort of occasion it is, else by a name of its own."""


def ends_named(said: PlanText) -> dict[PlanEnding, frozenset[str]]:
    end, change = find_abandoned_plan(said.content), find_moved_occasion(said.content)
    named = {}
    if end is not None:
        named[PlanEnding.CALLED_OFF] = _names_in(end.verb or _VERBS + end.what)
    if change is not None:
        named[PlanEnding.MOVED] = frozenset({change.occasion if change.is_of_a_sort else _TO_COME})
    if (over := find_abandoned_habit(said.content)) is not None:
        named[PlanEnding.GIVEN_UP] = frozenset(over.verb or HABIT_VERBS)
    return named


def means(ending: PlanEnding, end: PlanText, plan: PlanText) -> bool:
    if ending is PlanEnding.MOVED:
        change = find_moved_occasion(end.content)
        return (
            change is not None
            and change.occasion in plan.content
            and change.which in plan.content
            and not is_about_others(end.content, plan.content)
        )
    if ending is PlanEnding.GIVEN_UP:
        over = find_abandoned_habit(end.content)
        return over is not None and names_habit(plan.content, over)
    found = find_abandoned_plan(end.content)
    if found is None or not names_plan(plan.content, found):
        return False
    return not is_about_others(plan.content, end.content)


def names_of_plan(said: PlanText) -> frozenset[str]:
    """The verbs and occasions of what may be a plan."""
    habits = frozenset(HABIT_VERBS) & frozenset(said.content) if is_habit(said) else frozenset()
    ahead = {_TO_COME} if said.to_come and has_chinese(said.content) else frozenset[str]()
    return _names_in(said.content) | habits | ahead


def is_meant(content: str) -> bool:
    """Tell whether the words say that something is to be done, though they don't say when."""
    return _MEANT.search(content) is not None


@lru_cache(maxsize=4096)
def find_abandoned_plan(content: str) -> AbandonedPlan | None:
    for pattern in _NO_LONGER:
        for found in pattern.finditer(content):
            verb = found.groupdict().get("verb")
            what = _BESIDE_WHAT.sub("", found["what"].strip())
            what = what.removeprefix(verb or "")
            least = 1 if verb and not _ON_A_DAY.search(content) else 2
            if len(what) >= least and not _NOTHING.search(what):
                return AbandonedPlan(what, verb)
    return None


@lru_cache(maxsize=4096)
def find_moved_occasion(content: str) -> MovedOccasion | None:
    """The occasion that is said to have another time now."""
    for found in (*_MOVED.finditer(content), *_ANOTHER_DAY.finditer(content)):
        what = found["what"]
        if named := [*_OCCASION.finditer(what)]:
            last = named[-1]
            which = _BESIDE_WHAT.sub("", _WHEN.sub("", what[: last.start()]).strip())
            return MovedOccasion(last.group(), which)
        thing = _BESIDE_WHAT.sub("", _WHEN.sub("", what).strip())
        if found["then"] is not None and len(thing) > 1 and not _NOTHING.search(thing):
            return MovedOccasion(thing, "", is_of_a_sort=False)
    return None


def names_plan(plan: str, end: AbandonedPlan) -> bool:
    """Tell whether this is the plan that was given up."""
    if end.verb is None:
        return end.what in plan
    farthest = _FARTHEST_OF_A_NAME if len(end.what) >= _NAME else _FARTHEST
    between = rf"(?![了过])[^，,。；;]{{0,{farthest}}}?" if len(end.what) > 1 else ""
    return re.search(end.verb + between + re.escape(end.what), plan) is not None


def is_habit(said: PlanText) -> bool:
    return has_chinese(said.content) and (said.recurs or is_habitual(said.content))


def says_nothing_else(content: str) -> bool:
    return re.search(r"[，,；;]", content) is None


def is_about_others(plan: str, end: str) -> bool:
    """Tell whether the plan is of people of whom the end says nothing.

    Who only comes along is none.
    """
    named = {
        found.group()
        for found in _PEOPLE.finditer(plan)
        if not _COMPANION.search(plan, 0, found.start())
    }
    return not named <= set(_PEOPLE.findall(end))


def _names_in(content: str) -> frozenset[str]:
    return frozenset(_VERBS) & frozenset(content) | frozenset(_OCCASION.findall(content))
