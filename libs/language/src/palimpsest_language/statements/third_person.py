"""Third person: "I turned 40" becomes "The user turned 40"."""

import re

_ADVERBS = (
    r"(?:(?:also|still|just|really|actually|always|never|usually|often|only|now|mostly|finally"
    r"|already|ever|hardly|rarely"
    r"|recently|currently|definitely|probably|both|all|sometimes|normally|generally|honestly|even"
    r"|once|obviously|absolutely|no longer|kind of|sort of|almost|nearly|soon|often|rather|quite"
    r"|not|then|only|first|once|mainly|basically|simply|last|better|totally|completely|fully) )*"
)
_FIRST = re.compile(
    (
        rf"\b(?P<who>I|[Ww]e)(?:(?P<short>['’](?:m|ve|ll|d|re))|\s+(?P<adverbs>{_ADVERBS})"
        r"(?P<verb>[a-z]+(?:n['’]t)?))?(?![\w'’])"
    ),
)
_SMALL_I = re.compile(r"(?<![\w'’.])i(?=['’\s])")
_TOGETHER = re.compile(r"(?:[\w’'-]+ ){1,4}and ")
_ME = re.compile(r"\b(?:me|us)\b")
_SHORT = {"m": "is", "re": "is", "ve": "has", "ll": "will", "d": "would"}
_HAD = re.compile(r"\s+(?:\w+ly )?(?:been|had|gone|got|done|seen|better|\w{2,}ed)\b")
"""Behind a 'd that stands for "had"."""
_IRREGULAR = {
    "am": "is", "are": "is", "have": "has", "do": "does", "don't": "doesn't", "don’t": "doesn't",
    "haven't": "hasn't",
    "haven’t": "hasn't", "aren't": "isn't", "aren’t": "isn't", "were": "was", "weren't": "wasn't",
    "weren’t": "wasn't",
    "wanna": "wants to", "gonna": "is going to", "gotta": "has to",
}  # fmt: skip
_UNCHANGED_WORDS = """
    was had did didn't didn’t hadn't wasn't will won't won’t would wouldn't can can't can’t cannot
    could couldn't may might must should shouldn't shall used went came saw took gave made got said
    told thought bought brought taught caught found lost met left felt kept slept spent built sent
    heard held led read ran began became broke chose drove drank ate fell flew forgot froze grew
    hid hit hurt knew lay let lived put quit rode rang rose sang sat set shook shot shut sold sank
    spoke stood stole swam threw understood woke wore won wrote cut cost drew dug fed fought hung
    laid lent lit paid rented split swore tore wept and or who that in of from with for to at on
    about the a an this these those my your his her their both all guys too when if then now again
    any some more what how as by up out off over so just but not cannot cannae dinnae wasnae
    wouldnae meant dealt dreamt leant leapt burnt spilt spoilt spelt smelt swept crept bent bound
    bit blew burst cast clung dwelt flung forgave ground knelt mistook overslept overcame overheard
    outgrew rewrote rebuilt redid retook shone shrank slid sought spat spun sprang spread stuck
    stung stank strode struck strung swung thrust trod undid upset withdrew underwent undertook
    misread wound because while where there here learnt without into onto than after before until
    since
"""
_UNCHANGED = frozenset(_UNCHANGED_WORDS.split())
_PRESENT_WORDS = """
    need feed speed breed weed bleed seed exceed proceed succeed bring sing ring swing cling fling
    sling spring sting apply rely reply supply fly multiply comply imply
"""
_PRESENT = frozenset(_PRESENT_WORDS.split())
"""They only look like past tenses, participles and adverbs."""
_OTHERS = tuple(
    (re.compile(pattern, flags), third)
    for pattern, third, flags in (
        (r"\bI['’]m\b|\bI am\b", "they are", 0),
        (r"\bI['’]ve\b", "they have", 0),
        (r"\bI['’]ll\b", "they will", 0),
        (r"\bI['’]d\b", "they would", 0),
        (r"\bI was\b", "they were", 0),
        (r"\bI\b", "they", 0),
        (r"\bwe['’]re\b", "they are", re.IGNORECASE),
        (r"\bwe['’]ve\b", "they have", re.IGNORECASE),
        (r"\bwe['’]ll\b", "they will", re.IGNORECASE),
        (r"\bwe\b", "they", re.IGNORECASE),
        (r"\b(?:myself)\b", "themselves", re.IGNORECASE),
        (r"\b(?:ourselves)\b", "themselves", re.IGNORECASE),
        (r"\bmine\b|\bours\b", "theirs", re.IGNORECASE),
        (r"\bme\b|\bus\b", "them", 0),
        (r"\bmy\b|\bour\b", "their", re.IGNORECASE),
    )
)


def retell_in_english(text: str, who: str, listener: str) -> str:
    """Told of `who` ("the user", "Marek"), named once; whoever that is, further on they are they.

    What says neither "I" nor "my" is left as it is. "You" is the listener. A small "i" is "I".
    """
    text = _to(_SMALL_I.sub("I", text), listener)
    possessive = f"{who}'s"
    match = _FIRST.search(text)
    mine = re.search(r"\b(?:my|our)\b", text, re.IGNORECASE)
    if match and (mine is None or match.start() < mine.start()):
        head, tail = text[: match.start()], text[match.end() :]
        several = match["who"] == "I" and _TOGETHER.fullmatch(head) is not None
        predicate = _predicate_of_several(match) if several else _predicate(match, tail)
        return _others(head) + who + predicate + _others(tail)
    if mine:
        return _others(text[: mine.start()]) + possessive + _others(text[mine.end() :])
    return _others(_ME.sub(who, text, count=1))


def name_team(text: str) -> str:
    """Replace "we" by the team: one of several agents says it of all of them."""
    text = re.sub(r"\b[Ll]et['’]s\b|\b[Ll]et us\b", "the team will", text)
    for short, verb in _SHORT.items():
        text = re.sub(rf"\b[Ww]e['’]{short}\b", f"the team {verb}", text)
    text = re.sub(
        r"\b[Ww]e ([a-z]+(?:n['’]t)?)",
        lambda match: f"the team {to_third_person_verb(match[1])}",
        text,
    )
    text = re.sub(r"\b[Oo]ur\b", "the team's", text)
    return re.sub(r"\bus\b", "the team", text)


def _predicate(match: re.Match[str], tail: str) -> str:
    if short := match["short"]:
        if short[1:] == "d" and _HAD.match(tail):
            return " had"
        return " " + _SHORT[short[1:]]
    if verb := match["verb"]:
        return f" {match['adverbs']}{to_third_person_verb(verb)}"
    return ""


def _predicate_of_several(match: re.Match[str]) -> str:
    """“Elena and I are moving”: what two do is told as it was said."""
    if short := match["short"]:
        return " are" if short[1:] == "m" else short
    return f" {match['adverbs']}{match['verb']}" if match["verb"] else ""


def to_third_person_verb(verb: str) -> str:
    """The verb as it stands behind he or she; what is no present tense stays."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb in _UNCHANGED or (verb.endswith(("ed", "ing", "ly")) and verb not in _PRESENT):
        return verb
    if verb.endswith(("s", "x", "ch", "sh", "o", "z")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def _to(text: str, listener: str) -> str:
    text = re.sub(r",\s*you know(?=$|[.!,;])", "", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(both|all|each|either) of you\b", r"\1 of them", text, flags=re.IGNORECASE)
    text = re.sub(r"\byour\b", f"{listener}'s", text, flags=re.IGNORECASE)
    text = re.sub(r"\byou(?:['’]re| are)\b", f"{listener} is", text, flags=re.IGNORECASE)
    return re.sub(
        r"\byou(?: ([a-z]+))?\b",
        lambda match: f"{listener} {to_third_person_verb(match[1])}" if match[1] else listener,
        text,
        flags=re.IGNORECASE,
    )


def _others(text: str) -> str:
    for pattern, third in _OTHERS:
        text = pattern.sub(third, text)
    return text


_I = r"(?:(?<!自)|(?<=来自))我"
"""自我介绍 is of nobody; 来自我的家乡 is."""
_FIRST_CHINESE = re.compile(rf"{_I}们?|咱们?|俺")


def retell_in_chinese(text: str, who: str, listener: str) -> str:
    """The first 我 is named, the others are 自己; 你 is the listener."""
    text = re.sub(r"(?<!迷)你们?(?!好)", listener, text)
    told = _FIRST_CHINESE.sub(who, text, count=1)
    return re.sub(rf"{_I}(?!们)", "自己", told)
