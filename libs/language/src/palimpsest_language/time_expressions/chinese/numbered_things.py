"""Numbers with 号 that count things: 座位是12号, D区17号, 蓝鲸七号 are no days of a month.

Behind 月 号 is always a day. Alone it is one in the place of a time: at the beginning of a clause,
behind a word that leads to a time, beside what takes place, or before what is done then.
"""

import re

_LONGEST_CLAUSE = 30
_CLAUSE_ENDS = re.compile(r"[，,。；;！!？?：:、（）()\s]")
_EDGE = r"(?:$|[，,。；;！!？?、）)\s])"
_ENDS_BEHIND = re.compile(rf"(?:{_EDGE}|[了的吧呢啊哦]{_EDGE})")
_NUMBERED = re.compile(
    r"(?:座位|座|柜子?|车位|泊位|库位|机位|工位|摊位|展位|床位|铺位|区|栋|幢|楼|层|单元|门牌|桌子?"
    r"|排|列|箱子?|窗口|柜台|诊室|教室|会议室|包间|包厢|包房|房间|房|宿舍|口令|暗号|密码|代号|编号"
    r"|号码牌?|号牌|球衣|考场|考号|考位|站台|登机口|出口|入口|跑道|泳道|球员|选手|鞋柜|信箱|快递柜"
    r"|货架|架子|仓库|码头|泊车位|停车位|[A-Za-z])"
    r"(?:现在|应该|还)?(?:是|为|在|叫|换成|换到|换了|改成|选了|选的是|抽到|分到|拿到)?的?$"
)
"""Things that bear numbers, right before the number or with a verb between."""
_DRAWN = re.compile(r"(?:抽|抽到|拿到|领到|叫到|分到|轮到|坐|停在|排在?|住在?|编为)了?$")
"""A lot, a seat or a place in a queue, where nothing behind the number says what is done then."""
_LEADS_TO_TIME = re.compile(
    r"(?:^|[在到从至于等定改约过和或跟与起底初前后天周月日号我你他她们您咱家就才都还要是为那这"
    r"~～—–-])$"
)
_TAKES_PLACE = re.compile(
    r"生日|会|日[期子]?|时间|期|截止|截至|到期|最晚|最迟|之前|婚礼|结婚|面试|[笔考]试|体检|产检|手术|航班"
    r"|机票|火车|高铁|发布|上线|出发|启程|开学|放假|开工|入职|离职|还款|还贷|缴|交|发工资|工资|房租"
    r"|预产|忌|演出|比赛|聚|饭局|约|复诊|复查|账单|搬|回[来家国去]|[来去走]|开始|结束|开业|开播|开幕"
    r"|ddl|deadline|周[一二三四五六日天]|星期|礼拜|下个?月|这个?月|本月|上个?月|[0-9]号",
    re.IGNORECASE,
)


def is_numbered_thing(text: str, start: int, end: int) -> bool:
    """Tell whether the number with 号 from start to end counts a thing and names no day."""
    low = max(0, start - _LONGEST_CLAUSE)
    begins = max((edge.end() for edge in _CLAUSE_ENDS.finditer(text, low, start)), default=low)
    before = text[begins:start]
    if _NUMBERED.search(before):
        return True
    if not _ENDS_BEHIND.match(text, end):
        return False
    if _TAKES_PLACE.search(before):
        return False
    return bool(_DRAWN.search(before)) or not _LEADS_TO_TIME.search(before)
