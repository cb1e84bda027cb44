"""Phrases of agents that are no memory.

Acknowledgements, offers, explanations, advice, kindness.
"""

from palimpsest_language.statements.kind_cue import compile_any

_ACKNOWLEDGEMENT = compile_any(
    (
        r"^\W*(?:ok(?:ay)?|got it|noted|understood|sure|done|will do|of course|great|thanks|all "
        r"noted|it's (?:down|in|set|saved|noted|booked)\b(?= |$|:)|down:|absolutely|certainly"
        r"|happy to|i(?:'ll| will) (?:remember|keep|note|remind|ping|nudge|poke)|i've noted|fair|"
        r"(?:trimmed|moved|changed|cancelled|canceled|added|saved|set|updated"
        r"(?!:)|removed|deleted|exported|rescheduled|booked|sent|replaced|rewritten|renamed"
        r"|switched|ticked|scheduled|logged|dropped it))\b"
    ),
    (
        r"^\W*(?:mon|tues|wednes|thurs|fri|satur|sun)day\b[^.:]{0,24}"
        r"(?:\d ?[ap]\.?m\b|\d:\d\d|noon|\bat \d{1,2}\b)[.,:]* "
    ),
    (
        r"^\W*(?:(?:the |your )?(?:reminder|alarm|event|appointment|task|surgery|meeting|dentist"
        r"|call)s? (?:is |are |has been )?(?:set|added|saved|moved|booked|cancelled|updated)"
        r"|updated: .*(?:\bday\b|day\b|\d ?[ap]m\b))"
    ),
    (
        r"^\W*(?:好(?:的|呀|啊|滴)?|明白|收到|没问题|记住了|记下了|知道了|了解|可以|当然|嗯|行"
        r"|已经?(?:更新|记|改|按|删|加|设)|记[好住下]|抱歉|对不起|是的|不客气|搬家辛苦)"
    ),
)

_OFFERS = compile_any(
    (
        r"^(?:I|we) (?:can|could|would|may|might|will|'ll)(?: also| certainly| gladly)? "
        r"(?:offer|help|assist|arrange|apply|refund|issue|waive|send you|give you|set you|look "
        r"into|show you|walk you)\b"
    ),
    (
        r"^(?:我|我们|这边)?(?:可以|能|会|将|来)(?:先|再|马上|立即)?(?:为|帮|给|替)(?:您|你)|^"
        r"(?:您|你)可以|^(?:如果|若)?需要(?:的话)?(?:我|您|你)"
    ),
)
"""What an agent could do, if one liked."""

_EXPLAINS = compile_any(
    r"^because\b|\b(?:chance of (?:rain|snow)|forecast|degrees outside)\b|^因为|降水|气温"
    r"|天气预报|多云|晴转"
)

_ADVISES = compile_any(
    r"\b(?:would|might|may|should) (?:help|be better|do (?:you|him|her|them) good)\b",
    r"(?:会|能)(?:更|比较)?(?:好些|好一?点|好很多|舒服|轻松|有帮助)|比较(?:好|稳妥)$|(?:更|最)好$",
)

_WISHES_WELL = compile_any(
    (
        r"^(?:真是|真(?:不容易|好|棒|厉害|有|会|的(?:很|太|是))|太|多么|好"
        r"(?:有|厉害|棒|贴心|温馨)|不愧|难怪|怪不得|哇|听起来|恭喜|祝)(?!.*\d)"
    ),
    (
        r"^(?:也|平时|一定|千万|还是)*(?:要|得)?(?:记得|别忘了?|注意(?!到)|多|少|按时|定期)"
        r"(?!.*\d).*(?:吃药|服药|休息|喝水|血压|血糖|身体|保暖|睡|吃饭|运动|锻炼|复查|熬夜|饮食"
        r"|添衣|穿|安全|健康|放松|拉伸|体检)"
    ),
)

_FOUND_OUT = compile_any(
    (
        r"\b(?:lesson|conclusion|cause|caused by|reason|note|found|measured|ran|tested|checked"
        r"|logs?|data|rows?|runs?|results?|reproduced|won|in total|compared|turns out|root"
        r"|culprit)\b|\d ?(?:%|ms|MB|GB)"
    ),
    (
        r"教训|结论|经验|原因|注意|坑|查[到了出]|[看跑测试]了|发现|实测|日志|数据|结果|多半|复现"
        r"|压测|对比|\d ?(?:%|ms|MB|GB|毫秒)"
    ),
)

_KEPT_OF_ACKNOWLEDGEMENT = compile_any(
    r"\b(?:lesson|decision|conclusion|agreed)\b|\bI'll\b.*\bby\b",
    (
        r"教训|结论|决定|里程碑|定[为在]|(?:那就|就)(?:这么)?定了|敲定|拍板|前"
        r"(?:给|提|交|准备|完成)|由.{1,12}(?:准备|负责)"
    ),
    (
        r"^(?!.*(?:已|提醒|帮你|为你|给你))(?:.{0,8}，)?(?:今晚|明[天早晚]|后天"
        r"|下?周[一二三四五六日天末]|\d+ ?[号日]|月底).{0,10}(?:给|交|提|出|修|上线|搞定|发|完成"
        r"|弄好|压测|合并|验证|部署|测完|改完|写完|补完)"
    ),
)


def is_acknowledgement(sentence: str, text: str) -> bool:
    """An agent says again what it was told."""
    if _KEPT_OF_ACKNOWLEDGEMENT.search(text):
        return False
    return _ACKNOWLEDGEMENT.search(sentence) is not None


def is_explanation(text: str) -> bool:
    """Return what an agent knows of the world, told because somebody asked."""
    return _EXPLAINS.search(text) is not None


def is_advice(text: str) -> bool:
    """前一晚早点睡会好些: what would do somebody good."""
    return _ADVISES.search(text) is not None


def is_wellwishing(text: str) -> bool:
    """记得按时吃药, 真是分工明确的一家人: what an agent says to be kind, with no figure in it."""
    return _WISHES_WELL.search(text) is not None


def is_finding(text: str) -> bool:
    """By looking, counting or measuring, or marked as what matters of an answer."""
    return _FOUND_OUT.search(text) is not None


def is_offer(text: str) -> bool:
    """An agent says what it could do."""
    return _OFFERS.search(text) is not None
