"""What changes once in a while and is one thing at a time: a shift, a host, a trade, a year of birth."""

from functools import partial

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.english.shared_patterns import compile_english, refine_plain
from palimpsest_language.facts.rule import MatchGroups
from palimpsest_language.facts.rule_factory import build_rules
from palimpsest_language.wording.statement_text import to_third_person

_LATELY = r"(?: (?:just|recently|finally|have|sadly|actually|kind of|also|now))*"
_SHIFT = r"(?P<value>nights?|days?|evenings?|mornings?|earlies|lates|swings?|graveyards?)(?: shifts?)?(?! (?:off|out|in|away|and (?!I\b)|or|a|per|ago|like|at a time|where|when|later|left|of)\b)"
_BOSS = r"(?:they|my (?:boss|manager|supervisor|work|team|lead)|work|the (?:hospital|boss|company|ward|plant|warehouse|factory|manager)|he|she)"
_THING = (
    r"(?:my|our|the|this) (?P<thing>(?:[\w-]+ ){0,2}?(?:app|apps|application|site|website|blog|backend|back end|frontend|front end|api|server|service|shop|store|"
    r"portfolio|project|bot|database|staging|production|platform|game|side project|api server|dashboard))"
)
_HOST = r"(?P<value>(?-i:[A-Z])[\w+#-]*(?:\.(?:io|com|dev|net|app))?(?: (?-i:[A-Z])[\w+#-]*){0,2})(?![\w-])"
_FROM = (
    r"(?P<replaced>(?-i:[A-Z])[\w+#-]*(?:\.(?:io|com|dev|net|app))?(?: (?-i:[A-Z])[\w+#-]*){0,2})"
)
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Aug|Sept?|Oct|Nov|Dec)"

_FOR_YEARS = r" for (?:over |about |almost |nearly |more than |some )?(?:\d{1,2}|ten|fifteen|twenty|thirty|forty|fifty|twenty-five|thirty-five|many|most of my)(?: (?:odd|or so|long))? ?(?:years|career|life|decades)"
_DID = "taught|drove|repaired|nursed|farmed|flew|managed"
_WHAT = r"(?:an? |the )?(?:(?!in\b|at\b|for\b)[\w-]+ ){0,2}?(?!in\b|at\b|for\b)[\w-]+"
_WHERE = r" (?:in|at) (?:[\w-]+ ){0,3}?[\w-]+"
_TRADE = r"(?:teacher|nurse|doctor|engineer|driver|plumber|electrician|carpenter|mechanic|chef|cook|pilot|lawyer|accountant|manager|secretary|librarian|farmer|miner|welder|soldier|sailor|officer|policeman|firefighter|journalist|editor|writer|architect|designer|developer|programmer|scientist|researcher|professor|lecturer|dentist|vet|pharmacist|midwife|paramedic|postman|clerk|banker|baker|butcher|barber|hairdresser|tailor|builder|electrician|surveyor|foreman|machinist|operator|technician|consultant|analyst|translator|photographer|musician|actor|dancer|painter|waiter|waitress|barista|shopkeeper|salesman|saleswoman|receptionist|headteacher|principal|social worker|civil servant)"

_holds = partial(build_rules, compile_english)


def refine_shift(groups: MatchGroups) -> MatchGroups | None:
    """Night shift, nights and the night shift are one."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    value, where = tidied["value"].lower(), to_third_person(tidied.get("where", ""))
    return {**tidied, "where": where, "value": value if value.endswith("s") else f"{value}s"}


def refine_host(groups: MatchGroups) -> MatchGroups | None:
    """The host of a thing that is called by what it is: each thing has one."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    thing = tidied["thing"].lower()
    noun = thing.replace("back end", "backend").replace("front end", "frontend")
    attribute = "host_of_" + noun.replace("-", "_").replace(" ", "_")
    return {**tidied, "thing": thing, "attribute": attribute}


SITUATION = (
    *_holds(
        "shift",
        Kind.FACT,
        "{subject} works {value} {where}",
        refine_shift,
        rf"I(?:'m)?{_LATELY}(?: mostly| usually| always| only| still| currently)* (?:work|working|do|doing) (?:the |a )?{_SHIFT}(?P<where> (?:at|in|as|for) (?:[^\s,.;!]+ ){{0,3}}?[^\s,.;!]+)?(?=[,.;!]|$| now| so| and I\b| these| because)",
        rf"(?:I'm|I am)(?: now| back| still| currently)* (?:on|working) (?:the )?{_SHIFT}(?= now| at| this month| these days| again|[,.;!]|$)",
        rf"{_BOSS}(?:'ve| have| has)?{_LATELY} (?:moved|switched|put|changed|transferred) me (?:back )?(?:over )?(?:to|onto|on) (?:the )?{_SHIFT}",
        rf"I(?:'ve)?{_LATELY} (?:switched|moved|gone|went|changed|got moved|was moved|got put|been moved)(?: back| over)? (?:to|on|onto) (?:the )?{_SHIFT}",
    ),
    *_holds(
        "{attribute}",
        Kind.FACT,
        "{possessive} {thing} is hosted on {value}",
        refine_host,
        rf"{_THING}(?: is| are|'s)?(?: all| now| still| currently| being)* (?:hosted|deployed|running|runs|run|live|lives)(?: now| currently)* (?:on|at|with) {_HOST}",
        rf"(?:I|we)(?:'ve| have|'m|'re| am| are)?{_LATELY} (?:host|hosting|deploy|deployed|deploying|run|running) {_THING} (?:on|at|with|to) {_HOST}",
        rf"(?:(?:I|we)(?:'ve| have|'m|'re| am| are)?{_LATELY} )?(?:mov(?:ed|ing)|migrat(?:ed|ing)|switch(?:ed|ing)) {_THING}(?: over)? from {_FROM} to {_HOST}",
        rf"(?:(?:I|we)(?:'ve| have|'m|'re| am| are)?{_LATELY} )?(?:mov(?:ed|ing)|migrat(?:ed|ing)|switch(?:ed|ing)) {_THING}(?: over)?(?: off {_FROM})?(?: and)? (?:to|onto) {_HOST}",
    ),
    *_holds(
        "job",
        Kind.FACT,
        "{subject} used to be {article} {value} {long}",
        refine_plain,
        rf"I(?: was| used to be| worked as)(?: also)? (?P<article>an?) (?P<value>(?:[\w-]+ ){{0,2}}?{_TRADE})(?P<long>{_FOR_YEARS}|(?: back)? before (?:that|I retired|I had (?:kids|children)|this))",
        rf"I used to (?:be|work as) (?P<article>an?) (?P<value>(?:[\w-]+ ){{0,2}}?{_TRADE})(?![\w-])",
        rf"(?:I'm|I am)(?: now)? retired,? (?:and |but )?I (?:was|used to be|worked as) (?P<article>an?) (?P<value>(?:[\w-]+ ){{0,2}}?{_TRADE})(?![\w-])",
        ended=True,
    ),
    *_holds(
        "career",
        Kind.FACT,
        "{subject} {did} {value} {where} {long}",
        refine_plain,
        rf"I (?P<did>{_DID}) (?P<value>{_WHAT})(?P<where>{_WHERE})?(?P<long>{_FOR_YEARS})",
        rf"^(?P<did>{_DID}) (?P<value>{_WHAT})(?P<where>{_WHERE})?(?P<long>{_FOR_YEARS})(?=[.!]?$| before I|,? (?:now|and now|retired)\b)",
    ),
    *_holds(
        "birth_year",
        Kind.FACT,
        "{subject} was born in {value}",
        refine_plain,
        rf"I was born(?: back)? in (?P<value>(?:{_MONTH},? (?:of )?)?(?:19|20)\d\d)(?!\w)",
    ),
)
"""In the words of whoever it is so for."""
