"""Where somebody works, in English."""

from palimpsest.domain.kinds import Kind
from palimpsest.providers.extraction.rules.english.occupations import OCCUPATION
from palimpsest.providers.extraction.rules.english.words import (
    english,
    joined_organisation,
    left_organisation,
    organisation,
)
from palimpsest.providers.extraction.rules.rule import Rule

JUST = r"(?: (?:just|recently|finally|now|currently|also|still|actually|already|both))*"

EMPLOYERS = (
    Rule(
        kind=Kind.FACT,
        pattern=english(
            rf"(?:I{JUST} work|(?:I'm|I am|I've been){JUST} working|(?:I'm|I am){JUST} employed) (?:at|for|by) <ORGANISATION>"
        ),
        content="{subject} works at {value}",
        attribute="employer",
        refine=organisation,
        names_entity=True,
    ),
    Rule(
        kind=Kind.FACT,
        pattern=english(
            rf"(?:I'm|I am){JUST} (?:an?|the) [\w /+#-]{{0,40}}?{OCCUPATION} (?:at|for) <ORGANISATION>"
        ),
        content="{subject} works at {value}",
        attribute="employer",
        refine=organisation,
        names_entity=True,
    ),
    Rule(
        kind=Kind.FACT,
        pattern=english(
            rf"I(?:'ve|'m)?{JUST} (?:work|working|been working) as (?:an?|the) [\w /+#-]{{0,40}}?{OCCUPATION} (?:at|for) <ORGANISATION>"
        ),
        content="{subject} works at {value}",
        attribute="employer",
        refine=joined_organisation,
        names_entity=True,
    ),
    Rule(
        kind=Kind.FACT,
        pattern=english(
            rf"I(?:'ve|'m)?{JUST} (?:joined|joining|started(?: working| a new job| a job| my new job)? at|"
            r"got (?:a|the|my) (?:new )?job at|got hired by|was hired by|start at) <ORGANISATION>"
        ),
        content="{subject} works at {value}",
        attribute="employer",
        refine=joined_organisation,
        names_entity=True,
    ),
    Rule(
        kind=Kind.FACT,
        # In one breath with what was left: "I left Acme last month and joined Globex".
        pattern=english(
            rf"I(?:'ve)?{JUST} (?:left|quit|resigned from) (?:my (?:old |previous )?(?:job|role|position)|(?-i:[A-Z]))[\w .&+-]{{1,60}}? (?:and|to|then|but)"
            r"(?: (?:then|now|just|recently|have|am|I|I'm|I've|immediately|went|to))*"
            r" (?:joined|join|started(?: working| a new job| a job| my new job)? at|start at|work(?:ing)? (?:at|for)|over to) <ORGANISATION>"
        ),
        content="{subject} works at {value}",
        attribute="employer",
        refine=joined_organisation,
        names_entity=True,
    ),
    Rule(
        kind=Kind.FACT,
        pattern=english(
            r"I(?:'ve)?(?: just| recently| finally)* (?:left|quit|resigned from) (?:my (?:old )?job at )?<ORGANISATION>"
        ),
        content="{subject} no longer works at {value}",
        attribute="employer",
        refine=left_organisation,
        ended=True,
        names_entity=True,
    ),
    Rule(
        kind=Kind.FACT,
        pattern=english(
            r"I (?:no longer work|used to work(?!.* (?:and|but) (?:I )?still)|(?:don't|do not) work(?=.* any ?(?:more|longer)\b)) (?:at|for) <ORGANISATION>"
        ),
        content="{subject} no longer works at {value}",
        attribute="employer",
        refine=organisation,
        ended=True,
        names_entity=True,
    ),
)
