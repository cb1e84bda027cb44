"""Topics of English statements, and what English says of others, of the past, or of nobody."""

import re

from palimpsest_language.attribution.attribute_topic import (
    TopicLanguage,
    name_technologies,
    read_topics,
)

_RELATIVES = (
    r"wife|husband|son|daughter|brother|sister|mom|mum|mother|dad|father|parents|grand\w+|cousin"
    r"|aunt|uncle|boss|"
    r"manager|colleague|coworker|friend|friends|roommate|flatmate|neighbou?r|teacher|kids?"
    r"|children|in-laws"
)

ENGLISH = TopicLanguage(
    topics=read_topics(
        "attribution/english",
        {
            "PROGRAMMING_LANGUAGES": name_technologies("language", shortest=3),
            "FRAMEWORKS": name_technologies("framework", shortest=3),
        },
        cue_form="words",
        value_form="phrase",
    ),
    vetoes=re.compile(
        r"\?|\b(?:if|would|could|might|may(?= \w)|maybe|perhaps|probably|want|wants|wanted|wanna"
        r"|wish|wishes|hope|hoping|considering|"
        r"consider|thinking (?:of|about)|tempted|plan(?:s|ning)? "
        r"(?:to|on)|going to|gonna|will|won['’]t|about to|should|suppose|imagine|"
        r"dream\w*|almost|nearly|applied|applying|interview\w*|test[- ]dr\w+|rent(?:ed|al|s|ing) "
        r"(?:a|an|car)|borrow\w*|years ago|back then|"
        r"back when|as a (?:kid|child|student|teenager)|grew up|growing up|in "
        r"(?:college|school)|on (?:vacation|holiday)|trip|visit\w*|weekend in|"
        r"tourist|he|she|his|hers|their|your|someone else|stocks?|shares|movie|novel|ad|advert"
        r"|commercial|advertis\w+|game)\b"
        rf"|['’](?:ll|d)\b|\b(?:my|our) (?:{_RELATIVES})\b",
        re.IGNORECASE,
    ),
    left_before=re.compile(
        r"(?:\b(?:not(?! only)|never|no longer|no more|nor|neither|cannot|without|stopped)"
        r"|n['’]t)\b.*$"
        r"|\b(?:from|instead of|rather than|than|old|former|formerly|ex|previous|previously|used "
        r"to|gave up|quit|left|"
        r"leaving|ditched|dropped|sold|traded(?: in)?|replac(?:ed|es|ing)|(?<!nothing )"
        r"(?:beats?|beaten)|overt(?:ook|aken|akes)|dethron\w+|ahead of|better than|outranks?"
        r"|trumps|tops|swapped|goodbye to|bye|done with|parted (?:ways )?with|broke up with|"
        r"split (?:up )?with|after(?: \w+)? years|closed|cancell?ed|out with|enough of|over"
        r"|another|like|unlike|besides|once|was|were|had|until)"
        r"\b(?: (?!to\b|for\b|with\b|into\b|now\b|and\b|but\b)[\w’'-]+){0,3} ?$",
        re.IGNORECASE,
    ),
    left_behind=re.compile(
        r"^(?:['’]s)?(?: \w+)? (?:is|was|got|has been|had been) "
        r"(?:gone|sold|history|dead|replaced|over|stolen|closed|totall?ed|broken|my "
        r"(?:old|former|ex|previous)|the past)"
        r"|^ (?:is|are)? ?(?:out|gone|history|behind me)\b|^ (?:has|had) (?:been|had)|^ "
        r"(?:used to|no more|is no more|is no longer|was my|was our|went to the|before\b|until\b"
        r"|years\b|and I (?:broke|split))|^ ?(?:->|→)|^ (?:restaurant|place|dealer\w*|friend"
        r"|neighbou?r|team|match|concert|conference)\b",
        re.IGNORECASE,
    ),
    holds_now=re.compile(
        (
            r"\b(?:now|these days|nowadays|currently|lately|at the moment|since|from now on|today"
            r"|has (?:taken|become|won|stolen))\b"
        ),
        re.IGNORECASE,
    ),
    about_speaker=re.compile(
        r"(?<![\w'’])(?:I|my|me|mine|myself|we|our|us)(?![\w-])|\b"
        r"(?:new|now|these days|nowadays|currently|switched|moved|back|finally|changed|joined"
        r"|upgraded|home)\b"
        r"|^(?:left|quit|got|just|went|sold|bought|started|signed|picked|traded|opened|gone"
        r"|turned|proud|happily|working|driving|living)\b",
        re.IGNORECASE,
    ),
)
