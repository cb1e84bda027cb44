"""Whether a question refers to an earlier conversation with the assistant. A pure rule.

What was said between the two of them can be looked up; what was said to a
boss, a doctor or a mother is life, and a matter for memories like any other.
"""

import re

_TALK = (
    r"(?:talk(?:ed|ing)?|discuss(?:ed|ing)?|sp(?:oke|oken|eak)|chat(?:ted|ting)?|agree[ds]?(?: on)?"
    r"|decided|settled|cover(?:ed)?|went over|gone over|c[ao]me up with|work(?:ed|ing) on|plann?(?:ed|ing)"
    r"|brainstorm(?:ed|ing)?|sketch(?:ed)?|draft(?:ed)?|outlin(?:ed?|ing)|mention(?:ed)?|said|saying|go over"
    r"|say|looked at|landed on|left off|left it|stop(?:ped)?|figured out|put together|wr[oi]te|written)"
)
_YOU_SAID = (
    r"(?:said|say|told|tell|suggest(?:ed)?|mention(?:ed)?|recommend(?:ed)?|explain(?:ed)?|propos(?:ed?)"
    r"|gave|give|given|made|showed?|wrote|write|written|advised?|asked?|promised?|warned?|came up with|called"
    r"|listed?|described?|sent|drafted|pointed out|taught|quoted)"
)
_WHEN = (
    r"(?:last (?:time|week|month|night|\w+day)|yesterday|earlier|before|previously|the other day"
    r"|(?:a|two|three|a few|some) (?:days?|weeks?|months?|while) (?:ago|back)|ages ago|recently|this morning|back then)"
)
_CONVERSATION = (
    r"(?:conversations?|chats?|sessions?|discussions?|talks?|exchanges?|threads?|messages?)"
)

_ENGLISH = re.compile(
    "|".join(
        (
            rf"\bwe(?:'d|'ve| had| have| were| was)? (?:just |already |once |briefly |also |ever )?{_TALK}\b",
            rf"\b(?:did|have|had|were) we (?:ever |already |just |last )?{_TALK}\b",
            rf"\b(?:our|your|this|my) (?:very )?(?:last|previous|earlier|first|prior|past|recent|other|old) {_CONVERSATION}\b",
            rf"\b(?:last|previous|earlier|prior|past) {_CONVERSATION} (?:we|with you|together|between us)\b",
            rf"\bin (?:the|a|an) (?:last|previous|earlier|prior|past) {_CONVERSATION}\b",
            rf"\bour {_CONVERSATION} (?:from|about|on|last|yesterday|the other|earlier|of)\b",
            r"\bwhere (?:did )?we (?:leave|left|were|stop)\b|\bpick(?:ing)? (?:it |this |things |that )?(?:back )?up (?:from )?where\b",
            r"\b(?:last|first|other) time we\b|\blast time (?:you|I (?:asked|told|talked|spoke|chatted|wrote|messaged|was (?:here|talking)))\b",
            rf"\byou(?:'d|'ve| had| have| once| just| already| also| even)* {_YOU_SAID}\b.{{0,60}}\b{_WHEN}\b",
            rf"\b{_WHEN},? (?:that )?you(?:'d|'ve| had| once)? {_YOU_SAID}\b",
            rf"\b(?:as|like|what|that|which|the \w+(?: \w+)?) you(?:'d|'ve| had)? (?:once |just |already )?{_YOU_SAID}\b",
            rf"\b(?:did|had|have|didn't|haven't|hadn't|weren't) you (?:ever |already |not |just )?{_YOU_SAID}\b",
            r"\b(?:did|have|had|haven't|didn't) I (?:ever |already |not |once )?(?:tell|told|mention(?:ed)?|say|said|ask(?:ed)?|share[ds]?|give|given|show|shown|describe[ds]?|bring|brought)\b(?! (?:my|her|him|them|the|his|their)\b)",
            r"\bI(?:'ve|'d| have| had)? (?:already |once |just |ever |also )?(?:told|asked|shown?|gave|given|sent|shared? with|mentioned (?:\w+ ){0,4}to|talked (?:\w+ ){0,3}(?:to|with)|described (?:\w+ ){0,4}to|explained (?:\w+ ){0,4}to|brought (?:\w+ ){0,4}up with) you\b",
            r"\b(?:as|like|what|that|the \w+(?: \w+)?) I (?:already |just |once )?(?:said|mentioned|told you|asked (?:you|about)|described|brought up)\b(?! to (?:my|her|him|them|the|his))",
            r"\b(?:do|did|can|don't) you (?:still )?(?:remember|recall)\b",
            r"\bremember (?:when|what|that|how|the \w+(?: \w+)? (?:I|we|you)) (?:I|we|you)\b",
            r"\b(?:remind me|go back to|back to|continue|continuing|resume|return(?:ing)? to|follow(?:ing)? up on)\b.{0,30}\b(?:we|our|you (?:said|suggested|told|recommended|mentioned))\b",
        )
    ),
    re.IGNORECASE,
)
_ENGLISH_OTHERS = re.compile(
    r"\b(?:with|to|from) (?:my|the|our|his|her|their|a|an|some) (?:\w+ )?(?!assistant|plan|list|draft|idea)"
    r"(?:boss|manager|doctor|dentist|therapist|teacher|lawyer|landlord|mother|father|mom|mum|dad|wife|husband|partner"
    r"|sister|brother|friends?|colleagues?|team|client|customer|vet|nurse|coach|neighbou?r|parents|boyfriend|girlfriend"
    r"|son|daughter|accountant|agent|contractor|professor|tutor|cousin|aunt|uncle|roommate|recruiter)\b"
    r"|\b(?:my|the|our) (?:\w+ )?(?:boss|manager|doctor|dentist|therapist|teacher|lawyer|landlord|mother|father|mom|mum|dad"
    r"|wife|husband|partner|sister|brother|friends?|colleagues?|team|client|vet|nurse|coach|neighbou?r|professor)"
    r" (?:and I|said|told|mentioned|suggested|recommended|asked|and me)\b",
    re.IGNORECASE,
)

_SAID = r"(?:聊|说|谈|讨论|提|讲|商量|定|约|问|交流|沟通|分析|敲定|规划|计划|建议|推荐|告诉|答应|教|列|写|发|给|梳理|整理|总结|想)"
_BEFORE = (
    r"(?:上次|上回|上一次|上一回|之前|先前|此前|以前|前几天|前两天|前天|昨天|昨晚|那天|那次|刚才|刚刚|早些时候|上周\w?|上星期|上个?月"
    r"|前段时间|前阵子|那会儿|前面|早上|曾经|曾|好像|不是|有没有|是不是|已经)"
)
_CHINESE = re.compile(
    "|".join(
        (
            rf"(?:我们|咱们|咱|咱俩|我俩|我跟你|我和你|你我){_BEFORE}*[^，。！？,.!?]{{0,6}}?{_SAID}(?:过|的|到|了|好|完|起|定)",
            rf"{_BEFORE}(?:我们|咱们|咱|咱俩|我俩|跟你|和你|与你|同你|你|您)[^，。！？,.!?]{{0,8}}?{_SAID}",
            rf"{_BEFORE}{{1,2}}(?:一起)?(?:聊|谈|讨论|说|提|讲|商量)(?:过|的|到|好|起)",
            rf"(?:你|您){_BEFORE}*(?:跟我|给我|和我|对我|帮我)?{_BEFORE}*{_SAID}[^，。！？,.!?]{{0,3}}?过",
            rf"(?:你|您){_BEFORE}+(?:跟我|给我|和我|对我|帮我)?{_SAID}",
            rf"我{_BEFORE}*(?:跟|和|对|向|同|与)(?:你|您){_BEFORE}*{_SAID}",
            rf"我{_BEFORE}*(?:告诉|问|发给?|托|请教|拜托){_BEFORE}*过?(?:你|您)",
            r"(?:还)?记(?:不记)?得(?:我|我们|咱们|咱|你|上次|之前|那天|那次)",
            r"(?:接着|继续|回到|续上|延续|接上|顺着)(?:我们|咱们|咱)?(?:上次|上回|之前|昨天|前面|刚才|那天|先前)",
            r"(?:上次|上回|上一次|上一回|之前|前面|昨天|前几天)(?:的|那个|那次)?(?:对话|聊天|话题|讨论|谈话|会话)",
            r"(?:我们|咱们|咱)(?:上次|上回|之前|刚才)?(?:聊|说|讲|讨论|谈)到(?:哪|什么|一半)",
        )
    )
)
_CHINESE_OTHERS = re.compile(
    r"(?:跟|和|与|同|向|对|找|陪|听|给)(?!你|您|我(?!妈|爸|姐|哥|弟|妹|老|媳|爱|朋|同|领|爷|奶|儿|女))"
    r"[^，。！？,.!?你您]{1,8}?(?:聊|说|谈|讨论|提|讲|商量|约|吃|开会)"
    r"|(?:老板|领导|经理|医生|大夫|老师|律师|房东|我?妈妈?|我?爸爸?|我?老婆|我?老公|媳妇|同事|朋友|客户|教练|邻居|中介|他们?|她们?)"
    r"(?:\w{0,4})(?:说|讲|提|建议|推荐|告诉|问|让|叫|跟我|和我|给我)"
)


def refers_to_an_earlier_conversation(question: str) -> bool:
    """Whether it is about what was said between the user and the assistant before."""
    text = question.replace("’", "'")
    if _CHINESE.search(text) and not _CHINESE_OTHERS.search(text):
        return True
    return bool(_ENGLISH.search(text)) and not _ENGLISH_OTHERS.search(text)
