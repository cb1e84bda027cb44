"""Who somebody says they are, in everyday words: "everybody calls me Maggie", "it's Sam again", "I'm Nora"."""

import re

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.english.shared_patterns import compile_english, refine_plain
from palimpsest_language.facts.rule import FactRule, MatchGroups

_NOBODY = """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September
    October November December Christmas Easter Halloween Thanksgiving Ramadan Diwali Hanukkah Passover Lent
    American German French Dutch Greek Swiss Thai Jewish Catholic Muslim Christian Buddhist Hindu Sikh Black White Asian Latino
    Latina Hispanic Mexican Korean Moroccan Cuban African European Texan Czech Welsh Scots Arab Kurdish Filipino Filipina
    Taurus Gemini Virgo Libra Scorpio Aries Cancer Capricorn Aquarius Pisces Sagittarius Protestant Orthodox Republican Democrat
    Team Fine Good Great Okay Ok Sorry Done Back Here Home Sure Sick Tired Happy Sad Busy Late Not Just Also So Very Vegan
    Vegetarian Celiac Coeliac Diabetic Dyslexic Autistic Bipolar Gay Straight Trans Queer Single Married Divorced Pregnant
    Retired Hungry Vaccinated Mr Mrs Ms Dr God Mom Mum Dad Student Teacher Nurse Doctor Engineer Software Head Chief Senior
"""
_NO_NAME = frozenset(_NOBODY.split())
_OF_A_PEOPLE = re.compile(r"\w+(?:ian|ish|ese|ean|ing|ed)")
_NAMED_SO = frozenset(
    [
        "Brian",
        "Adrian",
        "Julian",
        "Vivian",
        "Lilian",
        "Lillian",
        "Damian",
        "Fabian",
        "Sebastian",
        "Christian",
        "Dorian",
        "Ian",
        "Gillian",
        "Jillian",
        "Marian",
        "Vian",
        "Cillian",
        "Cian",
        "Killian",
        "Anish",
        "Manish",
        "Satish",
        "Ashish",
        "Trish",
        "Harish",
        "Girish",
        "Sean",
        "Jean",
        "Dean",
        "Ming",
        "Ling",
        "Jing",
        "Qing",
        "Ying",
        "Ping",
        "Ning",
        "King",
        "Sterling",
        "Ted",
        "Ned",
        "Fred",
        "Jed",
        "Mohamed",
        "Mohammed",
        "Ahmed",
        "Reed",
        "Alfred",
        "Zed",
        "Jared",
        "Wilfred",
        "Khaled",
        "Sayed",
        "Saed",
        "Waleed",
    ]
)
_ALL = r"(?:everyone|everybody|people|most people)"
"""What friends or children say is theirs: Papa is no wish of whoever is called so."""


def refine_introduced_name(groups: MatchGroups) -> MatchGroups | None:
    """A name, and no day, people or trade that is written with a capital as well."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    first = tidied["value"].split()[0]
    if first in _NO_NAME or (first.isupper() and len(first) > 1):
        return None
    if _OF_A_PEOPLE.fullmatch(first) and first not in _NAMED_SO:
        return None
    return tidied


def _rule(attribute: str, content: str, pattern: str) -> FactRule:
    return FactRule(
        kind=Kind.PREFERENCE if attribute == "preferred_name" else Kind.FACT,
        pattern=compile_english(pattern),
        content=content,
        attribute=attribute,
        refine=refine_introduced_name,
        names_entity=True,
    )


_NAME = r"(?P<value>(?-i:[A-Z][a-zà-ÿ’-]+(?:\s(?!I\b)[A-Z][a-zà-ÿ’-]+)?))"
_GREETING = r"(?:hi|hello|hey|hiya|good (?:morning|evening|afternoon))(?: there| all| everyone| again)?[,.! ]+"
_END = r"(?=[.!]?$|[,.!] | and I\b| - | – | — )"

INTRODUCING = (
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"^(?:(?:yo|hi|hey|hello|hiya|so|well|oh)[,!.]? )*(?:it's|its|I'm|I am|this is),? (?:me,? )?(?:[^\W\d_]+, ?)?[1-9]\d(?: years old)?,? "
            r"(?:an? )?(?P<job>(?!living\b|staying\b|here\b|now\b)[a-z][\w-]*(?: [a-z][\w-]*){0,3})(?<!ing)(?<!ed) (?:at|with|w/|@) "
            r"(?P<value>(?-i:[A-Z][\w&’-]+)(?: (?:&|and|of|(?-i:[A-Z])[\w’-]*)){0,3})(?= in\b|[,.;!]|$| and\b)"
        ),
        content="{subject} works for {value} as {job}",
        attribute="employer",
        refine=refine_plain,
        names_entity=True,
    ),
    _rule(
        "preferred_name",
        "{subject} is called {value}",
        rf"{_ALL}(?: (?:all|just|usually|always|mostly|still|here))* calls? me {_NAME}(?=[,.;!]|$| (?:and|but|though|because|so|anyway)\b)",
    ),
    _rule(
        "preferred_name",
        "{subject} is called {value}",
        rf"(?:but|just|though|or),? {_NAME} is (?:fine|ok|okay|good|enough|great)(?=[,.!]|$| (?:too|with me|by me)\b)",
    ),
    _rule(
        "name",
        "{possessive} name is {value}",
        rf"{_GREETING}(?:it's|it is|this is)(?: me)?,? {_NAME}(?=(?: (?:again|here|speaking))?{_END})",
    ),
    _rule(
        "name",
        "{possessive} name is {value}",
        rf"^(?:it's|it is|this is)(?: me)?,? {_NAME} (?:again|here|speaking)(?=[,.!]|$)",
    ),
    _rule(
        "name", "{possessive} name is {value}", rf"^{_NAME} (?:here|speaking)(?: again)?(?=[,.!]|$)"
    ),
    _rule(
        "name",
        "{possessive} name is {value}",
        rf"^(?:{_GREETING}|so |well |oh )?(?:I'm|I am) {_NAME}(?: by the way| btw)?(?=[.!]?$|[.!] |, (?:your|the new|nice|and|I|I'm|I've|a \w+|an \w+|\d\d)\b| and (?:I|I'm|I've)\b)",
    ),
)
"""What looks like a name may be a people or a place: these stand alone, or say that it is one."""
