"""Preferred names: 叫我建国就行, 喊我老李. To be called for something is another matter."""

import re

from palimpsest_language.facts.chinese.shared_patterns import refine_plain
from palimpsest_language.facts.rule import MatchGroups

_CALL = r"(?:叫|喊|称呼?|管)我(?:叫|做|作|为)?"
_NO_NAME = (
    r"(?!一[声下起个会]|起[床来]"
    r"|[吃喝去来过出开回看买拿取带接送打交睡醒下上帮办写走洗跑练听读提收搬等记别不没先再给把在到用从跟和因该干签订]"
    r"|我|你|他|她|它|的|时|什么|啥|怎么|滚|加班|订|试|想|要|赶|准备|做|换|抢|名字|声|出门|醒|加"
    r"|早|多|少|小心|大声|轻|快|慢)"
)
"""What one is to do then, or that one is called at all."""
_ENOUGH = r"(?:就行|就好|就可以|就成|就得了|即可|就够了|好了|得了|就是|吧)"
_SHAPED_LIKE_ONE = (
    r"(?:[小老阿大][\u4e00-\u9fff](?![\u4e00-\u9fff])|[\u4e00-\u9fff]{1,2}"
    r"(?:哥|姐|总|工|叔|姨|爷|婶|老师|医生|师傅|同学|先生|女士|小姐|太太)(?![\u4e00-\u9fff])"
    r"|[A-Za-z][\w.·-]*)"
)
IS_CALLED = (
    rf"{_CALL} ?(?:{_SHAPED_LIKE_ONE}|{_NO_NAME}[\u4e00-\u9fff·]{{2,6}}?{_ENOUGH}"
    r"(?=[了啦呀啊哦]?\W*(?:$|[，,。；;！!、 ])))"
)
"""By the look of the name, or because that is enough."""

_ASKS_TO_BE_CALLED = (
    r"(?:^|(?<=[，,。；;！!、 ]))(?:你们?|您|大家|那|就|也|都|请|可以|还是|直接|以后|今后|往后"
    r"|平时|从今以后|改回|麻烦"
    r"|(?:在|到)[你咱]?这(?:儿|里|边|个?(?:对话|聊天)里?)?|(?:跟|和)你聊天?(?:的时候|时)?)*"
)
ASKS_TO_BE_CALLED = rf"{_ASKS_TO_BE_CALLED}{_CALL} ?{_NO_NAME}<NAME>"
_NAME = re.compile(r"[A-Za-z\u4e00-\u9fff]")
_BEHIND_THE_NAME = re.compile(rf"{_ENOUGH}[了啦呀啊哦]?$")


def refine_preferred_name(groups: MatchGroups) -> MatchGroups | None:
    """A name, and nothing that one is called for."""
    name = _BEHIND_THE_NAME.sub("", groups["value"])
    return refine_plain({**groups, "value": name}) if _NAME.search(name) else None


def refine_family_and_given_name(groups: MatchGroups) -> MatchGroups | None:
    """Both in one name: 姓诸葛，单名一个瑾字."""
    tidied = refine_plain(groups)
    return tidied and {**tidied, "value": f"{tidied['family']}{tidied['value']}"}
