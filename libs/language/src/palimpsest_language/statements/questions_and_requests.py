"""Questions, requests, and work on a text."""

import re

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.statements.kind_cue import compile_any

_ENGLISH_QUESTION = compile_any(
    (
        r"^(?!(?:when|where)\b.*, )(?!what (?:I|we)\b.* (?:is|was) )"
        r"(?:what|why|how|who|whose|where|when|which)\b(?! (?:fixed|solved|helped|worked|I "
        r"(?:need|want|like|love|learn)|a (?:relief|day)))"
    ),
    (
        r"^(?:do|does|did|is|are|was|were|can|could|would|will|should|shall|have|has|am) "
        r"(?:you|I|we|he|she|they|it|this|that|there|the|my|your|one|anyone)\b"
    ),
    (
        r"^(?:any (?:idea|thoughts|chance)|thoughts on|so remember|remember "
        r"(?:how|when|that|the)|tell me|guess what|let me ask)\b"
    ),
    r"^remind me (?:not|never) to\b",
    r"^(?:so |ok )?(?:we|I) need to (?:decide|agree|settle|discuss|figure out|talk about)\b",
)

_ENGLISH_REQUEST = compile_any(
    (
        r"^(?:please |pls |just |now |then |and |ok |maybe )*(?:(?:can|could|would|will) "
        r"(?:you|someone|anyone)|help me|I need (?:you|help)|I'd like (?:you|an?|some|to "
        r"(?:see|know|hear|ask)))\b"
    ),
    r"^(?!.*\b(?:every|each|daily|weekly|mostly|usually|a lot of|twice|once a|on \w+days)\b)"
    r"(?:please |pls |just |now |then |and |quick )*(?:make|run|write|show|tell|give|translate"
    r"|check|explain|find|trim|scaffold|summari[sz]e|look|list|create|draft|generate|compare|open"
    r"|read|rewrite|fix|try"
    r"|suggest|recommend|search|convert|update|send|put|add|do(?! you\b)|go"
    r"(?! stays?\b)|wait|hold|see|let's (?:see|try|start|begin|talk|look|say)|imagine|think"
    r"|thinking|talk|sort|format|shorten|redo|answer|delete|remove|calculate|describe|to-do "
    r"sweep)\b",
)

_CHINESE_QUESTION = compile_any(
    (
        r"[吗么嘛]$|呢$|(?<!没)什么(?!都|也|的$)|(?<![不没])怎么(?!都|也|样都)|为啥|(?<![没有])啥"
        r"(?!都|也|的$)|[\u4e00-\u9fff]{2}不$|咋|(?<![任无不])谁(?!都|也)|哪(?!怕|都|里都)|多少"
        r"(?!都)|(?<![这那前后好十过没近头有隔每再等两])几"
        r"(?:[点个天时号颗家条本次岁层张月年度米斤克瓶台块]|分钟|公里)|多"
        r"(?:远|大|长|久|高|重|贵|快)$|(?P<again>[\u4e00-\u9fff])不"
        r"(?P=again)|算.{1,8}还是|是不是|要不要|能不能|有没有|可不可以|行不行|好不好|靠谱吗"
    ),
    r"(?:今天|现在|一起|大家).{0,4}(?:定|讨论|商量|聊)(?:一下|下来|聊)吧?$",
)

_INDIRECT_QUESTION = re.compile(
    r"(?:还没|没有?|不确定|不知道)(?:想好|决定好?|定好?|考虑好)?[^，。,；]{0,6}?"
    r"(?P<open>[\u4e00-\u9fff])不(?P=open)$|"
    r"(?<![你您帮不])(?:先|得|必须|一定|应该|记得|最好|再|要|就|去|都)+"
    r"(?:看|确认|检查|弄清|搞清|问|想|考虑|试|测|核对|验证|了解|判断|评估|查)"
    r"(?:看|清楚|清|一下|好|明白|过)?[^，。,；]{0,10}?"
    r"(?:(?P<again>[\u4e00-\u9fff])不(?P=again)|是不是|能不能|有没有|可不可以|会不会|要不要)"
    r"(?!.*[吗呢么]$)"
)
"""先看…够不够: what has to be found out is asked of nobody here."""

_WANTS_TO_LEARN = re.compile(r"^我?(?:一直|还|也|很)?想(?:学|试|练)(?!.*[吗么呢]$)")
"""想学怎么做: what is asked there is what somebody wants to know one day."""

_COMPLAINS = re.compile(
    r"^你(?:怎么|咋)(?:又|还|老是?|总是?|一直)|^你?(?:能不能|可不可以|可以|能)(?:别|不要)"
    r"(?:再|老|总|动不动)"
    r"|^你?(?:别|不要).{3,}(?:行不行|行吗|好不好|好吗|可以吗)$"
)
"""你怎么又用感叹号: no answer is wanted."""

_REMIND_ME = re.compile(
    r"^(?:remind|ping|nudge|wake|poke) me\b(?! (?:not|never) to)", re.IGNORECASE
)

_TO_BE_REMINDED = re.compile(r"提醒我(?!.*[吗么呢]$)")
"""提醒我查查是谁改的: what is to be found out then is asked of nobody now."""

_CHINESE_REQUEST = compile_any(
    (
        r"^(?:顺便|那|就|再|先|然后|哦|嗯|好|你|麻烦你?|请你?|能)*(?:帮(?:我|忙)|给我"
        r"(?!妈|爸)|看[下看一]|查[下查一]|推荐|翻译"
        r"|写[一二两三四五六七八九十几0-9]*[个首段篇封份句条行]|讲[讲个一]|[说谈聊]{2}|说一下?"
        r"|算[下一]|规划|整理[下一]|总结[下一]|解释|列[个一出]|画[个一]|生成|跟你说|跟你讲"
        r"|问[下一]|聊|大家|想(?:整理|问|请|让你|聊|了解|知道)|记[一下]|等[下一]|听说你)"
    ),
    r"帮我.{1,10}吧?$",
    (
        r"^(?:(?![他她]|[妈爸哥姐弟妹]|老[公婆板]|同事|朋友|室友|媳妇|上[次回]|每)[^，,]){0,10}"
        r"(?<!不用)(?<![别要])帮(?:我们?|忙)(?!.*[了过](?:$|[，,]))(?!.*的$)"
    ),
    (
        r"^[^，,]{0,10}(?<![我他她])[说谈聊](?P<twice>[说谈聊])[^，,]{0,8}"
        r"(?:看法|想法|意见|建议|思路|进展|情况)"
    ),
    (
        r"^(?!加[班入盟]|发[烧现布版呆福育]|来自|等[于级]|讲[师座究]|说[法服粤]|写[代作]"
        r"|画[画展家]|改名|给(?:公司|客户|甲方|别人|人)|.*(?:每[天周月年晚次]|平时|一般|经常))"
        r"(?:等|换|说|写|给|改(?=[短长简得正口一])|删|加|来|发|画|列|讲|随便|继续|重新|再|去掉)"
        r"(?!了|过|完|成)[^了过都别]{0,12}(?:去掉)?$"
    ),
)

_TEXT_TASK = compile_any(
    (
        r"\b(?:translate|proofread|polish|rewrite|rephrase|reword|paraphrase|summari[sz]e|shorten"
        r"|correct|edit|continue|finish|role-?play|pretend|act as|make (?:this|it|the following) "
        r"(?:sound|more|less|shorter|friendlier|nicer|clearer)|fix (?:the|my) "
        r"(?:grammar|spelling)|check (?:the|my|this) (?:grammar|spelling|text)|improve this"
        r"|write (?:me )?an? (?:story|poem|song|letter|tweet|caption|speech|joke|dialogue|scene"
        r"|script|essay|cover letter))\b(?!.*\b(?:always|never|from now on)\b)"
    ),
    (
        r"改(?:得|成).{0,6}(?:礼貌|正式|委婉|口语|简洁|通顺|短|长)|翻译|翻成|译成|润色|改写|校对"
        r"|续写|仿写|扩写|缩写|造句|写[一二两三四五六七八九十几0-9]*[个首段篇封份句条行](?!了)|编"
        r"(?:一?[个段])|读后感|作文|扮演|假装|角色扮演|玩(?:个|一个)?游戏|接龙|这段话|这句话|下面"
        r"(?:这|的)|以下(?:这|的|内容)|原文"
    ),
)
"""Work on a text: what follows is the text."""

_QUOTED = re.compile(r"[:：]\s*[\"“「『](?P<passage>[^\"”」』]{24,}|[\u4e00-\u9fff][^\"”」』]{8,})")

_ASKS_FOR_HELP = re.compile(r"帮我|帮忙|麻烦你?|请你?")

_ASKS_FOR_TEXT = compile_any(
    r"\b(?:paste|send|share|show) (?:it|me|the|your|that)\b|\bgo ahead\b|发(?:过来|给?我|来)|贴"
    r"(?:过来|上来|一下|出来)|请(?:发|贴|提供)|把.{0,8}(?:发|贴)"
)


def is_question(text: str, *, chinese: bool) -> bool:
    if not chinese:
        return bool(_ENGLISH_QUESTION.search(text))
    if _WANTS_TO_LEARN.search(text) or _COMPLAINS.search(text) or _TO_BE_REMINDED.search(text):
        return False
    return bool(_CHINESE_QUESTION.search(_INDIRECT_QUESTION.sub("", text)))


def ends_with_request(text: str) -> bool:
    """Tell whether a message ends with a question or a request, with a mark or without."""
    last = next(reversed(split_sentences(text)), "").rstrip("?？!！。. ")
    chinese = has_chinese(last)
    marked = text.rstrip().endswith(("?", "？"))
    return marked or is_question(last, chinese=chinese) or is_request(last, chinese=chinese)


def is_request(text: str, *, chinese: bool) -> bool:
    """Something for the agent to do now; with a time to come it may be a todo all the same."""
    return bool((_CHINESE_REQUEST if chinese else _ENGLISH_REQUEST).search(text))


def is_reminder_request(text: str) -> bool:
    """Asked for politely or not: "remind me at 7 for her first dose?"."""
    return _REMIND_ME.search(text) is not None


def asks_for_help(text: str, *, chinese: bool) -> bool:
    """Wherever in the words the agent is asked: 下面这段帮我改一下."""
    return is_request(text, chinese=chinese) or _ASKS_FOR_HELP.search(text) is not None


def is_text_task(text: str) -> bool:
    """Work on a text is asked for."""
    return _TEXT_TASK.search(text) is not None


def find_quoted_passage(text: str) -> str:
    """A mail, a notice, an advertisement in quotation marks: others' words, whatever they say."""
    match = _QUOTED.search(text)
    return match["passage"] if match else ""


def asks_for_text(text: str) -> bool:
    return _ASKS_FOR_TEXT.search(text) is not None
