"""What is used, decided, concluded, learnt and to be done."""

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.english.shared_patterns import (
    compile_english,
    refine_deed,
    refine_plain,
    refine_technology,
)
from palimpsest_language.facts.rule import ANYONE_SAYS, FactRule

_ALL = r"(?: (?:all|also|both|finally|just|now|have|already|unanimously))*"
_WEEKDAY = r"(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)"
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_DUE = (
    rf"(?:by|before|until|due) (?:\d|noon|midnight|the end|end of|eod|tomorrow|tonight|next|this|"
    rf"{_WEEKDAY}|{_MONTH}|christmas|then)\b.*?|tomorrow.*?|tonight|today|on {_WEEKDAY}.*?|"
    rf"(?:next|this) (?:week|month|weekend|afternoon|evening|{_WEEKDAY}).*?"
)


WORK = (
    FactRule(
        kind=Kind.DECISION,
        pattern=compile_english(
            rf"(?:we|I|the team|we've|I've|everyone){_ALL} (?:decided|agreed|chose|opted) to <VALUE>"
        ),
        content="it was decided to {value}",
        subject="decision",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.DECISION,
        pattern=compile_english(
            rf"(?:we|I|the team|we've|I've|everyone){_ALL} (?:decided|agreed) that <VALUE>"
        ),
        content="it was decided that {value}",
        subject="decision",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.DECISION,
        pattern=compile_english(
            rf"(?:we|I|the team|we've|I've|we're|I'm){_ALL} (?:decided on|agreed on|settled on|opted for|chosen|chose|going with|sticking with) <VALUE>"
        ),
        content="it was decided to go with {value}",
        subject="decision",
        refine=refine_plain,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.DECISION,
        pattern=compile_english(
            r"(?:let's|let us) (?:go with|stick with|settle on|use|adopt) <VALUE>"
        ),
        content="it was decided to use {value}",
        subject="decision",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.DECISION,
        pattern=compile_english(r"(?:final )?decision(?: made)?: ?(?P<value>\S.*)"),
        content="decision: {value}",
        subject="decision",
        refine=refine_plain,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.CONCLUSION,
        pattern=compile_english(
            r"(?:in conclusion|conclusion|to sum up|bottom line|we concluded|I concluded|our conclusion is)(?::|,| that)? (?P<value>\S.*)"
        ),
        content="conclusion: {value}",
        subject="conclusion",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.ACTION_ITEM,
        pattern=compile_english(r"(?:to-?do|action items?|next steps?)(?: is)?: ?(?P<value>\S.*)"),
        content="to do: {value}",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.ACTION_ITEM,
        pattern=compile_english(
            r"(?:(?<!to )remind me|don't let me forget|I (?:must|should) remember|I can't forget) to <VALUE>"
        ),
        content="{subject} has to {value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.ACTION_ITEM,
        pattern=compile_english(
            rf"(?:I|we) (?:need to|have to|must|'ve got to|should) (?P<value>\S[^,;]*? (?:{_DUE}))(?=[,.;!]|$)"
        ),
        content="{subject} has to {value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.ACTION_ITEM,
        pattern=compile_english(
            rf"I(?:'ll| will) (?!(?:remind|ping|nudge|poke) )(?P<value>\S[^,;]*? (?:{_DUE}))(?=[,.;!]|$)"
        ),
        content="{subject} will {value}",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_english(
            r"(?:lessons?(?: learn(?:ed|t))?|note to self|takeaway|pro tip)(?: is)?: ?(?P<value>\S.*)"
        ),
        content="lesson: {value}",
        subject="lesson",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_english(
            r"(?:I|we)(?:'ve)?(?: just| finally| also)* learn(?:ed|t)(?: the hard way)?(?: that| to) <VALUE>"
        ),
        content="lesson: {value}",
        subject="lesson",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_english(
            r"next time,? (?:I|we)(?:'ll| should| will| must| need to| have to) <VALUE>"
        ),
        content="lesson: next time {value}",
        subject="lesson",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_english(
            r"the (?P<thing>root cause|cause|culprit|trick|fix|solution|problem|bug)(?P<of> of [^,.;]{3,60}?)? (?:was|turned out to be)(?: that)? <VALUE>"
        ),
        content="the {thing} {of} was {value}",
        subject="lesson",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.LESSON,
        pattern=compile_english(r"(?:it )?turn(?:s|ed) out(?: that|,)? (?P<value>\S.*)"),
        content="it turned out that {value}",
        subject="lesson",
        refine=refine_deed,
        said_by=ANYONE_SAYS,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"(?:our (?:team|project|company|stack)|the (?:team|project|backend|frontend|front end)|we) (?:uses?|is using|are using|runs? on|is written in|is built with) (?P<value>[\w.+#]+(?: [A-Z][\w.+#]*)?)"
        ),
        content="the team uses {value}",
        subject="team",
        attribute="tools",
        refine=refine_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"I(?:'ve|'m| have| am)?(?: just| finally| also)? (?:no longer us(?:e|ing)|stopped using|quit using|"
            r"gave up|(?:don't|do not) use(?=.* any ?(?:more|longer)\b)) (?P<value>[\w+#]+(?:\.[\w+#]+)*(?: [A-Z][\w+#]*)?)"
            r"(?= *(?:any ?(?:more|longer))? *(?:[.!;]|$))"
        ),
        content="{subject} no longer uses {value}",
        attribute="tools",
        refine=refine_technology,
        ended=True,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"I(?:'m)?(?: also| currently)? (?:use|using|work with|working with|code in|coding in|program in|develop in|rely on) (?P<value>[\w.+#]+(?: [A-Z][\w.+#]*)?)"
        ),
        content="{subject} uses {value}",
        attribute="tools",
        refine=refine_technology,
        names_entity=True,
    ),
)
