"""What one person says, in Chinese or English, and what there is to remember of it.

The lying model reads the same table backwards, so that what it answers depends
on nothing but what was said.
"""

import re
from dataclasses import dataclass

THINGS = ("notebooks", "teapots", "bicycles", "records", "maps", "lamps")
ROOMS = ("attic", "kitchen", "cellar", "hallway", "workshop")
TASTES = ("tea", "film", "walk")
THINGS_ZH = ("笔记本", "茶壶", "自行车", "唱片", "地图", "台灯")
ROOMS_ZH = ("阁楼", "厨房", "地下室", "走廊", "工作室")
TASTES_ZH = ("茶", "电影", "散步")


@dataclass(frozen=True)
class Saying:
    """One form of words: what is said, what is remembered of it, and of which attribute."""

    said: str
    remembered: str
    attribute: str | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(self.said)))


OWNS = {
    "en": Saying(
        "I keep {number} {what} in the {where}.", "The user keeps {number} {what} in the {where}."
    ),
    "zh": Saying("我的{where}里有{number}件{what}。", "用户的{where}里有{number}件{what}。"),
}
LIKES = {
    "en": Saying(
        "My favourite {what} is number {number} now.",
        "The user's favourite {what} is number {number}.",
        "favourite_{what}",
    ),
    "zh": Saying(
        "我现在最喜欢的{what}是第{number}号。",
        "用户最喜欢的{what}是第{number}号。",
        "favourite_{what}",
    ),
}
SAYINGS = (*OWNS.values(), *LIKES.values())


@dataclass(frozen=True)
class Understood:
    content: str
    attribute: str | None
    value: str | None


def understood(text: str) -> Understood | None:
    """What there is to remember of these words; None where there is nothing."""
    for saying in SAYINGS:
        if match := saying.pattern.fullmatch(text):
            said = match.groupdict()
            about = saying.attribute
            return Understood(
                content=saying.remembered.format(**said),
                attribute=about and about.format(**said),
                value=said["number"] if about else None,
            )
    return None
