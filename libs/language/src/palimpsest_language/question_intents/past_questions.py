"""Recognize questions about the past: about what no longer holds.

Words like "before", 之前 and "original" speak of what no longer holds only where the question
tells of a state that was: "before I leave" and 三点之前 are about what is to come.
"""

import re

from palimpsest_language.vocabulary.pattern_prefilter import AnyPattern

_WHOSE = r"(?:i|we|he|she|they|you|(?-i:[A-Z])\w+|(?:my|our|her|his) \w+)"
_THING = (
    r"(?:job|address|flat|apartment|home|house|city|town|company|employer|boss|manager|phone|car|school(?! friends?)"
    r"|team|title|role|landlord|bank|doctor|dentist|gym|neighbou?rhood|places?(?<!first place)|roommate|flatmate|salary|rent"
    r"|office|workplace|occupation|profession|career|laptop|computer|bike|position)s?"
)
_MATTER = (
    rf"(?:{_THING}|(?:name|number|framework|plan|choice|preference|favou?rite|opinion|decision|idea|diet|hobb(?:y|ie)"
    r"|habit|routine|goal|schedule|password|email|one|setup|stack|editor|language|tool|wife|husband|partner)s?)"
)
_STATE = (
    r"(?:live|living|work(?! (?:with|on|out|through|late|from home|for the))|stay|reside|rent|own|drive|prefer|smoke"
    r"|commute|belong|study|teach|go to (?:school|college|university|church|work)|bank with|call home)"
)
_STATES = (
    r"(?:lived|worked(?! (?:with|on|out|through|late))|stayed|resided|rented|owned|driven|preferred|smoked|commuted"
    r"|studied|taught|dated|been (?:married|engaged|employed|a\b|an\b|vegan|vegetarian|single)|gone to (?:school|college))"
)
_KEPT = (
    r"(?:live|work|be|have|like|love|own|drive|think|believe|prefer|call|play|smoke|drink|eat|go|do|date|study|teach"
    r"|want|hate|take|wear|run|rent|know|listen|watch|read|collect|weigh|commute|keep|stay|see|hang|sing|swim|cycle)"
)
_USED = r"(?:use|have|wear|do|like|eat|drink|play|see|be|weigh|think|want|date|call|get up|train)"

_DATE = r"(?-i:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar(?:ch|\b)|Apr|May\b|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Christmas|Easter|New Year|Thanksgiving|I\b)"

_PAST = AnyPattern(
    (
        # What was done for long, and is over.
        r"\bused to (?!it\b|the\b|this\b|that\b)",
        rf"\bdid(?:n['’]t)? {_WHOSE} (?:ever |always |\w+ly )?use to {_KEPT}\b",
        r"\b(?:previously|formerly|back then|back when|back in the day|in those days|at the time|at that time)\b",
        r"\bin the past\b(?! (?:\w+ )?(?:few|several|couple|hours?|days?|weeks?|months?|years?|\d+))",
        r"\boriginally\b(?! from)|\binitially\b|\bat first\b(?! (?:light|sight|glance|aid))|\bonce (?:was|were|lived|liked|used|worked|had|owned)\b",
        r"\bno longer\b|\banymore\b|(?:n['’]t|\bnot|\bnever)\b.{1,60}\bany more\b(?=\s*(?:[?.!,]|$))",
        r"\bas a (?:kid|child|student|teenager|teen|boy|girl)\b|\bgrow(?:ing)? up\b|\bwhen (?:i|we|she|he) (?:was|were) (?:a|an|young\w*|little|small|in (?:college|school|high school|university)|\d+)\b",
        r"\byears ago\b|\bin my (?:teens|twenties|thirties|forties|youth|childhood)\b",
        # A state, asked for as one that was or has ever been.
        rf"\bdid(?:n['’]t)? {_WHOSE} (?:ever |first |last |originally |already )?{_STATE}\b(?! (?:today|yesterday|last night|tonight)\b)",
        rf"(?<!how long )\b(?:have|has|had|haven['’]t|hasn['’]t) {_WHOSE} (?:ever |already |never |once |previously |all )?{_STATES}",
        rf"\b(?:i|we|he|she|they)(?:['’]ve|['’]d| have| has| had) (?:ever |already |once )?{_STATES}",
        rf"\b(?:did|have|has|had) {_WHOSE} ever (?:{_KEPT}|had|owned|been (?:a|an|to)|used|liked|played|kept)\b",
        rf"\bdid {_WHOSE} (?:stop|quit|give up|leave|resign from|move (?:away |out )?(?:from|of)|switch (?:away )?from|change from)\b",
        rf"\b(?:was|were) (?:my|our|her|his|their|\w+['’]s) (?!last|next|\w+ (?:again|today|yesterday))(?:(?:first|very first|original|initial|childhood|best) )?{_THING}\b(?! (?:again|today|yesterday|last))",
        rf"\b(?:was|were) {_WHOSE} ever\b|\bdid {_WHOSE} once\b",
        # A thing by its being old.
        rf"\b(?:old|previous|former|past|ex)\s+(?:\w+\s+)?{_MATTER}\b(?! friends)",
        rf"\bearlier\s+(?:\w+\s+)?{_MATTER}\b|\blast\s+{_THING}\b(?! (?:visit|game|match|call|bill|party|meeting))",
        rf"\b(?:was|were|did|had)\b.{{0,60}}\b(?:original|initial|first)\s+(?:\w+\s+)?{_MATTER}\b",
        r"\bex-\w+|\b(?:my|her|his|our|their) (?:ex|exes)\b",
        # Before something, of what was the case until then.
        r"\b(?:did|was|were|had|have|has|lived|worked|used|been)\b.{0,80}\b(?:before|prior to) (?:that|this|then|now|i|we|he|she|they|it|moving|switching|changing|joining|coming|becoming|starting|getting|having|going)\b(?! (?:left|go|went|leave|sleep|slept) (?:today|yesterday|this morning))",
        r"\b(?:did|have|has|had|was|were)\b.{0,80}(?<!\bthe day )(?<!\bthe night )\bbefore\s*[?.!]*\s*$",
        rf"\bdid {_WHOSE} (?:{_STATE}|{_USED}|use)\b.{{0,40}}\bbefore (?!{_DATE})(?-i:[A-Z])",
        rf"\b(?:was|were) .{{1,40}} before (?!{_DATE})(?-i:[A-Z])\w+\s*[?.!]*$",
        r"\b(?:did|was|were|had)\b.{0,60}\b(?:until (?:when|recently|then|i|we|she|he))\b|\buntil recently\b",
        # Change itself.
        r"\bhow (?:has|have|did) .{1,60}\bchanged?\b|\b(?:has|have) (?:my|our|her|his|their) .{1,40}\bchanged\b|\b(?:history of (?:my|our|her|his)|my (?:job|work|employment|address|housing) history)\b",
    ),
    re.IGNORECASE,
)

_AHEAD = (
    r"要(?!求|点|是)|需要|该(?!公司)|得(?=[去带交做准买先把])|必须|记得|提醒|别忘|截止|来得及|赶得|还剩|还有|应该|可以|打算|准备|能不能|可不可以"
    r"|下次|明天|后天|下周|下个?月|明年|怎么去|怎么过去"
)
_SPEAKING = r"(?:说|聊|提|讲|讨论|谈|告诉|推荐|建议|列|发给|商量|约|问)"
_BEING = (
    r"(?:住|上班|工作|任职|做什么|干什么|是做|叫什么|用什么|用的|用哪|喜欢|爱|开什么|开的|读什么|在读|上学|念书|租|养|在哪|哪家|哪个公司|哪里"
    r"|什么样|多重|多少|抽烟|喝酒|常|经常|习惯|觉得|是谁|谁|跟谁|和谁)"
)
_THING_CHINESE = r"(?:公司|单位|工作|职业|职位|岗位|地址|住址|房子|房东|小区|城市|家|学校|老板|领导|上司|电话|号码|手机|车|电脑|邮箱|名字|室友|东家|同事|对象|健身房|部门|行业|发型|密码)"

_PAST_CHINESE = AnyPattern(
    (
        # 以前 of a state, and not of a deadline or of what was said.
        rf"(?<![点号日月天周午晚饭年末底初班半分])(?<![0-9])(?:以前|之前|先前|此前)(?!的?消息)(?!(?:你|您|我|我们|咱们)?(?:跟|和|对|给)?(?:你|您|我)?{_SPEAKING})(?![^，。？]{{0,40}}(?:{_AHEAD}))",
        rf"(?:搬|换|来|去|到|结婚|离婚|毕业|跳槽|离职|入职|辞职|转行|当)[^，。？！]{{0,8}}?(?:以前|之前|前)(?![天年几些两面台]|[^，。？]{{0,40}}(?:{_AHEAD}))[^。]{{0,40}}{_BEING}",
        rf"(?:以前|之前)[^，。？]{{0,6}}(?:住|上班|工作)(?![^，。？]{{0,40}}(?:{_AHEAD}))",
        r"从前|曾经|(?<!未)曾(?![经祖孙])|当初|最初|起初|一开始|早先|早年|早些年|前些年|小时候|小的时候|年轻的?时候?|(?:大学|高中|初中|小学|中学|上学|读书|单身)(?:时|的?时候|期间|那会儿?)|那时候?|那会儿?|当年|以往|往年|昔日",
        # 原来 as a word for what was, and not for having understood.
        r"原来(?=的|在|住|叫|用|做|喜欢|是(?:做|在|哪|谁|什么|干)|那|开|养|租|爱)|(?<=[我你他她们妈爸姐哥弟妹])原来(?!如此|这|是这)|原先|原本|本来(?!就)",
        r"(?<![么走开飞坐骑赶])过去(?=的|在|住|是|喜欢|常|用|做|叫|都|一直|爱)(?!的?[一两几三十\d])|(?<=[我你他她们])过去(?!的?[一两几三十\d]|[了吧吗呢？?]|$|看|找|接|拿)",
        # A thing by its being old.
        rf"前任|前一个|前一(?:份|家|任)|上一?(?:份|任|家|套|部)(?!.{{0,3}}(?:报告|文件|邮件))|上一个(?={_THING_CHINESE})|上个(?={_THING_CHINESE})(?!家)",
        r"旧(?:的|地址|公司|房|手机|号码|车|东家|单位|电脑|家|住址)|老(?:地址|东家|单位|房子|号码|公司|住址)",
        r"(?<![面目提之以])前(?:公司|老板|男友|女友|夫(?!人)|妻|东家|单位|同事|领导|房东|女朋友|男朋友|雇主|上司|室友)|第一(?:份|个)(?:工作|公司|单位)",
        # A state that has ever been.
        r"住过|生活过|待过|呆过|租过|养过|(?:上|当|打)过(?:班|老师|兵|工)|工作过|任职过|任过|抽过烟|结过婚|离过婚|谈过(?:几次|多少)?(?:恋爱|对象)|叫过",
        r"(?:做|干)过(?:什么|哪些|几份|哪几份|多少)?(?:样的)?(?:工作|行业|职业|行当)|(?:用|开|换|搬)过(?:什么|哪|几|多少|家|房|工作|公司|手机|车|号|名)|读过(?:什么|哪)?(?:些|个|几|所)*(?:大学|学校|中学|小学)",
        r"不再|戒了|戒掉|停用|换掉|改掉|放弃了|搬走|离开的",
        r"[我他她们][^，。？！]{0,12}变化|变过|改过|变了(?:多少|什么|哪)",
    )
)


def asks_about_the_past(question: str) -> bool:
    """Return whether what no longer holds is asked for, as in "where did I use to live"."""
    return _PAST.stands_in(question) or _PAST_CHINESE.stands_in(question)
