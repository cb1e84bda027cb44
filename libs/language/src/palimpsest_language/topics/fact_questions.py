"""Recognize questions for a fact, which no topic constrains: "What did I eat?" has one answer.

Questions what to do, to give or to write are worded otherwise. Such words let a question through
that begins like one for a fact ("What is a good gift?", 什么时候去合适). A question about somebody by
name, and neither about the user nor about the assistant, asks for a fact too ("Would Nate enjoy the
trip?"), but not one about what ought to be done ("What should Nate eat?").
"""

import re

from palimpsest_language.vocabulary.simplified_characters import simplify_characters

_OPENING = r"^\W*(?:(?:and|so|but|hey|hi|ok|okay|well|please|now|tell me|do you (?:know|remember)|remind me)\b,?\s*)*"
_ENGLISH = re.compile(
    _OPENING + r"(?:(?:when|who|whose|whom|did|does|is|are|am|was|were|has|had)\b"
    r"|how (?:many|much|old|tall|long|far|deep|often|big|high|fast)\b"
    r"|(?:what|which|where|why|how)(?:'s\b|(?:\s+[\w'-]+){0,3}?\s+(?:did|is|am|was|are|were|does|has|have|had)\b))",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:should|could|can|shall|would|might|must|need|good|best|nice|better|ideas?|suitable|safe|healthy|suggest\w*"
    r"|recommend\w*|advice|tips?|help)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    "谁|哪年|哪天|哪一|哪个月|几号|几点|几岁|多少|多大|多高|多长|多远|多深|多久|叫什么|叫啥|是什么|是啥|对什么|什么时候|在哪"
    "|住哪|是哪|哪里人|有没有|[了过]吗|了没"
)
_CHINESE_ADVICE = re.compile("推荐|建议|合适|适合|应该|该|好|能|可以|要|想|帮|给")
_ASKS = re.compile(
    r"\b(?:what|which|who|whose|whom|when|where|why|how)\b|^\W*(?:would|could|should|might|may|will|can|do)\b",
    re.IGNORECASE,
)
_OUGHT = re.compile(r"\bshould\b|\bgift\b|\bpresent for\b", re.IGNORECASE)
_OURS = re.compile(
    r"\b(?:i|i'm|me|my|mine|we|us|our|you|your|let's|mum|mom|mummy|mommy|dad|daddy|grandma|granny|nan|grandpa|grandad)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?<=[a-z,'] )(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August"
    r"|September|October|November|December|Christmas|Easter|Valentine|Thanksgiving|Halloween|New Year)[A-Z][a-z]+"
)


def asks_for_a_fact(question: str) -> bool:
    text = simplify_characters(question).replace("’", "'")
    if _NAME.search(text) and _ASKS.search(text) and not _OURS.search(text):
        return not _OUGHT.search(text)
    if _ENGLISH.search(text):
        return not _ADVICE.search(text)
    return bool(_CHINESE.search(text)) and not _CHINESE_ADVICE.search(text)
