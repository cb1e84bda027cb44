"""Recognize fillers, which are no evidence of anything: chit-chat, and "ok", 知道了, "how nice".

An acknowledgement may answer a question, so whoever reads a conversation as a whole
needs it. Found by itself it takes the place of something that says what is asked for.
"Yes", "no", 是的 and 没有 are not here: beside the question they are all there is of a fact.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from palimpsest_language.vocabulary.chit_chat import CHIT_CHAT_PHRASES

_LONGEST = 80
_BREAK = re.compile(r"[.!?,;:~…。！？，；：、\n]+")

_GOOD = (
    r"(?:great|good|nice|lovely|wonderful|awesome|amazing|cool|perfect|excellent|fantastic|sweet|brilliant"
    r"|neat|impressive|fine|terrific|super|fabulous|marvell?ous|incredible|inspiring|exciting|interesting"
    r"|funny|fun|cute|beautiful|gorgeous|adorable|delightful|sad|terrible|awful|tough|rough|hilarious)"
)
_IT = r"(?:that|this)(?:'s| is| sounds| seems| looks| must be)|(?:it )?(?:sounds|looks)"
"""Not "it was": beside "how was it" that is an answer."""
_ENGLISH = (
    r"o+k(?:ay|ey|ie)?|kk?|alright|all right|right|right on|sure|sure thing|of course|certainly|absolutely"
    r"|definitely|exactly|indeed|totally|agreed|deal|done deal"
    r"|(?:i )?(?:got|get) (?:it|that|you|ya)|gotcha|(?:duly |well )?noted|understood|(?:i )?(?:fully )?understand"
    r"|i see|i hear you|(?:that |it )?makes sense|roger(?: that)?|copy(?: that)?|will do|fair enough|you bet"
    r"|i(?:'ve| have)? (?:just )?(?:noted|saved|remembered|recorded|written|made a note of)(?: (?:it|that|this))?"
    r"(?: down)?(?: for (?:you|later|next time))?"
    r"|i(?:'ll| will) (?:remember|note|keep|make (?:a )?(?:mental )?note of|write down|save)(?: (?:it|that|this))?"
    r"(?: in mind| down)?(?: for (?:you|later|next time|the future|future reference))?"
    r"|(?:saved|remembered|recorded)"
    rf"|(?:{_IT}|how|so|very|really|pretty|quite|just|too|absolutely|truly|oh so) (?:(?:so|very|really|pretty|quite|just"
    rf"|absolutely|truly|such|too|a|an) )*{_GOOD}(?: (?:to (?:hear|know|see)(?: (?:it|that|this))?|of you|idea|plan|news|point|job|work|one|thing))?"
    rf"|{_GOOD}(?: (?:to (?:hear|know|see)(?: (?:it|that|this))?|idea|plan|news|point|job|work|one|choice|question|stuff))?"
    rf"|what (?:a|an) (?:{_GOOD} )?(?:idea|plan|pity|shame|relief|surprise|story|thing|view|photo|pic|picture|shot|day)?"
    r"|(?:so |very |really )?(?:glad|happy|pleased|sorry|good|great|nice|lovely) to (?:hear|know|see|read)"
    r"(?: (?:it|that|this|so))?"
    r"|i(?:'m| am) (?:so |very |really )?(?:glad|happy|pleased|sorry) (?:to (?:hear|know|see|read)(?: (?:it|that|this|so))?|for you|about that)|i(?:'m| am) (?:so )?sorry"
    r"|(?:nice|lovely|great|good|pleased|a pleasure|pleasure) (?:to (?:meet|see)|meeting|seeing|talking to|chatting with"
    r"|talking with) you(?: (?:too|again|as well|all))?"
    r"|(?:you|same(?: to you| here)?|me) (?:too|as well)|same (?:to you|here)|likewise"
    r"|(?:oh )*(?:wow|whoa|ah+|aha|aw+|oh|ooh|yay|yikes|phew|oops|geez|gosh|mm+|uh huh|hm+|um+|well|so|and|then|really|oh no)"
    r"|oh my (?:god|goodness|gosh)|omg|no way|no worries|not at all|don't mention it|any ?time|never ?mind"
    r"|congrat(?:s|ulations)(?: (?:to you|on that|again))?|well done|way to go|good (?:for you|luck)|best of luck"
    r"|nice one|bravo|cheers|hooray|kudos|respect"
    r"|enjoy|have fun|have a (?:good|great|lovely|wonderful|nice) (?:one|day|evening|night|time|weekend|trip)"
    r"|take it easy|talk (?:to you )?(?:soon|later)|catch you later|see ya|later|till next time|until next time|ttyl"
    r"|thanks?(?: you)?(?: again| so much| very much| a lot| a bunch| a million| everyone| all)?"
    r"(?: for (?:that|this|sharing(?: (?:it|that|this))?|asking|listening|telling me(?: (?:that|this))?"
    r"|letting me know|the (?:help|info|information|update|heads up|tip|reminder|support)"
    r"|your (?:help|time|support)))?"
    r"|(?:much )?appreciated|i(?: really)? appreciate (?:it|that|this)|ty|tysm"
    r"|you(?:'re| are) (?:very |most )?welcome|welcome(?: back)?|happy to help|glad (?:i could|to) help|let me know"
    r"|let me know if (?:you (?:need|want) anything(?: else)?|i can help(?: (?:you )?with anything(?: else)?)?)"
    r"|(?:is there )?anything else(?: i can (?:help|do)(?: (?:you )?with| for you)?)?(?: today)?"
    r"|i(?:'m| am) (?:here|here for you|here to help|listening|all ears)|please|go (?:on|ahead)|tell me more|do tell"
    r"|lo+l|lmao|rofl|ha(?:ha)+h?|he(?:he)+|xd|yep sure"
)  # fmt: skip
"""Each alone, or several in a row: "Wow, that's so cool! Thanks for sharing"."""

_CHINESE = (
    r"好(?:的|滴|嘞|咧|哒|吧|呀|啊|哦|噢|耶|哟|啦|的呢|的呀|的好的)*|行(?:吧|啊|呀|的|嘞)?|可以(?:的|啊|呀)?|没问题|妥了"
    r"|当然|当然了|那当然|那是|必须的|一定|说得对|说的是|有道理|言之有理|的确|确实|确实是|可不是"
    r"|(?:我|都|已经?|早就)*(?:知道|明白|了解|清楚|懂|收到|听到|看到|记住|记下|记着|记得|记好|晓得|get到?)(?:了|啦|咯|喽|的)*"
    r"|(?:我|已经?|都|给你|帮你|帮您|为你|为您)*(?:记住|记下|记下来|记录|保存|存下|存好|记录下来)(?:了|啦|好了|下来)*"
    r"|我(?:会|都会|一定会|一定)(?:一直|好好|牢牢)?(?:记住|记着|记得|记在心里|牢记)(?:这一?点|这个|这件事|的|它)*"
    r"|(?:真|太|好|很|挺|蛮|非常|特别|超|超级|实在|确实|那|这|也|都|听起来|听着|看起来|看着|感觉|可|更|还|多|多么|是)*"
    r"(?:好|棒|赞|厉害|不错|有意思|有趣|好玩|漂亮|可爱|酷|温馨|感人|幸福|可惜|遗憾|辛苦|难得|惊喜|精彩|优秀|完美|贴心|甜蜜)"
    r"(?:了|啦|呀|啊|哦|噢|的|吧|极了|死了|坏了)*"
    r"|[真太好](?:美|牛|强)|好(?:主意|想法|点子|消息|事|习惯|选择|办法)|好样的|有眼光|恭喜(?:你|您|恭喜|发财)*|祝贺(?:你|您)?|祝(?:你|您)?(?:好运|顺利|愉快|开心|一切顺利)|加油"
    r"|原来(?:如此|是这样|这样)|是这样|这样(?:啊|呀|子|子啊|的)?|那就好|那就这样|就这样|就这么(?:办|定|定了)|这就好"
    r"|是吗|真的吗|真的|真的假的|是不是|不会吧|天哪|天啊|我的天|哇+|哇塞|哦+|噢+|喔+|嗯+|唔|诶|欸|哎+|唉+|啊+|呀|嘻+|哈+|嘿+|呵+|额|呃"
    r"|没事(?:的|儿)?|没关系|没什么|不要紧|不碍事|别客气|不用客气|客气了?|应该的|举手之劳|别担心|放心(?:吧)?|对不起|抱歉|不好意思"
    r"|(?:很|真|非常|也)*(?:高兴|荣幸|开心)(?:能|可以)?(?:认识|见到|遇见)(?:你|您|大家)|认识(?:你|您)(?:也)?(?:很|真|非常)?(?:高兴|开心)|幸会(?:幸会)?"
    r"|(?:请)?(?:多多|多)(?:关照|指教)|久仰"
    r"|(?:非常|太|真的?|十分|多|万分|很)*(?:谢+|感谢|多谢|感激)(?:你|您|啦|了|哦|呀|啊|大家|各位|提醒|分享|告诉我|关心|帮忙|支持|夸奖|的|你的|您的|不尽|帮助)*"
    r"|(?:你|您|大家)(?:好|早)(?:呀|啊|哦)?|早|早啊|回聊|下次(?:见|聊|再聊|再见)|改天聊|再聊|回见|待会见|一会儿?见|先这样|慢走|保重|好梦|早点休息|好好休息"
    r"|随时(?:找我|告诉我|叫我|说|问我|联系我|都可以|欢迎)*|有(?:需要|事|问题)(?:随时|再|就)?(?:找我|叫我|告诉我|说|问我|联系我)|还有(?:别的|其他|什么)?(?:需要|问题)?(?:吗|帮忙的吗)"
    r"|玩得开心|好好享受|一路顺风|一路平安|周末愉快|节日快乐|新年快乐|你也是|您也是|彼此彼此|同喜|同乐|说吧|请说|请讲|继续"
)  # fmt: skip

_SOCIAL = (
    r"hi|hey|hiya|dear|thanks|thank you|thanks again|bye|bye bye|goodbye|good night|good morning|see you|welcome"
    r"|(?:nice|lovely|great|good|pleased) to (?:meet|see) you(?: too| again)?|congrats|congratulations|well done"
)  # fmt: skip
_TIMES = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|to(?:day|morrow|night)|january|february|march|april|may|june|july|august|september|october|november|december"
_ADDRESS = re.compile(
    rf"(?P<said>(?:^|(?<=[.!?,~] ))(?i:{_SOCIAL})),?[ ](?!(?i:{_TIMES})\b)"
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-Z][a-z]+(?:[-'][A-Z]?[a-z]+)?(?: [A-Z][a-z]+)?(?=\s*(?:[.!?,~:;)]|$))"
)  # fmt: skip
"""Pattern of whom is greeted or thanked: that is said of nobody."""
_CHINESE_ADDRESS = re.compile(
    r"(?P<said>(?:你好|您好|早上好|早安|晚上好|晚安|再见|拜拜|(?:认识|见到)(?:你|您))[啊呀]?)[，, ]"
    r"(?:[小老阿][\u4e00-\u9fff]|[\u4e00-\u9fff]{1,3}(?:老师|先生|女士|小姐|同学|医生|总|哥|姐|叔|阿姨))(?=[！!。.～~，,\s]|$)"
)

_PHRASE = re.compile(rf"(?:{'|'.join((*map(re.escape, CHIT_CHAT_PHRASES), _ENGLISH, _CHINESE))})")
_TOKEN = re.compile(r"[a-z0-9']+|[^\W_]")
_LONGEST_PHRASE_TOKENS = 12


@lru_cache(maxsize=4096)
def is_filler(text: str) -> bool:
    """Return whether a text, read alone, tells nothing; marks and emoji tell nothing either."""
    if len(text) > _LONGEST:
        return False
    plain = unicodedata.normalize("NFKC", text).replace("’", "'").strip()
    plain = _ADDRESS.sub(r"\g<said>", _CHINESE_ADDRESS.sub(r"\g<said>", plain)).lower()
    pieces = [_TOKEN.findall(piece) for piece in _BREAK.split(plain)]
    return all(map(_is_made_of_phrases, filter(None, pieces)))


def _is_made_of_phrases(tokens: Sequence[str]) -> bool:
    """Return whether the tokens are phrases in a row; each end is tried once, to stay fast."""
    ends = [0]
    for end in ends:
        for further in range(end + 1, min(end + _LONGEST_PHRASE_TOKENS, len(tokens)) + 1):
            if further not in ends and _PHRASE.fullmatch(_joined(tokens[end:further])):
                ends.append(further)
        if len(tokens) in ends:
            return True
    return False


def _joined(tokens: Sequence[str]) -> str:
    """Join tokens with the spaces of phrases: between words of Latin script."""
    return "".join(
        f" {one}" if before.isascii() and one.isascii() and before else one
        for before, one in pairwise(("", *tokens))
    )
