"""Clauses not worth keeping: the weather, what is soon over, what only the talk could name."""

import re

from palimpsest_language.statements.kind_cue import compile_any

_WEATHER = (
    r"^(?:(?:what|such|it's|it is|an?|the|really|very|so|quite|another) )*(?:"
    r"(?:nice|lovely|beautiful|great|gorgeous|sunny|fine|awful|horrible|terrible|miserable|grim"
    r"|rainy) (?:weather|day|morning|evening|afternoon)|weather)"
    r"(?:(?:'s| is| was| has been)(?: (?:so|really|very|quite|pretty|too|just))* "
    r"(?!warning|app|station)\w+)?(?:,? (?:today|out|outside|here|there|again|now|at last|this "
    r"morning|isn't it|innit|huh|eh))*$"
)

_SOON_OVER = (
    r"^(?:(?:my|the|our|next) )?(?:shift|class|meeting|call|lesson|bus|train|break|lunch|movie"
    r"|film|game|show|lecture|it|match) "
    r"(?:starts?|begins?|is|leaves|ends?|finishes) in (?:an?|half an|a few|five|ten|fifteen"
    r"|twenty|two|three|\d+) ?(?:hours?|minutes?|mins?)$"
)

_NEARLY = (
    r"^(?:I|we)(?: (?:just|literally|totally|actually|also))* (?:nearly|almost) "
    r"(?!every|always|never|all\b)\w+(?!.*(?:\d|(?-i: [A-Z])))"
)

_COMES_TO = (
    r"^(?:that|it|this)(?:'ll| will| would|'d) be (?:like |about |around |roughly "
    r")?[£$€]?\d[\w., ]{0,20}$"
)

_ENGLISH_SMALL_TALK = compile_any(
    _WEATHER,
    _SOON_OVER,
    _NEARLY,
    _COMES_TO,
    (
        r"^(?:I|we) (?:dunno|(?:kind of |sort of |just )?feel like "
        r"(?:something|it|this|everything))\b|^(?:he|she|they) (?:always |often )?(?:says?|said) "
        r"(?:that|this|it|so)\b"
    ),
    (
        r"^(?:I|we)(?:'m| am)?(?: just| really| also| keep)* (?:forgetting|know|guess|think|mean"
        r"|see(?! (?:an?|the|my|our|him|her|them|\w+ (?:on|every|once|twice))\b)|wonder|suppose"
        r"|agree|understand|get it|was (?:just )?wondering|forgot|hear you|sorry|glad|sure|"
        r"(?:back|here|done|good)(?! (?:at|in|with (?!it|that|this)|on|from|for|to) ?\w)|fine|ok"
        r"|okay|kidding|joking)\b"
    ),
    (
        r"^(?:looks|sounds|seems|feels|leave (?:it|that)|(?:either|both|whatever|anything) "
        r"(?:is|are|works?)|here we go|as you (?:like|wish)|your call|up to you)\b"
    ),
    (
        r"^(?:that|this|it|those|these)(?!.*(?:\d|(?-i: [A-Z])))"
        r"(?:'s|'re| is| was| are| were| sounds?| looks?| works?| makes?| would| will)? "
        r"(?!me\b)\S*(?: \S+){0,4}$"
    ),
    r"^(?:I|we) (?:said|told you)\b",
    (
        r"^(?:(?:two|three|a few|a couple of|couple of|some) (?:things?|notes?|questions?"
        r"|changes?)|brain dump|not gonna lie|happy new year|no idea|no worries|no problem|way "
        r"too|(?:not bad[ ,]*)+$|go on|go ahead|got it|will do|all (?:noted|good|set)|good "
        r"(?:morning|night|evening|luck)|have a|see you|talk soon|I'?m off"
        r"(?! on| sick| work| until| from| to))\b"
    ),
    (
        r"^(?:(?:I|we)(?:'ve)? )?(?:just |finally )?(?:found|got|solved|fixed|saw|see|tried|did) "
        r"(?:it|that|this)(?:,? (?:thanks|thank you|now|already|thx))?$"
    ),
    (
        r"^(?:I|we) (?:don't|do not|didn't|did not|can't|cannot) "
        r"(?:buy|believe|care|mind|remember|recall)(?: (?:it|that|this|so|about it))?$|^"
        r"(?:just |only |so |pretty |a bit )*(?:tired|sleepy|bored|hungry|exhausted|busy"
        r"|stressed)$"
    ),
    (
        r"^(?:no|nah|nope),? (?:thank|need|worries|rush)\b|^(?:no|nah|nope),? (?:that|it|this)"
        r"(?:'s| is| was)\b|^(?:I(?:'ve)? )?changed my mind\b|^(?:and |so )?there "
        r"(?:we|you|I|it) (?:go|goes)\b|^(?:I|we)(?:'m| am|'re| are| was| were| had been|'d been"
        r"|'ve been)? (?:halfway|fall(?:ing)? asleep|fell asleep|thinking|wondering|dreading|out "
        r"there|still waiting|over the moon|on it|in bits|done for)\b|^(?:I|we)"
        r"(?:'ve| have| had)? (?:got )?no (?:proof|time|energy|words|choice|patience|regrets"
        r"|complaints)\b|^you(?:'ve| have) (?:got )?(?:the|a|an|it|me|us)\b|^(?P<again>\w+)(?: "
        r"(?P=again))+$|^(?:I|we) (?:write|wrote|am writing) (?:this|that|it)\b|\bgot back to "
        r"(?:me|us)$|^(?:first|second|third|fourth|last) time (?:now|today|this)\b|\bbe to god\b"
        r"|^[\w ]{3,40} attached$"
    ),
    (
        r"\bthis (?:morning|week|today) (?:was|is) (?:\w+ ){0,2}"
        r"(?:rubbish|awful|great|good|bad|long|tough)\b|^today was\b|\bnot even\b"
    ),
)

_OF_NOTHING = compile_any(
    _WEATHER,
    (
        r"^(?:I|we) (?:really |just |kind of |totally |absolutely )*(?:"
        r"(?:don't|do not|didn't|can't|cannot|won't) )?(?:buy|believe|care|mind|like|love|hate"
        r"|want|prefer|enjoy)(?:d|s)?(?: (?:it|that|this|so|them|one|those|both))?$"
    ),
    (
        r"^(?:not bad[ ,]*)+$|^(?:no|not) (?:really|thanks|at all)$|^"
        r"(?:love|like|hate|loved|liked) (?:it|that|this)$"
    ),
    r"^(?:听起来|看起来|好像|感觉)(?:还|挺|很|也)?(?:不错|可以|好吃|有意思|好)(?:的|啊|呢)?$",
    (
        r"^(?:反正)?我?(?:也|都|挺|还是|反正)*不?(?:太|怎么|是很)?(?:信|喜欢|爱|想要|在意)"
        r"(?:它|这个|那个|这些)?[的了啊]?$"
    ),
)

_CHINESE_SMALL_TALK = compile_any(
    (
        r"^(?=.)[哦哈]*(?:(?:好|嗯|噢|行|对|是|可以|收到|明白|了解|没事|没问题|谢|辛苦|困|累|饿"
        r"|早|晚安|再见|拜|完了|天哪|救命|笑死|气死|吓死|无语|算了|搞定|说一下|那个|记一下|忘了"
        r"|没办法|长知识|没有没有|在吗|不急|慢慢来|还好|先这样|就这样|知道了|懂了|没错|真的|厉害"
        r"|牛|等下|呃等下|先不用|怪不得|难怪|我靠|卧槽|天啊|妈呀|好家伙"
        r"|绝了)[的了啊呀吧呢哈嘿滴哦~～\s]*)*$"
    ),
    (
        r"^(?:哈哈|嘿嘿|呵呵|嗯嗯|哎|唉|呜)+.{0,3}$|^你(?:说|觉得|知道|看)|^我(?:说的|看"
        r"(?:挺|还|不)|懂了|知道|明白|试试|看看|想想|再想)|^是(?:我|他|她).{1,5}的$|^(?:也|就)?是"
        r"(?:这么|这样|那么|那样)(?:打算|想|计划|安排|说|觉得)的?$|^(?:那|还是|就)*算了|^"
        r"(?:今天|明天|本周|这周|这次)?要(?:干|做|办|买|带|准备)的(?:事|事情|东西)?$|"
        r"(?:今天|这次|本次)?要有(?:结论|结果)$|得(?:想哭|要命|不行了)$|^(?:没什么|没啥|没事)"
        r"(?:了|大事|事)?(?: ?就是.{0,6})?$|就是?想?(?:来)?(?:吐槽|聊聊|说说|发泄)"
        r"(?:一下|两句)?$|^(?:这|那|他|她|它|房东|老板|领导|公司|客户|同事|天气|生活|自己|今天)?"
        r"(?:们)?(?:也|又)?(?:真|太|好|超|可|挺|够|有点)"
        r"(?:的|是)?[\u4e00-\u9fff]{1,3}[了啊的呀吧]?$|真的会谢|^"
        r"(?:我|又|突然|还是|已经|现在)*改变?(?:主意|想法|决定)(?:了|啦|咯)?$|^.{0,4}"
        r"(?:栓Q|绷不住了?|裂开了?|破防了?|麻了|emo了?)$|^(?:今天)?(?:这)?天气?.{0,6}"
        r"(?:太|真|好|够).{1,5}$|^(?:今[天儿早晚]|外[面头]|这几天|这两天|最近|这边|这里|的)*"
        r"(?:天气?|太阳|阳光|空气)(?:真|很|挺|还|也|太|好|够|可|蛮|有点|是|非常)*"
        r"(?:不错|不好|好|热|冷|晴|闷|凉快?|舒服|暖和|差|糟).{0,2}$|^你?(?:就)?"
        r"(?:给我|帮我|替我)?(?:记|列|加|建|设)(?:一?个|一下)?(?:待办|提醒|日程|清单)$"
        r"|^[^我]{0,6}(?:脸|人|整个人)都(?:绿|麻|傻|懵|黑|呆)了$|^.{0,8}"
        r"(?:笑死|气死|笑醒|累死|困死|烦死).{0,10}$|(?:都|也|总是?|老是?)这么(?:说|讲|想)|^"
        r"(?:听起来|看起来|(?:今[天晚]|今儿)?(?:就|先)到这|(?:好|我|真)?"
        r"(?:累|困|饿)了.{0,6}先|不好意思|这个不好)"
    ),
)

_AGENDA = re.compile(
    r"要有?(?:个)?(?:结论|结果|说法)$|^(?:今天|明天|本周|这周|这次)?要(?:干|做|办|买|带|准备)的"
    r"(?:事情?|东西)?$"
)


def is_agenda(text: str) -> bool:
    """Return what is to be talked about, and not yet what was said of it: 今天要有结论."""
    return _AGENDA.search(text) is not None


def is_taste_without_object(text: str) -> bool:
    """A taste for what only the talk itself could name: "I don't buy it"."""
    return _OF_NOTHING.search(text) is not None


def is_small_talk(text: str, *, chinese: bool) -> bool:
    return bool((_CHINESE_SMALL_TALK if chinese else _ENGLISH_SMALL_TALK).search(text))
