"""What somebody is after, what happened to them, how they are, and what they think of us."""

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.english.shared_patterns import (
    compile_english,
    refine_deed,
    refine_plain,
)
from palimpsest_language.facts.rule import FactRule

_ASPIRATION = (
    r"(?:learn|become|build|start|finish|run|visit|travel|write|improve|master|get better|get into|lose|"
    r"save|buy|open|launch|publish|read|move|quit|study|climb|apply|adopt|create|pass|graduate|retire)"
)
_MILESTONE = (
    r"(?:(?:got (?:married|engaged|divorced|promoted|accepted|laid off)|graduated|passed (?:my|the)|won|"
    r"launched|released|published|shipped|had a baby|gave birth|adopted|retired|"
    r"bought (?:an?|my|our)(?: new| first)* (?:house|car|flat|apartment|bike|motorcycle|camera|guitar|piano)|"
    r"ran (?:a|my|the)|finished (?:my|the|a)|signed up for|started (?:my|a) (?:own|new) |opened (?:my|a|our))(?!'))"
)
_DONE = (
    r"(?:went|visited|attended|met|joined|ran|started|finished|completed|bought|saw|took|gave|made|"
    r"had|got|did|came|watched|painted|hiked|flew|drove|moved|signed|applied|hosted|organi[sz]ed|played)(?!')"
)
_WHEN = (
    r"(?:yesterday|last (?:night|week|weekend|month|year|summer|winter|spring|fall|autumn|\w+day)|"
    r"this (?:morning|week|weekend|afternoon|month)|earlier today|"
    r"(?:a|one|two|three|four|five|\d+|a few|a couple of) (?:days?|weeks?|months?|years?) ago|"
    r"on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|in (?:January|February|March|April|May|June|July|"
    r"August|September|October|November|December)(?: \d{4})?)(?!\w)"
)
_AS_IF = r"(?:'ve| have)?(?: just| finally| recently| also)*"

LIFE = (
    FactRule(
        kind=Kind.GOAL,
        pattern=compile_english(
            r"(?:my|our) (?:main |big |next |current |long-term |new )?(?:goal|dream|plan|aim|resolution)"
            r"(?P<when> (?:for )?this \w+| for \w+(?: \w+)?)? is to <VALUE>"
        ),
        content="{possessive} goal {when} is to {value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.GOAL,
        pattern=compile_english(
            r"(?:I'm|I am|we're|we are)(?: currently| also| still| really)* (?:planning|aiming|training|hoping|preparing|working hard|looking) to <VALUE>"
        ),
        content="{subject} plans to {value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.GOAL,
        pattern=compile_english(
            r"(?:I'm|I am)(?: currently| also| still)* (?P<verb>training for|saving up for|saving for|preparing for|studying for) <VALUE>"
        ),
        content="{subject} is {verb} {value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.GOAL,
        pattern=compile_english(
            r"(?:I|we)(?: also| still| really)* (?:plan|aim|intend|aspire|hope) to <VALUE>"
        ),
        content="{subject} plans to {value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.GOAL,
        pattern=compile_english(
            rf"I(?:'d| would)?(?: also| really| still| someday| one day)* (?:want|love|like) to (?P<value>{_ASPIRATION}\b.*?)(?=[,.;!]|$)"
        ),
        content="{subject} wants to {value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.EVENT,
        pattern=compile_english(
            rf"(?P<when>{_WHEN}),? (?:I|we) (?P<value>(?:{_DONE}|{_MILESTONE})\b.*?)(?=[.;!]|, (?:and|but|it|so)|$)"
        ),
        content="{subject} {value} {when}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.EVENT,
        pattern=compile_english(rf"(?:I|we){_AS_IF} (?P<value>{_DONE}\b[^,.;!]*? {_WHEN})"),
        content="{subject} {value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.EVENT,
        pattern=compile_english(rf"(?:I|we){_AS_IF} (?P<value>{_MILESTONE}.*?)(?=[,.;!]|$| but )"),
        content="{subject} {value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.FEEDBACK,
        pattern=compile_english(
            r"your (?:last |previous )?(?P<thing>answer|reply|response|explanation|suggestion|summary|code|advice)s? (?:was|is|were|are) (?P<value>(?:too|so|very|really|not|a bit|quite|super|helpful|useful|wrong|great|perfect|confusing|outdated|spot on)\b[^,.;!]*)"
        ),
        content="{subject} found the agent's {thing} {value}",
        subject="agent",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FEEDBACK,
        pattern=compile_english(
            r"(?:please )?(?:don't|do not|never|stop) (?P<value>(?:us(?:e|ing)|add(?:ing)?|repeat(?:ing)?|includ(?:e|ing)|apologi[sz](?:e|ing)) (?:so many |any |all these )?(?:emojis?|bullet points|lists|headings|jargon|apologies|exclamation marks|code comments|comments|yourself|disclaimers|my name)\b.*?)(?=[,.;!]|$)"
        ),
        content="{subject} asked the agent not to do this: {value}",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.CONTEXT,
        pattern=compile_english(
            r"(?:I'm|I am)(?: currently| still| now)? (?P<value>(?:travell?ing|on vacation|on holiday|on a business trip|on leave|sick|at the airport|at the hospital|at a conference|out of office)\b[^,.;!]*)"
        ),
        content="{subject} is {value}",
        refine=refine_deed,
    ),
)
