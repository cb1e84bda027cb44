"""What one has one of at a time, said by its name: a gym, a bank, a car, a main language."""

import re

from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.diets import DIET_ATTRIBUTE, choose_diet_attribute
from palimpsest_language.facts.english.shared_patterns import (
    compile_english,
    refine_diet,
    refine_plain,
)
from palimpsest_language.facts.rule import FactRule, MatchGroups

_ATTRIBUTES = (
    (r"employer|(?:the )?(?:company|firm) I work (?:for|at)|place of work|workplace", "employer"),
    (r"job title|position|title|job|profession|occupation", "job"),
    (r"partner|girlfriend|boyfriend|other half|better half|significant other", "partner"),
    (r"car", "car"),
    (r"(?:mobile |smart)?phone", "phone"),
    (r"gym", "gym"),
    (r"bank", "bank"),
    (r"diet", "diet"),
    (
        r"(?:main|primary|go-to|preferred)(?: programming)? language|language of choice",
        "preferred_language",
    ),
    (
        r"(?:main|preferred|favou?rite|default|go-to|usual) framework|framework of choice",
        "preferred_framework",
    ),
    (r"favou?rite (?:cuisine|kind of food|food)|cuisine of choice", "favorite_cuisine"),
)
_NOUN = f"(?P<noun>{'|'.join(pattern for pattern, _ in _ATTRIBUTES)})"
_NEW = r"(?:(?:new|current|actual|present|latest) )?"
_NOW = (
    r"(?: (?:now|these days|nowadays|currently|today|at the moment|from (?:now|today) on|again))*"
)
_END = r"(?=[,.;:!?]|$| - | – |\s(?:and|but|because|since|so|not|no longer|instead|any ?more|as of|from|if|in case)\b)"
_VALUE = r"(?P<value>(?!(?:in|at|on|too|so|very|not|the (?:best|worst|same|only)|from|to|about)\b)[\w&.+#’][\w&.+#’ -]{0,40}?)"
_NAMED = r"(?P<value>(?-i:[A-Z0-9])[\w&.+#’-]*(?: (?:&|of|the|(?-i:[A-Z0-9])[\w&.+#’-]*)){0,4})"

_ARTICLE = re.compile(r"^(?:an?|the|called|named|still|now) ", re.IGNORECASE)
_NO_VALUE = re.compile(
    r"(?:it|that|this|there|they|he|she|you|what|which|who|one|mine|gone|great|good|bad|fine|nice|awful|boring|hard|broken|"
    r"dead|old|new|closed|full|expensive|cheap|amazing|terrible|ok|okay|sick|away|here|\w+ing)\b",
    re.IGNORECASE,
)


def refine_single_value(groups: MatchGroups) -> MatchGroups | None:
    """A value, under the attribute of the word that it was called by."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    value = _ARTICLE.sub("", tidied["value"])
    noun = tidied["noun"]
    attribute = next(
        name for pattern, name in _ATTRIBUTES if re.fullmatch(pattern, noun, re.IGNORECASE)
    )
    named = attribute in {"employer", "partner", "car", "phone", "gym", "bank"}
    if _NO_VALUE.match(value) or (named and not (value[0].isupper() or value[0].isdigit())):
        return None
    if attribute == DIET_ATTRIBUTE:
        attribute = choose_diet_attribute(value)
    return {**tidied, "value": value, "attribute": attribute, "noun": noun}


def _rule(pattern: str, content: str = "{possessive} {noun} is {value}") -> FactRule:
    return FactRule(
        kind=Kind.FACT,
        pattern=compile_english(pattern),
        content=content,
        refine=refine_single_value,
    )


def _done(attribute: str, content: str, *patterns: str) -> tuple[FactRule, ...]:
    return tuple(
        FactRule(
            kind=Kind.FACT,
            pattern=compile_english(pattern),
            content=content,
            attribute=attribute,
            refine=refine_plain,
        )
        for pattern in patterns
    )


def _eaten(content: str, *patterns: str) -> tuple[FactRule, ...]:
    return tuple(
        FactRule(
            kind=Kind.FACT,
            pattern=compile_english(pattern),
            content=content,
            refine=refine_diet,
        )
        for pattern in patterns
    )


SINGLE = (
    _rule(rf"(?:my|our) {_NEW}{_NOUN}(?: has changed to| is| =|:| are){_NOW} {_VALUE}{_NOW}{_END}"),
    _rule(
        rf"(?:my|our) {_NEW}{_NOUN} (?:went|changed|switched)(?: over)? (?:from [^,.;]{{1,40}}? )?to {_VALUE}{_NOW}{_END}"
    ),
    _rule(
        rf"{_VALUE} (?:is|has become|became)(?: now| still)* (?:my|our) {_NEW}{_NOUN}{_NOW}{_END}"
    ),
    _rule(
        rf"{_VALUE} (?:has |have )?(?:replaced|replaces|beaten|beats) [^,.;]{{1,40}} as (?:my|our) {_NEW}{_NOUN}{_NOW}{_END}"
    ),
    _rule(rf"(?:new|current) {_NOUN}: {_VALUE}{_END}"),
    _rule(rf"{_VALUE} is the {_NOUN} (?:that )?I (?:use|have|go to|drive|prefer|like best)"),
    _rule(
        rf"the {_NOUN} (?:that )?I (?:use|have|go to|drive|prefer|like best|bank with) is {_VALUE}{_END}"
    ),
    *_done(
        "car",
        "{subject} drives {value}",
        rf"(?:I|we)(?: now| currently| still)? (?:drive|own|get around in) (?:an?|the|my) {_NAMED}{_NOW}(?=[,.;!]|$| to\b| and\b)",
        rf"(?:I|we)(?:'ve| have)? traded (?:in )?[^,.;]{{3,40}} for (?:an?|the) {_NAMED}{_NOW}(?=[,.;!]|$)",
    ),
    *_done(
        "gym",
        "{subject} works out at {value}",
        rf"(?:I|we)(?: now| usually| mostly)? (?:work out|train|lift|exercise) at {_NAMED}",
        rf"(?:I've|I have|got|have) (?:got )?a membership (?:at|with) {_NAMED}",
    ),
    *_done(
        "bank",
        "{subject} banks with {value}",
        rf"(?:bank|banking) with {_NAMED}",
        rf"my (?:current |main |salary |bank )?account is (?:at|with) {_NAMED}",
    ),
    *_done(
        "partner",
        "{possessive} partner is {value}",
        rf"(?:my|our) (?:partner|other half|better half|significant other),? {_NAMED}(?=,|[.!]|$)",
        rf"(?:I'm|I am)(?: now| happily)* (?:married to|engaged to|dating|in a relationship with) {_NAMED}",
    ),
    *_eaten(
        "{subject} eats {value}",
        r"(?:I|we)(?: now| mostly| only)? (?:follow|am on|are on|stick to|switched to|went on) an? (?P<value>[\w-]+(?: [\w-]+)?) diet",
        r"my (?P<value>[\w-]+(?: [\w-]+)?) diet (?:makes|means|is|rules)",
    ),
    *_done(
        "city",
        "{subject} lives in {value}",
        r"(?:I've|I have|we've|we have) been living in <PLACE>",
        r"(?:the |our |my )?move from [^,.;]{2,30} to <PLACE> (?:is|went|was)",
    ),
)
"""After all others: where a rule for the very attribute fits, it knows better."""
