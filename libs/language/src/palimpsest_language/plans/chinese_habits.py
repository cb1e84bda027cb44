"""Habits in Chinese, and their end: 烟我不抽了, 戒奶茶了, 不跑昆明那条线了. Pure.

“不抽了” of this evening ends no habit: what is only left out today, or said on the way to bed,
tells of one time.
"""

import re
from functools import lru_cache
from typing import NamedTuple

HABIT_VERBS = "抽喝吃玩打练上学跑看养用坐骑"
_VERB = f"[{HABIT_VERBS}]"
_LED_BY = r"(?:用户|自己|我们?|就|也|都|还是|决定|已经|现在|彻底|再也|以后|从此|全|真的?)*"
_WHAT = r"(?P<what>[^，,。；;！!？?\s不没]{1,10}?)"
_BEGIN = r"(?:^|(?<=[，,。；;！!\s]))"
_OVER = r"(?=$|[，,。；;！!\s])"
_GIVEN_UP = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_BEGIN}{_WHAT}{_LED_BY}不(?:再)?(?P<verb>{_VERB})了{_OVER}",
        (
            rf"(?<![想该能要会舍])不(?:再)?(?P<verb>{_VERB})"
            rf"(?P<what>[^，,。；;！!？?\s了]{{1,10}}?)了{_OVER}"
        ),
        rf"不再(?P<verb>{_VERB})(?P<what>[^，,。；;！!？?\s了]{{1,10}}?){_OVER}",
        rf"{_BEGIN}{_WHAT}{_LED_BY}戒(?:掉)?了{_OVER}",
        rf"{_BEGIN}{_LED_BY}戒(?:掉了?|了)?(?P<what>[^，,。；;！!？?\s了]{{1,8}}?)了?{_OVER}",
    )
)
_AROUND_WHAT = re.compile(
    r"^(?:那|这|我们?|用户)(?:个|条|种|家|些)?的?|(?:[那这](?:个|条|种|家|些)?.{0,2}|这?[一]?块)$"
)
_NO_THING = re.compile(r"^(?:[他她它你谁]|什么|哪|东西|[早午晚]饭|班$|车$|住$|下去|起来?$|完)")
_THIS_TIME = re.compile(
    r"(?<!从)今[天晚早](?!起|开始)|明[天早晚]|后天|这[次顿周]|下次|周[一二三四五六日天末]|暂时|先"
    r"|改天|睡|困|饱|来[杯个点]|太[晚累贵]|一会|没[货空]"
)
_HABITUAL = re.compile(
    r"每|天天|平时|平常|经常|常常|总是|一直|从来|主要|只(?=[抽喝吃玩打跑用])|最爱|喜欢|一[天周]"
    r"|周[一二三四五六日天末]|礼拜"
    r"|了[一二三四五六七八九十两几百\d]+(?:多)?年|[坐骑开][^，,。；;！!？?\s]{1,6}"
    r"(?:上下?班|上学|通勤)"
)
_FARTHEST = 6
"""Characters between what is done and with what: 跑绵阳到昆明, 奶茶只喝三分糖."""


class AbandonedHabit(NamedTuple):
    """A habit that is given up."""

    what: str
    verb: str | None
    """None: whatever was done with it."""


@lru_cache(maxsize=4096)
def find_abandoned_habit(content: str) -> AbandonedHabit | None:
    if _THIS_TIME.search(content):
        return None
    for pattern in _GIVEN_UP:
        for found in pattern.finditer(content):
            verb = found.groupdict().get("verb")
            what = _AROUND_WHAT.sub("", found["what"]).removeprefix(verb or "")
            if what and not _NO_THING.search(what) and (verb or len(what) > 1 or what in "烟酒"):
                return AbandonedHabit(what, verb)
    return None


def is_habitual(content: str) -> bool:
    return _HABITUAL.search(content) is not None


def names_habit(habit: str, over: AbandonedHabit) -> bool:
    """Tell whether this is what is no longer done."""
    what, between = re.escape(over.what), rf"[^，,。；;]{{0,{_FARTHEST}}}?"
    if over.verb is None:
        return re.search(rf"{_VERB}{between}{what}|{what}{between}{_VERB}", habit) is not None
    if len(over.what) == 1:
        return over.verb + over.what in habit
    return re.search(rf"{over.verb}{between}{what}|{what}{between}{over.verb}", habit) is not None
