"""Requests in English not to remember something: "don't save that", "off the record"."""

import re

_ORDER = (
    r"(?:^|[.!?,;:()\n…—–。，！？；：、（）\u3400-\u9fff]|\s-|"
    r"\b(?:please|pls|but|and|so|ok|okay|just|actually|also|oh|wait|no|sorry|hey|again|seriously"
    r"|then|though|kindly))\s*"
    r"(?:(?<!\bI just )(?<!\bwe just )(?<!\bI actually )(?<!\bthey just ))"
)
"""An order begins here: “I don't remember this” tells of whoever says it."""
_NOT = (
    r"(?:(?:please |pls |just |kindly |so |you ){0,4}+(?:(?:don['’]?t|do not|never) (?:you "
    r"(?:dare )?)?(?:ever |please |just |go and ){0,3}+"
    r"|(?:there(?:['’]s| is) |really |absolutely ){0,3}+no need (?:for you )?to |"
    r"(?:better |try |make sure |prefer |best ){0,2}+not to "
    r"|let['’]?s not |better not |rather not )"
    r"|you (?:really )?(?:(?:don['’]?t|do not) (?:have|need) to|needn['’]?t|need not"
    r"|shouldn['’]?t|should not|must(?:n['’]?t| not)) "
    r"|(?:can|could|would|will) you (?:please |maybe |just ){0,3}+not "
    r"|I(?:['’]?d| would)?(?: really| much)? (?:rather|prefer(?: it)?(?: if)?)(?: that)? you "
    r"(?:didn['’]?t|did not|don['’]?t|not|never|wouldn['’]?t|would not) (?:ever )?"
    r"|I (?:really )?(?:don['’]?t|do not|wouldn['’]?t|would not) (?:want|like|wish) "
    r"(?:for )?you to "
    r"|I(?:['’]?d| would)? (?:ask|like|want|need) you (?:please )?not to )"
)
_KEEP = r"(?:save|store|keep|log|record|note|write|jot|retain|take)"
_KEPT = (
    r"(?:remembered|memori[sz]ed|saved|stored|kept|logged|recorded|noted|retained|written down"
    r"|on (?:the )?record|on file|in (?:your )?memory)"
)
_MESSAGE = (
    r"(?:messages?|chats?|conversations?|parts?|bits?|things?|ones?|info"
    r"(?:rmation)?|details?|sentences?"
    r"|facts?|statements?|remarks?|secrets?|stuff|talk|piece of info(?:rmation)?)"
)
_SAID = r"(?:said|say|saying|told|tell(?: you)?|telling|wrote|typed|mentioned|shared|share|sharing)"
_WHAT_I_SAY = (
    rf"(?:what(?:ever)?|everything|anything|all) I(?:['’](?:ve|m|ll|d)| have| am| will)?"
    rf"(?: just| ever| only| already| now| about to| going to| gonna){{0,4}} {_SAID}(?: you)?"
    r"(?: (?:next|now|just now|earlier|before|so far|above))?"
)
_THIS = (
    r"(?:(?:any(?:thing)?|a (?:single )?word) (?:of|about) (?:this|that|it)\b"
    r"|(?:this|that|these|those|the|my)(?: (?:very|whole|entire|last|next|previous|following"
    rf"|latest|current|two|few)){{0,4}} {_MESSAGE}\b"
    r"|(?:this|that|it|these|those)\b(?: (?:either|too|next))?"
    rf"|{_WHAT_I_SAY}|what follows|what comes next|the following)"
)
_MINE = (
    r"my (?:home |personal |private |medical |real |full |phone |health |credit ){0,3}"
    r"(?:address|phone|number|name|birthday|birth ?date|age|info(?:rmation)?"
    r"|data|details|location|salary|diagnosis|condition|illness|chats?|conversations?|messages?)\b"
)
_WHERE = (
    r"(?:in|into|to|on|from|out of|for|off) (?:your |my |the |any |our )?"
    r"(?:long[- ]term |permanent )?"
    r"(?:memor(?:y|ies)|records?|file|notes?|logs?|profile|history|database|storage|mind)"
)
_BEHIND = (
    r"(?:,? (?:down|anywhere|somewhere|at all|either|please|pls|though|ok"
    r"(?:ay)?|thanks|thank you|thx|lol|haha|ever|again|right now"
    r"|forever|or anything|for (?:me|now|later|good|future reference)|about me|as a memory|"
    rf"{_WHERE})){{0,8}}+"
)
_END = (
    r"(?=\s*(?:$|[.,!?;:)\n…—–。，！？；：、）]|-\s|\s-|[\U0001f300-\U0001faff❤]|[\u3400-\u9fff]"
    r"|(?:because|cause|coz|cos|since|if|and|but|while|in case|as "
    r"(?:it|this|that|I|my|we|she|he|they))\b))"
)
_ENDS = _BEHIND + _END
_BETWEEN = r"between (?:just )?(?:us|you and me|you and I|ourselves|the two of us)(?: two| only)?"
_SOMEBODY = (
    r"(?:I|I['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|my|our|he|she|they|"
    r"(?:he|she|they)['’]\w+|there)"
)

_NOT_TO = (
    rf"(?:remember|memori[sz]e) (?:(?:{_THIS}|{_MINE})|what I(?:['’]ve)?\b)",
    (
        rf"{_KEEP} (?:down )?(?:(?:a |any |no )?(?:record|note|track)s? of )?(?:{_THIS}|{_MINE})"
        rf"{_ENDS}"
    ),
    (
        r"(?:save|store|log|record|note|note down|retain|write down|take note of|make a "
        rf"(?:note|record) of) (?:the fact )?that {_SOMEBODY}\b"
    ),
    (
        r"(?:tell|repeat|share|spread|pass on) (?:(?:this|that|it) (?:with|to) )?"
        rf"(?:anyone|anybody|a soul)(?: else)?(?: (?:about )?(?:this|that|it))?{_ENDS}"
    ),
    rf"(?:put|add|commit|enter|file|include|leave) (?:{_THIS}|{_MINE}) (?:down )?{_WHERE}\b",
)
_TO = (
    (
        r"forget (?:that )?I (?:ever |just |even )?(?:said|told you|mentioned|wrote|brought up)"
        r" (?:this|that|it|anything|so|any of (?:this|that|it))\b"
    ),
    rf"forget (?:about )?{_WHAT_I_SAY}",
    (
        r"forget (?:about )?(?:(?:this|that)|(?:this|that|the|my) (?:last |previous )?"
        rf"{_MESSAGE}){_ENDS}"
    ),
    rf"forget that {_SOMEBODY}\b",
    rf"(?:scratch|strike) that{_BEHIND}\s*[.!…]*\s*$",
    (
        rf"(?:delete|erase) (?:this|that|(?:this|that|the|my) (?:last |previous )?{_MESSAGE}|"
        rf"{_WHAT_I_SAY}){_ENDS}"
    ),
    (
        rf"(?:delete|erase|remove|wipe|scrub|purge|strike|drop|leave|keep) {_THIS}"
        r" (?:from|out of|off) (?:your |my |the |any )?(?:long[- ]term )?(?:memor"
        r"(?:y|ies)|records?|notes?|logs?|profile|history|database|storage)\b"
    ),
    rf"keep {_THIS} (?:strictly |just |only ){{0,3}}+(?:{_BETWEEN}|to yourself){_ENDS}",
    (
        rf"keep (?:this|that|(?:this|that) {_MESSAGE}) (?:strictly |a ){{0,2}}+"
        rf"(?:private|secret|confidential|quiet|off (?:the )?record){_ENDS}"
    ),
    rf"(?:strictly |purely |just |only ){{0,3}}+{_BETWEEN}{_ENDS}",
    (
        r"(?:pretend|act like|act as if) (?:I (?:never|didn['’]?t|did not) "
        r"(?:say|said|tell|told|mention|mentioned)(?: you)? (?:this|that|it|anything|so)"
        r"|you (?:never|didn['’]?t|did not|hadn['’]?t) (?:hear|heard|read|see|seen|saw) "
        r"(?:this|that|it|anything))\b"
    ),
)
_TOLD = (
    rf"\bplease forget it{_ENDS}",
    (
        rf"\b(?:this|that|(?:this|that|the|my) (?:last |next |previous )?{_MESSAGE}|{_WHAT_I_SAY})"
        r" (?:should(?:n['’]?t| not| never)|must(?:n['’]?t| not| never)|need(?:n['’]?t| not)|"
        r"(?:is|are)(?:n['’]?t| not| never) to"
        r"|(?:doesn['’]?t|does not) (?:need|have) to|better not|can['’]?t|cannot) (?:ever )?be "
        rf"{_KEPT}{_ENDS}"
    ),
    (
        r"\bI(?:['’]?d| would)? (?:really )?(?:(?:don['’]?t|do not|wouldn['’]?t|would not) "
        r"(?:want|like|wish)|(?:rather|prefer) not(?: to)?(?: have)?)"
        rf" {_THIS} (?:to be |being )?{_KEPT}{_ENDS}"
    ),
    r"\boff the record\b",
    (
        rf"{_ORDER}(?:(?:this|that)(?: is|['’]s) )?not (?:to be {_KEPT}|for (?:your |the )"
        rf"(?:memory|records?)){_ENDS}"
    ),
    rf"\b(?:this|that) isn['’]?t for (?:your |the )(?:memory|records?){_ENDS}",
    (
        r"\b(?:this|that) (?:has to |must |should |needs to |had better |better |is to |will )?"
        rf"(?:stays?|remains?) (?:strictly |just |only |completely |totally ){{0,3}}+"
        rf"(?:{_BETWEEN}|private|confidential|secret|off (?:the )?record|in this "
        rf"(?:room|chat|conversation)){_ENDS}"
    ),
    (
        rf"\b(?:this|that)(?: is|['’]s) (?:strictly |just |only |meant to be ){{0,3}}+{_BETWEEN}"
        rf"{_ENDS}"
    ),
)

ASKED = re.compile(
    (
        rf"{_ORDER}(?:{_NOT}(?:{'|'.join(_NOT_TO)})|(?:(?:can|could|would|will) you "
        rf"(?:please |just )?|let['’]?s |you (?:can|should|may) )?(?:{'|'.join(_TO)}))|"
        rf"{'|'.join(_TOLD)}"
    ),
    re.IGNORECASE,
)
HINTS = (
    "remember", "memor", "forget", "off the record", "save", "store", "keep", "kept", "log",
    "record", "note", "write", "written", "jot", "retain", "put", "add", "commit", "enter", "file",
    "delete", "erase", "scratch", "remove", "wipe", "scrub", "purge", "strike", "between", "stay",
    "remain",
    "pretend", "act ", "take", "anyone", "anybody", "a soul",
)  # fmt: skip
"""Without any of these nobody asks: to look for them takes a hundredth of the time."""

AHEAD = re.compile(
    r"\b(?:next|following|follows|about to|going to|gonna)\b|\bI(?:['’]m| am) "
    r"(?:telling|saying|sharing)"
    r"|\bI(?:['’]ll| will) (?:say|tell|share)|:\s*$",
    re.IGNORECASE,
)
"""What is asked for is plainly about what comes."""
BACK = re.compile(
    r"\b(?:that|those|it|last|previous|earlier|above|before|so far)\b"
    r"|\bI(?:['’]ve| have)?(?: just| ever| only| already)* (?:said|told|mentioned|wrote|typed"
    r"|shared)\b",
    re.IGNORECASE,
)
OWN = re.compile(rf"(?:\bthat|\bthe fact that) (?={_SOMEBODY}\b)", re.IGNORECASE)
"""Behind this the request itself says what it is about."""
SLIPPED = re.compile(r"\b(?:oops|my bad|slipped out|tmi|shouldn['’]t have said)\b", re.IGNORECASE)
"""Whoever says so means what was said before, whatever they go on with."""
ANNOUNCES = re.compile(
    r"\b(?:I['’]ll|I will|I['’]m going to|I['’]m gonna|let me|can I|may I|I "
    r"(?:need|want|have) to|I['’]d like to)"
    r" (?:just )?(?:tell|share|confide|say)\b[^.!?\n]*",
    re.IGNORECASE,
)
"""What is to come is still to come."""

FILLERS = (
    r"actually|please|pls|oh|wait|sorry|hey|hi|hello|um+|uh+|hmm+|ah|ok"
    r"(?:ay)?|k|no|nah|nope|yes|yeah|yep|btw|by the way|and|but|so"
    r"|also|just|now|then|thanks|thank you|thx|seriously|again|one "
    r"(?:more|last) thing|well|you know what|listen"
    r"|lol|haha|hang on|hold on|on second thoughts?|never ?mind|oops|my bad|kindly|though|cheers"
    r"|i mean it|i mean"
    r"|really|wow|that slipped out|i shouldn['’]t have said that|too much info"
    r"(?:rmation)?|tmi|ever|got it|right|great|cool"
    r"|can you|could you|would you|will you|you|there['’]s|will do|assistant|at all|ok\?|alright"
    r"|all right|sure|for real"
)
REASON = re.compile(
    r"^\s*,?\s*(?:because|cause|coz|cos|since|in case|if|as)\b[^.!?\n]*", re.IGNORECASE
)
