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
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.plans.chinese_habits import (
    HABIT_VERBS,
    find_abandoned_habit,
    is_habitual,
    names_habit,
)
from palimpsest_language.plans.plan_text import PlanEnding, PlanText
from palimpsest_language.rule_tables import forget_when_switched, read_pieces

MEANT_IN_WORDS = frozenset(select_kinds(lambda kind: kind.times.is_plannable))
"""Kinds that may state a plan. Facts are left out: 会开车 is an ability."""

_VERBS = read_pieces("plans/chinese_plans")["VERBS"]
_OCCASIONS = (
    "手术|体检|面试|考试|婚礼|例会|评审|复查|聚餐|聚会|饭局|比赛|演出|答辩|年会|看牙|拔牙|直播"
    "|发布会|家长会|培训|讲座"
    "|电影|演唱会|签约|开业|交房|上线|旅行|旅游|出差|航班|火车|机票|会议|检查|预约|约会|露营|搬家"
    "|装修|团建"
)
_OCCASION = re.compile(_OCCASIONS)
_PHRASES = read_phrases("plans/chinese_plans")
_BESIDE_WHAT, _WHEN = _PHRASES["beside_what"], _PHRASES["when"]

_TO_COME = "to come"
"""The common name of everything with a day to come, under which a move finds a plan of its name."""
_PEOPLE = re.compile(
    r"老伴儿?|老婆|老公|妻子|丈夫|太太|女朋友|男朋友|对象|儿子|女儿|孩子|爸|妈|父亲|母亲|爷爷"
    r"|奶奶|外公|外婆|姥姥|姥爷|岳父|岳母|丈母娘|公公|婆婆"
    r"|哥|姐|弟|妹|叔|姨|舅|姑|朋友|同事|室友|闺蜜|老板|领导|同学|邻居|侄|外甥|孙"
)
_COMPANION = re.compile(r"(?:和|跟|与|陪|带着?|同)(?:着)?(?:用户|自己|我们?)?的?$")
_FARTHEST = 3
"""The most characters between a verb and its object: 去一趟云南."""
_FARTHEST_OF_A_NAME = 8
"""The same before a name of three characters or more: 考宠物美容师A级证."""
_NAME = 3
_POINTS = re.compile(r"的?(?:[那这](?:一?[个趟次场回件顿])?)(?:的)?|的")
"""Words between the parts of a reference."""
_PART = 2


class AbandonedPlan(NamedTuple):
    """A plan that was abandoned."""

    what: str
    verb: str | None
    """The verb of the plan; None for any."""


class MovedOccasion(NamedTuple):
    """An occasion with a new time."""

    occasion: str
    which: str
    """Words that tell it from others of its sort; may be empty."""
    is_of_a_sort: bool = True
    """True if it is named by its sort of occasion, not by a name of its own."""


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
            and _names_thing(plan.content, change)
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
    """Return the verbs and occasions by which a plan may be named."""
    habits = frozenset(HABIT_VERBS) & frozenset(said.content) if is_habit(said) else frozenset()
    ahead = {_TO_COME} if said.to_come and has_chinese(said.content) else frozenset[str]()
    return _names_in(said.content) | habits | ahead


def is_meant(content: str) -> bool:
    """Tell whether the words state an intention, even without a time."""
    return _PHRASES["meant"].search(content) is not None


@forget_when_switched
@lru_cache(maxsize=4096)
def find_abandoned_plan(content: str) -> AbandonedPlan | None:
    for match in _PHRASES["plan_is_off"].finditer(content):
        verb = match.groupdict().get("verb")
        what = _BESIDE_WHAT.sub("", match["what"].strip())
        what = what.removeprefix(verb or "")
        least = 1 if verb and not _PHRASES["on_a_day"].search(content) else 2
        if len(what) >= least and not _PHRASES["nothing"].search(what):
            return AbandonedPlan(what, verb)
    return None


@forget_when_switched
@lru_cache(maxsize=4096)
def find_moved_occasion(content: str) -> MovedOccasion | None:
    """Return the occasion that gets a new time; None without one."""
    for match in _PHRASES["plan_is_moved"].finditer(content):
        what = match["what"]
        if named := [*_OCCASION.finditer(what)]:
            last = named[-1]
            which = _BESIDE_WHAT.sub("", _WHEN.sub("", what[: last.start()]).strip())
            return MovedOccasion(last.group(), which)
        thing = _BESIDE_WHAT.sub("", _WHEN.sub("", what).strip())
        if match["then"] is not None and len(thing) > 1 and not _PHRASES["nothing"].search(thing):
            return MovedOccasion(thing, "", is_of_a_sort=False)
    return None


def _names_thing(plan: str, change: MovedOccasion) -> bool:
    """Tell whether a plan has what is moved: 取干洗的衣服 has 取衣服."""
    if change.occasion in plan or change.is_of_a_sort or len(change.occasion) < _NAME:
        return change.occasion in plan
    between = f"[^，,。；;]{{0,{_FARTHEST}}}?"
    return re.search(between.join(map(re.escape, change.occasion)), plan) is not None


def names_plan(plan: str, end: AbandonedPlan) -> bool:
    """Tell whether this is the abandoned plan."""
    if end.verb is None:
        return end.what in plan or _names_parts(plan, end.what)
    farthest = _FARTHEST_OF_A_NAME if len(end.what) >= _NAME else _FARTHEST
    between = rf"(?![了过])[^，,。；;]{{0,{farthest}}}?" if len(end.what) > 1 else ""
    return re.search(end.verb + between + re.escape(end.what), plan) is not None


def _names_parts(plan: str, what: str) -> bool:
    """Tell whether a plan contains all parts of a reference: 长春那个出差, 去长春出差."""
    parts = [part for part in _POINTS.split(what) if part]
    if len(parts) < 2 or any(len(part) < _PART for part in parts):
        return False
    return re.search(".*?".join(map(re.escape, parts)), plan) is not None


def is_habit(said: PlanText) -> bool:
    return has_chinese(said.content) and (said.recurs or is_habitual(said.content))


def says_nothing_else(content: str) -> bool:
    return re.search(r"[，,；;]", content) is None


def is_about_others(plan: str, end: str) -> bool:
    """Tell whether the plan is about people whom the ending does not name, besides companions."""
    named = {
        match.group()
        for match in _PEOPLE.finditer(plan)
        if not _COMPANION.search(plan, 0, match.start())
    }
    return not named <= set(_PEOPLE.findall(end))


def _names_in(content: str) -> frozenset[str]:
    return frozenset(_VERBS) & frozenset(content) | frozenset(_OCCASION.findall(content))
