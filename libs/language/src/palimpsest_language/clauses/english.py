"""Clauses in English: boundaries of statements within a sentence."""

import re
from collections.abc import Iterator

_SUBJECT = (
    r"(?:(?:I|we|you|he|she|they|it|that|there|this)(?:['’](?:m|s|re|ve|ll|d))?"
    r"|(?:im|ive|its|hes|shes|theyre|weve|theres|thats)"
    r"|(?!(?:that|which|who|what|it|and|or)\b)[a-z]+ (?:lives|goes|runs|stays|sits|works|needs"
    r"|comes|costs|opens|closes|starts|ends) (?:in|on|at|from|to|through|up|by|until|with|\d)"
    r"|(?:my|our|his|her|their|your|the|both|neither|nobody|everyone|everybody) [\w'’-]+"
    r"|[A-Z][\w’'-]+ (?:is|was|has|will|wants|likes|loves|hates|said|and I))\b"
)
_MEANWHILE = (
    r"(?:(?:now|then|also|actually|honestly|in fact|luckily|sadly|today|tomorrow|yesterday|"
    r"(?:\w+ ){1,3}ago,?|last \w+,?|next \w+,?|on \w+day,?) )?"
)
_LINK = r"(?:and|but|so|or|then|though|plus|also|while|whereas)"

_NEW_SUBJECT = re.compile(
    rf"\s*[,;—–]+\s*(?:{_LINK}\s+)?(?={_MEANWHILE}{_SUBJECT}(?!\w))"
    rf"|\s+(?:and|but|so)\s+(?={_MEANWHILE}(?:(?:I|we|he|she|they|it|that|there)\b|"
    r"(?:my|our|his|her)\s))"
    r"|\s*[,;]\s*(?:and |so )?(?=(?:can|could|would|will) (?:you|we|someone)\b)"
    r"|\s+and\s+(?=(?-i:[A-Z])\w+ (?:\w+ed|hates?|loves?|likes?|wants?|says?|is|was|has|had|went"
    r"|got)\b)"
    r"|\s*[,;]\s*(?:and |so |but )?(?=(?:what|which|where|when|how|who|why)(?: \w+){0,2}? "
    r"(?:should|can|could|would|do|does|shall) (?:I|we|you)\b[^,;]*$)"
    r"|\s*[,;]\s*(?:and |so |but )?(?=(?:what|where|when|how|who|why|which (?!is|was|are|were"
    r"|ha[ds]|have|makes?|means?))\b[^,;]*[?]\W*$)"
    r"|\s*[,;]\s+(?=[^,;]*\b(?:would|might|could)(?:['’]ve| have)\b)"
    r"|\s*[,;]\s+(?=(?:until|till|by|before|after) (?:then|that)\b|in the meantime\b|meanwhile\b)"
    r"|\s+[—–-]{1,2}\s+",
    re.IGNORECASE,
)
_NEW_ORDER = re.compile(
    r"\s*[,;]\s*(?:and |but |so )?(?=(?:(?:please |pls |always |never (?!"
    r"(?:more|less|fewer|under|over|by|on|in|at|before|after|with|via|for|the|an?)\b)|don['’]t "
    r"|do not |no )\w)|(?:chase|call|send|ask|remind|email|book|order|ping) "
    r"(?:them|him|her|it|me|the|my)\b)"
    r"|\s+so\s+(?=(?:please |pls |never |don['’]t |do not |no "
    r"(?!one|longer|far|much|many|that)|keep |stop )\w)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?<=[\w.?!:,;])\s+(?=[1-9][.)]\s\w)")
_COMMA_AND = re.compile(r"\s*[,;]\s+(?:and|but|so)\s+(?=\w)", re.IGNORECASE)
_COMMA = re.compile(
    r"\s*[,;]\s+(?:and\s+)?|\s+so\s+(?!that\b|I can\b|we can\b|far\b|much\b|many\b)"
)
_TIME = re.compile(
    r"\d|\b(?:today|tomorrow|tonight|yesterday|monday|tuesday|wednesday|thursday|friday|saturday"
    r"|sunday"
    r"|week|month|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b"
    r"(?:weds?|thurs?|tues?|tmrw|tmr|tmw)\b",
    re.IGNORECASE,
)
_SHARED = re.compile(r"\s+(?:and|but|so)\s+$", re.IGNORECASE)
_ANOTHERS = re.compile(
    (
        r"(?:my|our|his|her) (?:(?:\d+|two|three|four|five|six|several|many|few|little|young|old"
        r"|other) )*[\w-]+"
    ),
    re.IGNORECASE,
)
_TITLED = re.compile(
    r",\s+(?:and\s+)?(?=(?:Dr|Mrs?|Ms|Prof)\.? [A-Z][\w’-]+(?: [A-Z][\w’-]+)? "
    r"(?:is|was|has|[a-z]+s|[a-z]+ed)\b)"
)
"""“Dr. Voss is my dentist, Prof. Jansen supervises my thesis”: another subject with its own verb.
"""
_WITH_SPEAKER = re.compile(
    r"\W*(?:(?:so|and|but|well|oh|yeah|yes),? )?(?:[A-Z][\w’-]+|(?:[Mm]y|[Oo]ur) "
    r"(?:[\w-]+ )?[\w-]+(?: [A-Z][\w’-]+)?) and "
)
_SPEAKER = re.compile(r"I\b")
_VERB = re.compile(
    r"['’](?:s|m|re|ve|d|ll)\b|n['’]t\b|\b(?:is|are|was|were|has|have|had|do|did|can|will|would"
    r"|should|must|need|went|got|came|saw"
    r"|took|made|gave|left|met|ran|said|want|love|hate|like|live|work|go|play|sleep|eat|come|get"
    r"|keep|take"
    r"|\w{2,}ed|(?!his|this|us\b|always|as\b|yes|plus|thus)[a-z]{2,}[^s\W]s)\b"
)
_ASKS = re.compile(
    (
        r"^\W*(?:\w+,? ){0,2}?(?:can|could|would|will) (?:you|u)\b|^\W*"
        r"(?:please|pls|remind me|ping me)\b"
    ),
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"\bso\s+$", re.IGNORECASE)
_CONDITION = re.compile(
    r"^\W*(?:if|when|once|unless|before|after|until|while|since|although|though)\b", re.IGNORECASE
)


def find_english_boundaries(sentence: str) -> Iterator[int]:
    """Yield the positions where a clause begins, except the first, in order."""
    positions = {match.end() for match in _NEW_SUBJECT.finditer(sentence)}
    positions |= {match.end() for match in _NEW_ORDER.finditer(sentence)}
    positions |= {match.end() for match in _NUMBERED.finditer(sentence)}
    positions |= {match.end() for match in _TITLED.finditer(sentence)}
    positions |= set(_after_comma_and(sentence))
    positions |= set(_errands(sentence))
    low = 0
    for position in sorted(positions):
        if len(sentence[low:position].split()) < 2 and low == 0:
            # "Oh, I see": no statement stands before it.
            continue
        if _CONDITION.match(sentence[low:position]):
            # "When it rains, I walk" is one statement.
            continue
        if _is_but_another(sentence, low, position) or _is_together(sentence, low, position):
            continue
        if _PURPOSE.search(sentence, low, position) and _ASKS.search(sentence[low:position]):
            # "Can you call at nine so I don't forget": a purpose belongs to its request.
            continue
        if position < len(sentence):
            yield position
            low = position


def _is_but_another(sentence: str, low: int, position: int) -> bool:
    """“My cousin and his two kids”: another person without a verb is no clause."""
    another = _ANOTHERS.match(sentence, position)
    if another is None or not _SHARED.search(sentence, low, position):
        return False
    return _VERB.search(sentence, another.end()) is None


def _is_together(sentence: str, low: int, position: int) -> bool:
    """“Elena and I broke up”: another subject of the same verb is no clause."""
    return _WITH_SPEAKER.fullmatch(sentence, low, position) is not None and bool(
        _SPEAKER.match(sentence, position)
    )


def _after_comma_and(sentence: str) -> Iterator[int]:
    """Yield the positions behind ", and" that ends no list."""
    for match in _COMMA_AND.finditer(sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
        if "," not in before.split(";")[-1] and len(after.split()) > 2 and len(before.split()) > 1:
            yield match.end()


def _errands(sentence: str) -> Iterator[int]:
    """Yield the parts of “Dentist at 9, rent by the 1st” that each have their own time."""
    parts = list(_COMMA.finditer(sentence))
    starts = [0, *(match.end() for match in parts)]
    ends = [*(match.start() for match in parts), len(sentence)]
    timed = [bool(_TIME.search(sentence[low:high])) for low, high in zip(starts, ends, strict=True)]
    for place in range(1, len(starts)):
        wordy = len(sentence[starts[place] : ends[place]].split()) > 2
        if (
            wordy
            and timed[place]
            and timed[place - 1]
            and len(sentence[: ends[place - 1]].split()) > 2
        ):
            yield starts[place]
