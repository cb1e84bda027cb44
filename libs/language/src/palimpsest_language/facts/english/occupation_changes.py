"""Trades that begin and end: "I'm not a nurse any more", "I quit teaching", "I started as a baker last week"."""

from functools import partial

from palimpsest.model.kinds import Kind
from palimpsest_language.attribution.attribute_topic import join_alternatives
from palimpsest_language.attribution.english_names import CALLINGS
from palimpsest_language.facts.english.occupations import OCCUPATION, PRACTICE, PRACTISED
from palimpsest_language.facts.english.shared_patterns import (
    compile_english,
    refine_plain,
    refine_with_article,
)
from palimpsest_language.facts.rule import MatchGroups
from palimpsest_language.facts.rule_factory import build_rules

_TRADE = rf"(?:{join_alternatives(CALLINGS)}|{OCCUPATION})"
_VALUE = rf"(?P<value>(?:(?!not\b|and\b|but\b|or\b|for\b|at\b|in\b)[\w/+#&-]+ ){{0,3}}?{_TRADE})(?![\w-])"
_A = r"(?P<article>an?|the|their) "
_JUST = r"(?: (?:just|recently|finally|now|actually|also|officially|already|sadly|have|only))*"
_NO_MORE = r"(?=(?: (?:at|for|in|with) [^,.;!?]{2,30}?)? (?:any ?more|any longer)\b)"
_GIVES_UP = r"(?:stopped|quit|quitted|given up|gave up|packed in|finished|done with|left|retired from|got out of|am done|'m done(?: with)?|jacked in|chucked in)"
_BEGINS = r"(?:(?:started|begun|began|landed|found|got) (?:a|my|the|this|an)(?: brand)?(?: new)? (?:job|post|role|position|gig|career)|started|started out|started work|started working|begun|began|begun work|began work|begun working|began working|taken (?:a|the) (?:new )?(?:job|post|role|position)|took (?:a|the) (?:new )?(?:job|post|role|position)|been (?:taken on|hired)|was (?:taken on|hired)|got (?:taken on|hired)|retrained|requalified|qualified)"
_HAVING_LEFT = r"<LEFT_OUT>(?:I(?:'ve|'m)? (?:\w+ ){0,2}?)?(?:quit|left|stopped|gave up|given up|packed in|no longer|not)\b[^.;!?]{3,60}?,? (?:and |now |then |so )*"

_holds = partial(build_rules, compile_english)


def refine_begun_occupation(groups: MatchGroups) -> MatchGroups | None:
    """What somebody is from then on; no trade that only begins a tale of how they got on."""
    tidied = refine_plain(groups)
    return None if tidied is None or groups.get("then") else tidied


def refine_practised_occupation(groups: MatchGroups) -> MatchGroups | None:
    """The trade of whoever does that for a living."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    return refine_with_article({"value": PRACTISED[" ".join(tidied["value"].lower().split())]})


_ACTIVITY = rf"(?P<value>{PRACTICE})"
_NO_CLASS = r"(?! (?:class(?:es)?|course|school|degree|home|my|our|his|her|them|him|kids|him|yoga|piano|english|spanish|french)\b)"

TRADES = (
    *_holds(
        "job",
        Kind.FACT,
        "{subject} is no longer {article} {value}",
        refine_with_article,
        rf"(?:I'm|I am){_JUST} no longer (?:working as )?{_A}{_VALUE}",
        rf"(?:I'm|I am){_JUST} not (?:working as )?{_A}{_VALUE}{_NO_MORE}",
        rf"(?:I ain't|I'm not|I am not)(?: actually| really)? {_A}{_VALUE}{_NO_MORE}",
        rf"<LEFT_OUT>(?:not|no longer) {_A}{_VALUE}{_NO_MORE}",
        rf"<LEFT_OUT>no longer {_A}{_VALUE}",
        rf"I{_JUST} no longer (?:work|am working) as {_A}{_VALUE}",
        rf"I{_JUST} (?:don't|do not) work as {_A}{_VALUE}{_NO_MORE}",
        rf"(?:I(?:'ve|'m| am)?{_JUST}|<LEFT_OUT>) ?(?<![^ ]){_GIVES_UP} (?:working as|work as|being) {_A}{_VALUE}",
        rf"I(?:'ve)?{_JUST} (?:quit|left|lost|given up|gave up|resigned from|packed in|handed in my notice (?:at|for)|jacked in) (?:my|the) (?:old |full[- ]time |part[- ]time )?(?:job|work|role|post|position|gig) as {_A}{_VALUE}",
        rf"I(?:'ve)?{_JUST} (?:quit|left|lost|given up|gave up|resigned from|packed in|jacked in) (?:my|the) {_VALUE} (?:job|role|post|position|gig)",
        rf"my (?:time|days|career|life|stint|years) as {_A}{_VALUE} (?:is|are|was|has|have)(?: now| finally| all)* (?:over|done|behind me|ended|finished|come to an end)",
        ended=True,
    ),
    *_holds(
        "job",
        Kind.FACT,
        "{subject} is no longer {article} {value}",
        refine_practised_occupation,
        rf"(?:I(?:'ve|'m| am)?{_JUST}|<LEFT_OUT>) ?(?<![^ ]){_GIVES_UP} {_ACTIVITY}{_NO_CLASS}(?![\w-])",
        rf"(?:I'm|I am){_JUST} (?:no longer|not) (?:in )?{_ACTIVITY}{_NO_CLASS}(?=[,.;!]|$| any ?more\b| any longer\b)",
        rf"I{_JUST} (?:quit|left|given up|gave up|packed in|jacked in) (?:my|the) {_ACTIVITY} (?:job|role|post|position|gig|career)",
        ended=True,
    ),
    *_holds(
        "job",
        Kind.FACT,
        "{subject} is {article} {value}",
        refine_begun_occupation,
        rf"(?:I(?:'ve)?{_JUST}|<LEFT_OUT>|{_HAVING_LEFT}) ?(?<![^ ]){_BEGINS} as {_A}{_VALUE}(?P<then>(?: [^,.;]{{0,40}}?)?,?(?: and| but|;)(?: I| I'm| am)? (?:now|worked my way|then|moved up|ended up)| (?:ten|\d+) years ago| before| when I was| back (?:in|when))?",
    ),
)
"""In the words of whoever it is so for."""
