"""Recognize questions about an earlier conversation with the assistant.

What was said between the two of them can be looked up; what was said to a
boss, a doctor or a mother is life, and a matter for memories like any other.
"""

import re

from palimpsest_language.vocabulary.pattern_prefilter import AnyPattern

_TALKED = (
    r"(?:talk(?:ed|ing)?|discuss(?:ed|ing)?|sp(?:oke|oken|eak)|chat(?:ted|ting)?|agree[ds]?(?: on)?"
    r"|decided|settled|cover(?:ed)?|went over|gone over|c[ao]me up with|work(?:ed|ing) on|plann?(?:ed|ing)"
    r"|brainstorm(?:ed|ing)?|sketch(?:ed)?|draft(?:ed)?|outlin(?:ed?|ing)|mention(?:ed)?|said|saying|go over"
    r"|say|looked at|landed on|left off|left it|stop(?:ped)?|figured out|put together|wr[oi]te|written|concluded)"
    r"(?! to (?:meet|see|go|pay|visit)\b)"
)
_DECIDE = (
    rf"(?:{_TALKED}|(?:decide|settle|conclude|choose|chosen|come to|end up with|ended up with|go (?:with|for)|gone (?:with|for)|opt(?:ed)? for|vote for|leave (?:it|off|that|things)"
    r"|land on|figure out|work (?:on|out)|plan|come up|look at|look into|get to|arrive at|draft|outline)\b)(?! to (?:meet|see|go|pay|visit)\b)"
)
_YOU_SAID = (
    r"(?:said|say|told|tell|suggest(?:ed)?|mention(?:ed)?|recommend(?:ed)?|explain(?:ed)?|propos(?:ed?)"
    r"|gave|give|given|made|showed?|shown|wrote|write|written|advised?|asked?|promised?|warned?|came up with|called"
    r"|listed?|described?|sent|drafted|pointed out|taught|quoted|shared|translated|summari[sz]ed|compared|calculated"
    r"|worked out|drew|outlined|corrected|picked out|found for|put together)"
)
_YOU_SAY = (
    r"(?:call|list|make|send|draft|quote|teach|name|come up with|outline|translate|summari[sz]e|describe|share|advise"
    r"|propose|write|show|draw|pick|find|answer)"
)
_YOU_WERE_SAYING = (
    r"(?:telling|explaining|saying|describing|showing|suggesting|recommending|teaching|walking me|helping me|talking"
    r"|writing|listing|translating|going (?:over|through))"
)
_WHEN = (
    r"(?:last (?:time|week|month|night|\w+day)|yesterday|earlier|before|previously|the other day"
    r"|(?:a|two|three|a few|some) (?:days?|weeks?|months?|while) (?:ago|back)|ages ago|recently|this morning|back then)"
)
_CONVERSATION = (
    r"(?:conversations?|chats?|sessions?|discussions?|talks?|exchanges?|threads?|messages?)"
)
_COUNSEL = (
    r"(?:suggestion|advice|answer|recommendation|tip|idea|explanation|example|list|recipe|plan|reply|response|message"
    r"|summary|point|proposal|draft|translation|version|outline)s?"
)
_OF_THE_TWO = r"(?:plan|list|outline|draft|budget|menu|schedule|itinerary|table|summary|story|version|agenda|shortlist|script|poem|letter)s?"

_ENGLISH = AnyPattern(
    (
        rf"\bwe(?:'d|'ve| had| have| were| was)? (?:just |already |once |briefly |also |ever )?{_TALKED}\b",
        rf"\b(?:did|have|had|were) we (?:ever |already |just |last |finally |actually )?{_DECIDE}\b",
        rf"\bwe were (?:in the middle of|halfway through|busy with) (?:planning|writing|outlining|drafting|(?:our|my|your|the|a) (?:\w+ )?(?:{_OF_THE_TWO}|chapter|lesson|exercise|quiz))\b|\b{_OF_THE_TWO} (?:that )?we (?:made|did|had|built|started|set up)\b",
        rf"\b(?:our|your|this|my) (?:very )?(?:last|previous|earlier|first|prior|past|recent|other|old) {_CONVERSATION}\b",
        rf"\byour (?:earlier|previous|last|first|original|old|other) {_COUNSEL}\b|\byour {_COUNSEL} (?:from|earlier|yesterday|last|the other day)\b",
        rf"\b(?:last|previous|earlier|prior|past) {_CONVERSATION} (?:we|with you|together|between us)\b",
        rf"\bin (?:the|a|an) (?:last|previous|earlier|prior|past) {_CONVERSATION}\b",
        rf"\bour {_CONVERSATION} (?:from|about|on|last|yesterday|the other|earlier|of)\b",
        r"\bwhere (?:did )?we (?:leave|left|were|stop)\b|\bpick(?:ing)? (?:it |this |things |that )?(?:back )?up (?:from )?where\b",
        r"\b(?:go on|carry on|continu(?:e|ing)|proceed|resume|resuming|get back|going back|go back)\b.{0,40}\b(?:last time|where (?:we|you|I) |our (?:conversation|chat|talk|discussion|plan)|what we )",
        r"\b(?:last|first|other) time we\b|\blast time (?:you|I (?:asked|told|talked|spoke|chatted|wrote|messaged|was (?:here|talking)))\b",
        rf"\byou(?:'d|'ve| had| have| once| just| already| also| even)* {_YOU_SAID}\b.{{0,60}}\b{_WHEN}\b",
        rf"\b{_WHEN},? (?:that )?you(?:'d|'ve| had| once)? {_YOU_SAID}\b",
        rf"\b(?:as|like|what|that|which|was it|(?:the|that|this|those|one) \w+(?: \w+)?) you(?:'d|'ve| had)? (?:once |just |already )?{_YOU_SAID}\b",
        rf"\byou were (?:just |only )?{_YOU_WERE_SAYING}\b|\bwere you (?:just )?{_YOU_WERE_SAYING}\b",
        r"\byou (?:once |already |just |also )?(?:told|taught|reminded|warned|advised|showed|recommended to) me\b|\byou (?:once |already |had )?promised\b",
        rf"\b(?:did|had|have|didn't|haven't|hadn't|weren't) you (?:ever |already |not |just )?(?:also |else )?(?:{_YOU_SAID}|{_YOU_SAY})\b",
        rf"\byou (?:once|previously|earlier) {_YOU_SAID}\b|\byou (?:{_YOU_SAID}|found|picked|named|did) .{{1,40}} for me\b",
        r"\b(?:let's|let us|can we|could we|shall we|may we|want to) (?:please |just )?(?:go on|carry on|continue|resume|get back to|return to|pick up|revisit|go back to)\b|\bpick up our\b",
        r"\b(?:did|have|had|haven't|didn't) I (?:ever |already |not |once )?(?:tell|told|mention(?:ed)?|say|said|ask(?:ed)?|share[ds]?|give|given|show|shown|describe[ds]?|bring|brought)\b(?! (?:my|her|him|them|the|his|their)\b)",
        r"\bI(?:'ve|'d| have| had)? (?:already |once |just |ever |also )?(?:told|asked|shown?|gave|given|sent|shared? with|mentioned (?:\w+ ){0,4}to|talked (?:\w+ ){0,3}(?:to|with)|described (?:\w+ ){0,4}to|explained (?:\w+ ){0,4}to|brought (?:\w+ ){0,4}up with) you\b",
        r"\bI (?:was|had been) (?:just )?(?:telling|asking|showing) you\b|\b(?:as|like|what) I was (?:just )?(?:saying|telling|asking|describing)\b",
        r"\b(?:as|like|what|that|the \w+(?: \w+)?) I (?:already |just |once )?(?:said|mentioned|told you|asked (?:you|about)|described|brought up)\b(?! to (?:my|her|him|them|the|his))",
        r"\b(?:do|did|can|don't) you (?:still )?(?:remember|recall)\b",
        r"\bremember (?:when|what|that|how|the \w+(?: \w+)? (?:I|we|you)) (?:I|we|you)\b",
        r"\b(?:remind me|go back to|back to|continue|continuing|resume|return(?:ing)? to|follow(?:ing)? up on)\b.{0,30}\b(?:we|our|you (?:said|suggested|told|recommended|mentioned))\b",
    ),
    re.IGNORECASE,
)
_OTHER = (
    r"(?:boss|manager|doctor|dentist|therapist|teacher|lawyer|landlord|mother|father|mom|mum|dad|wife|husband|partner"
    r"|sister|brother|friends?|colleagues?|team|client|customer|vet|nurse|coach|neighbou?r|parents|boyfriend|girlfriend"
    r"|son|daughter|accountant|agent|contractor|professor|tutor|cousin|aunt|uncle|roommate|recruiter|grandma|grandpa|grandmother|grandfather)"
)
_NAME = r"(?-i:(?!I\b)[A-Z][a-z]+)"
_ENGLISH_OTHERS = AnyPattern(
    (
        rf"\b(?:with|to|from) (?:my|the|our|his|her|their|a|an|some) (?:\w+ )?(?!assistant|plan|list|draft|idea){_OTHER}\b",
        r"\b(?:with|to|from) (?:mom|mum|dad|grandma|grandpa|granny|auntie)\b",
        rf"\b(?:my|the|our) (?:\w+ )?{_OTHER} (?:and I|said|told|mentioned|suggested|recommended|asked|and me)\b",
        # Who is told stands right behind the telling, who is talked to behind a "to" or "with".
        rf"\bI (?:\w+ )?(?:tell|told|ask(?:ed)?|promised?|show(?:ed|n)?|send|sent|give|gave|given) {_NAME}",
        rf"\b(?:say|said|mention(?:ed)?|explain(?:ed)?|suggest(?:ed)?|describe[ds]?) (?:(?!about\b|going\b)\w+ ){{0,2}}?to {_NAME}",
        rf"\b(?:talk(?:ed|ing)?|sp(?:eak|oke|oken)|chat(?:ted|ting)?|discuss(?:ed)?(?: \w+)?|agree[ds]?(?: \w+)?) with {_NAME}|\b(?:talk(?:ed|ing)?|sp(?:eak|oke|oken)) to {_NAME}",
        rf"\bwe (?:(?!talked|discussed|said)\w+ ){{1,6}}with {_NAME}",
    ),
    re.IGNORECASE,
)

_SAID = r"(?:聊|说|谈|讨论|提|讲|商量|定|约|问|交流|沟通|分析|敲定|规划|计划|建议|推荐|告诉|答应|教|列|写|发|给|梳理|整理|总结|想)"
_BEFORE = (
    r"(?:上次|上回|上一次|上一回|之前|先前|此前|以前|前几天|前两天|前天|昨天|昨晚|那天|那次|刚才|刚刚|早些时候|上周\w?|上星期|上个?月"
    r"|前段时间|前阵子|那会儿|前面|早上|曾经|曾|好像|不是|有没有|是不是|已经)"
)
_THEN = r"(?:上次|上回|上一次|上一回|之前|先前|以前|前几天|前两天|前天|昨天|昨晚|那天|那次|刚才|刚刚|上周|上星期|上个?月|前阵子|前面|当时)"
_TOLD = (
    r"(?:说|讲|告诉|教|推荐|建议|提|列|写|答应|解释|介绍|分析|总结|翻译|整理|发|梳理|回答|举|算|推)"
)
_TO_ME = r"(?:跟我|给我|帮我|对我|向我|和我|替我)"
_MADE = (
    r"(?:方案|计划|清单|菜谱|食谱|办法|方法|话题|故事|主意|建议|提纲|草稿|大纲|安排|步骤|规划|列表|例子|解释|答案|结论"
    r"|思路|版本|表格|行程|预算表|翻译|总结|比喻|段子|推荐)"
)
_US = r"(?:我们|咱们|咱俩|咱|我俩)"
_CHINESE = AnyPattern(
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
        # What was made between them, and is pointed at: 刚才那个方案.
        rf"(?:上次|上回|之前|先前|刚才|刚刚|前面|昨天|前几天|那天)的?那(?:个|份|套|些|篇|种|张|段|条|版){_MADE}",
        rf"{_US}{_THEN}+的?(?:那(?:个|份|套|些|篇|种|张))?{_MADE}",
        # Said of a time before, whatever its aspect: 我们之前是不是说周二, 你昨天怎么建议的.
        rf"{_US}{_THEN}+[^，。！？]{{0,4}}?(?:聊|说|谈|讨论|讲|商量|决定|敲定|规划)",
        rf"(?:你|您){_THEN}+(?:是)?(?:怎么|如何|为什么)?(?:{_TO_ME}|教我)?{_SAID}|(?:你|您){_THEN}+(?:帮|给|替|教)我",
        # Going on with the talk itself.
        rf"(?:接着|继续)(?:往下)?(?:聊|说(?!服|明)|讲(?!课|学)|谈|讨论)|(?:话|聊|说|讲)到一半|{_US}(?:继续|接着)(?:吧|来)?[。！!]?$",
        rf"{_US}的?(?:对话|聊天(?!软件|群)|讨论|谈话|会话|话题)",
        # What the assistant said, as something that was: 你说的, 你是怎么建议我的, 你…来着.
        rf"(?:你|您)(?:刚|是)?{_TO_ME}?{_TOLD}(?:我|给我|到|出)?的(?!时候|话[，,])|(?:你|您)给我的",
        rf"(?:你|您)是(?:怎么|如何|什么时候|哪天|在哪)[^，。！？]{{0,4}}{_TOLD}我?的",
        rf"(?:你|您){_TO_ME}?{_TOLD}[^，。！？]{{0,14}}来着|(?:你|您)(?:帮我|给我|替我)(?:写|列|做|画|算|挑|选|整理|翻译|起)的",
        # What the two of them came to.
        rf"{_US}(?:最后|后来|当时|最终|一起)?(?:决定(?:了|用|选|叫|怎么|先)|选(?:的|定的?)是|商量(?:出|好|的)|得出|定下|敲定)",
    )
)
_CHINESE_OTHERS = re.compile(
    r"(?:跟|和|与|同|向|对|找|陪|听|给)(?!你|您|我(?!妈|爸|姐|哥|弟|妹|老|媳|爱|朋|同|领|爷|奶|儿|女))"
    r"[^，。！？,.!?你您]{1,8}?(?:聊|说|谈|讨论|提|讲|商量|约|吃|开会)"
    r"|(?:老板|领导|经理|医生|大夫|老师|律师|房东|我?妈妈?|我?爸爸?|我?老婆|我?老公|媳妇|同事|朋友|客户|教练|邻居|中介|他们?|她们?)"
    r"(?:\w{0,4})(?:说|讲|提|建议|推荐|告诉|问|让|叫|跟我|和我|给我)"
    # Meeting and booking: 我们约好几点见面.
    r"|(?:约|(?<!之前)(?<!上次)(?<!刚才)[定订])[^，。！？]{0,6}?(?:见面|碰头|吃饭|几点|机票|车票|票|酒店|餐厅|位子|座位|包间|看电影|打球)"
)


def refers_to_earlier_conversation(question: str) -> bool:
    """Return whether a question is about what user and assistant said to each other before."""
    text = question.replace("’", "'")
    if _CHINESE.stands_in(text) and not _CHINESE_OTHERS.search(text):
        return True
    return _ENGLISH.stands_in(text) and not _ENGLISH_OTHERS.stands_in(text)
