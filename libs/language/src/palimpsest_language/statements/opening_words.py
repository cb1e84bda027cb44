"""Opening words that say nothing: interjections, links, the name of the listener."""

import re
from collections.abc import Collection
from functools import lru_cache

_ENGLISH = re.compile(
    r"^(?:(?:oh|ok(?:ay)?|well|yeah|yes|yea|yep|yup|nope|nah|"
    r"(?:ha)+h?|lol|lmao|so|and|but|also|btw|by the way|anyway"
    r"|actually|honestly|seriously|right|true|great|perfect|brilliant|sweet|lovely"
    r"(?=,)|excellent|awesome|thanks|thank you(?: so much| very much)?|thx|cheers|ta"
    r"(?: love| mate| very much)?|cool|nice|sure|hey|hi|hello|happy "
    r"(?:\w+day|weekend|holidays|new year)|morning"
    r"|evening|ugh|wow|hmm+|ah|good news|bad news|I (?:should|must|have to|gotta) "
    r"(?:say|admit|add)|(?:I )?forgot to (?:say|mention)|quick (?:update|note|one)|one "
    r"(?:more|last)(?: thing)?|another thing|last thing|fyi|not gonna lie|(?:a )?bit of news|"
    r"(?:one|other) thing (?:tho|though)|exactly(?! (?:\d|one|two|half|the|what|how|like|as))"
    r"|absolutely(?=,)|(?:ok )?real question|good thinking|good point|makes sense|news"
    r"(?=:)|creepy|beautiful|whoa|np|yup|ya|ok (?:fine|then)"
    r"|big news|update|then|plus|oui|please yes|yes please|fair|fair enough|done|fixed|works"
    r"|interesting|ouch|noted|understood|agreed then|will do|got it|I mean|you know|(?:oh )?"
    r"(?:my )?god(?: no| yes)?|\d{1,2}[.)]|uhh?m*|to be honest|tbh|meanwhile|by now|in fact"
    r"|luckily|sadly|unfortunately|fortunately|finally|for the record"
    r"|no(?=,| (?:I|we|my|it|he|she|they|there|the \w+(?: \w+)? (?:is|was|are))\b)|me"
    r"(?=,)|no lah|no way|of course|for sure|add(?=:)|first(?=,)|second(?=,)|for starters|fine"
    r"(?=[,:])|alright(?=[,:])|(?:please |just |also |pls )*(?:note|keep in mind|be aware"
    r"|remember|don['’]t forget) that|(?:please |just |also |pls )*(?:remember|note)(?=[:,]))"
    r"(?![\w'’])[\s,.:;!…—–-]*)+",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    (
        r"^(?:before|when|whenever|if|for|about|regarding|re|on|as for|one thing|in "
        r"case)\b[^:,.]{3,45}:\s+(?=\w+ \w+)"
    ),
    re.IGNORECASE,
)
"""What it is said for: "before you touch the report: ..."."""
_CHINESE = re.compile(
    r"^(?:(?:[oO][kK](?![A-Za-z])|哦|噢|嗯+|啊|哎|唉|诶|呃|哈+|嘿+|好的?|好吧|行|可以|对了?|是的"
    r"|不行(?=[，, ])|没错|那个|那|另外|还有(?!点)|顺便|而且|然后|所以|不过|但是?|可是|说一下"
    r"|跟你说[一下]*|(?:帮我|帮忙|麻烦|请)*记[一]?下|(?:帮我|帮忙)记着|请?记[住得]了?[，,：:]?(?=我)|收到|明白|没问题|了解|其实"
    r"|话说|不好意思|抱歉|对不起|[sS]orry|等等|笑死(?:我了?)?|哈[喽啰]|嗨|(?:hi|hello|hey)"
    r"(?![A-Za-z])|反正|总之|就是(?=[我他她它])|现实是|早)(?:[\s,，:：、。!！~～…]+|"
    r"(?=[我他她它你以今明后下上周现不改用把]))[\s,，:：、]*)+"
)
_TRAILING = re.compile(
    (
        r"(?:[\s,，]+(?:and|but|so|or|lol|btw|haha+|though|please|pls|too|ugh|哈哈+|嘿嘿|呢|啦|吧"
        r"|哈|呀|啊))+$"
    ),
    re.IGNORECASE,
)
_FILLS_THE_END = re.compile(
    r"(?:,\s*(?:ok(?:ay)?|alright|got it|deal)|,?\s*just so (?:that )?you know"
    r"|(?<!\bso)(?<!\bas)(?<!\brest)(?<!\bthat)(?<!\bwhat)(?<!\bthan)(?<!\bif)(?<!\bwho)"
    r"(?<!\ball)(?<!\blike)(?<!\bone)(?<!thing)(?<!things)(?<!people)"
    r",?\s+(?:you know|ya know|y['’]?know|innit))$",
    re.IGNORECASE,
)
_NODS = re.compile(r",\s*(?:you know|ya know|y['’]?know),", re.IGNORECASE)
_TO_SOMEBODY = re.compile(
    r"^(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:January|February|March|April|May|June"
    r"|July|August|September|October|November|December"
    r"|Today|Tonight|Tomorrow|Yesterday|Christmas|Easter|Thanksgiving|Halloween|Summers?|Winters?"
    r"|Mornings?|Evenings?|Weekends?|Nights?|Once|Before|After"
    r"|Sometimes|Often|Never|Always|Then|Now|Nowadays|Otherwise|However|Instead|Maybe|Perhaps"
    r"|Later|Since|Still|Again|Here|There|Back|Lately|Mostly"
    r"|Overall|Afterwards|Growing|First|Second|Next|Last)\b)(?!\w+"
    r"(?:ly|days|ing|ed)\b)[A-Z][a-zà-ÿ]{1,11},\s+(?=(?:I|we)(?:['’](?:m|ve|ll|d|re))?\s+(?!\w+ "
    r"(?:it|them|that|this|there)\b)\w)"
)
"""“Devin, I'm finally looking at houses”: a person addressed, no day or place."""
_PICTURES = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+")
_AROUND = " \t\n,，;；.。!！?？:：、…~～—–-"


def strip_opening_words(text: str, names: Collection[str], *, chinese: bool) -> str:
    """The statement alone: "oh and tutor, stop that lol" becomes "stop that"."""
    before = None
    text = _PICTURES.sub(" ", text)
    while before != text:
        before = text
        text = (_CHINESE if chinese else _ENGLISH).sub("", text)
        if not chinese:
            text = _LEAD_IN.sub("", text)
            text = _NODS.sub(",", _FILLS_THE_END.sub("", _TO_SOMEBODY.sub("", text)))
        if names:
            text = _addressed(tuple(sorted(names))).sub("", text)
        text = text.strip(_AROUND)
    stripped = _TRAILING.sub("", text).strip(_AROUND)
    return stripped or text


@lru_cache(maxsize=256)
def _addressed(names: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(re.escape(name) for name in names)
    return re.compile(
        rf"^(?:{words})(?:\s*[,:，：]\s*|\s+(?=你|请|麻烦|把|帮|记得))", re.IGNORECASE
    )
