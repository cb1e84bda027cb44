"""Who is with whom, and who is with nobody: "we broke up", "I'm seeing someone", "Noor and I are official"."""

from collections.abc import Callable

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.english.shared_patterns import compile_english, refine_plain
from palimpsest_language.facts.rule import FactRule, MatchGroups, RefineGroups

_LATELY = r"(?: (?:just|recently|finally|have|officially|kinda|kind of|sadly|actually|now|also|happily|newly|still))*"
_PARTNER = r"(?:girlfriend|boyfriend|partner|husband|wife|fianc[eé]e?|gf|bf|missus|other half)"
_AM = r"(?:I'm|I am|we're|we are)"
_END = (
    r"(?=[,.;!:]|$| (?:last|this|yesterday|today|now|again|since|for|because|after|before|in|on|and|but|so|back|about|at|lol"
    r"|\w+ (?:weeks?|months?|years?|days?) ago)\b)"
)
_ALONE = r"(?=[,.;!:]|$| (?:now|since|and|but|so|with (?:\w+ )?kids)\b)"
_WHEN = (
    r"(?P<when> (?:in|on|last|this|yesterday|back in)(?: [\w’]+){0,3}?(?:, \d{4})?(?=[,.;!]|$))?"
)
_PERSON = (
    r"(?P<value>(?!(?:he|she|they|it|we|you|this|that|these|those|who|things|both|everyone|everything|people|him|her|them|me|us|mum|mom|mam|dad)\b)"
    r"[^\W\d_][\w’-]+)"
)
_SOMEBODY = r"(?:this|a|some) (?:(?:really |very |lovely |nice |cute |new |great )*)(?:girl|guy|woman|man|lad|lass|bloke|chap|fella|dude|person)"


def _state(value: str) -> RefineGroups:
    """The status that the words come to, whichever they are."""

    def refine(groups: MatchGroups) -> MatchGroups | None:
        return {**groups, "value": value}

    return refine


def refine_partner_name(groups: MatchGroups) -> MatchGroups | None:
    """A name, with its capital where somebody writes without."""
    tidied = refine_plain(groups)
    if tidied is None or " " in tidied["value"]:
        return None
    value = tidied["value"]
    return {**tidied, "value": value[:1].upper() + value[1:]}


def _status(value: str, content: str, *patterns: str) -> tuple[FactRule, ...]:
    said = (rf"(?P<value>{pattern})" for pattern in patterns)
    return tuple(_rule("marital_status", content, _state(value), pattern) for pattern in said)


def _rule(
    attribute: str, content: str, refine: Callable[[MatchGroups], MatchGroups | None], pattern: str
) -> FactRule:
    return FactRule(
        kind=Kind.PERSON if attribute == "partner" else Kind.FACT,
        pattern=compile_english(pattern),
        content=content,
        attribute=attribute,
        refine=refine,
        names_entity=attribute == "partner",
    )


COUPLES = (
    _rule(
        "partner",
        "{subject} is seeing {value}",
        refine_partner_name,
        rf"(?:{_AM}|<LEFT_OUT>){_LATELY} ?(?<![^ ])(?:seeing|dating|going out with) {_SOMEBODY},? (?:called |named )?(?!(?:from|at|who|in|with|that|I|for|and|named|called)\b){_PERSON}",
    ),
    _rule(
        "partner",
        "{subject} and {value} are together",
        refine_partner_name,
        rf"<LEFT_OUT>(?:me (?:and|n|&|'n) {_PERSON}) (?:are|r){_LATELY} (?:official|together|a couple|dating|an item|engaged|married){_END}",
    ),
    _rule(
        "partner",
        "{subject} and {value} are together",
        refine_partner_name,
        rf"<LEFT_OUT>{_PERSON} (?:and|n|&|'n) (?:me|I) (?:are|r){_LATELY} (?:official|together|a couple|dating|an item|engaged|married){_END}",
    ),
    *_status(
        "single",
        "{subject} broke up with their partner",
        rf"we{_LATELY} (?:broke up|split up|called it quits|parted ways|broken up){_END}",
        rf"(?:me and my {_PARTNER}|my {_PARTNER} and (?:I|me)){_LATELY} (?:broke up|split up|split|called it quits|parted ways|are no longer together|broken up){_END}",
        rf"I(?:'ve)?{_LATELY} (?:broke up|split up|broken up|ended things) with my {_PARTNER}{_END}",
        rf"my {_PARTNER}{_LATELY} (?:dumped me|left me|broke up with me){_END}",
    ),
    *_status(
        "single",
        "{subject} is single",
        rf"(?:I'm|I am){_LATELY} single(?: and ready to mingle)?{_END}",
    ),
    *_status(
        "divorced",
        "{subject} is divorced",
        rf"(?:I'm|I am|I got|we got|we're|we are){_LATELY} divorced{_END}",
    ),
    *_status(
        "seeing someone",
        "{subject} is seeing someone",
        rf"{_AM}{_LATELY} (?:seeing|dating) (?:someone|somebody)(?: new| special)?(?! (?:about|at|on|in|for|who)\b){_END}",
        rf"{_AM}{_LATELY} in a (?:new |serious |committed |long[- ]distance )?relationship{_END}",
    ),
    *_status(
        "engaged",
        "{subject} got engaged {when}",
        rf"(?:we|I)(?:'ve)?{_LATELY} (?:got|gotten) engaged{_WHEN}{_END}",
    ),
    *_status("engaged", "{subject} is engaged", rf"{_AM}{_LATELY} engaged{_ALONE}"),
    *_status(
        "married",
        "{subject} got married {when}",
        rf"(?:we|I)(?:'ve)?{_LATELY} (?:got|gotten) married{_WHEN}{_END}",
    ),
    *_status("married", "{subject} is married", rf"{_AM}{_LATELY} married{_ALONE}"),
)
"""What is told of a couple without a name says how things stand all the same."""
