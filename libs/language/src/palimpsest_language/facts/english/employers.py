"""Where somebody works, in English."""

from functools import partial

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.english.occupations import OCCUPATION
from palimpsest_language.facts.english.shared_patterns import (
    compile_english,
    refine_joined_organisation,
    refine_left_organisation,
    refine_organisation,
)
from palimpsest_language.facts.rule_factory import build_rules

JUST = r"(?: (?:just|recently|finally|now|currently|also|still|actually|already|both))*"

_employer = partial(build_rules, compile_english, "employer", Kind.FACT, names_entity=True)
_WORKS = "{subject} works at {value}"
_WORKED = "{subject} no longer works at {value}"

EMPLOYERS = (
    *_employer(
        _WORKS,
        refine_organisation,
        rf"(?:I{JUST} work|(?:I'm|I am|I've been){JUST} working|(?:I'm|I am){JUST} employed) (?:at|for|by) <ORGANISATION>",
        rf"(?:I'm|I am){JUST} (?:an?|the) [\w /+#-]{{0,40}}?{OCCUPATION} (?:at|for) <ORGANISATION>",
    ),
    *_employer(
        _WORKS,
        refine_joined_organisation,
        rf"I(?:'ve|'m)?{JUST} (?:work|working|been working) as (?:an?|the) [\w /+#-]{{0,40}}?{OCCUPATION} (?:at|for) <ORGANISATION>",
        rf"I(?:'ve|'m)?{JUST} (?:joined|joining|started(?: working| a new job| a job| my new job)? at|"
        r"got (?:a|the|my) (?:new )?job at|got hired by|was hired by|start at) <ORGANISATION>",
        # In one breath with what was left: "I left Acme last month and joined Globex".
        rf"I(?:'ve)?{JUST} (?:left|quit|resigned from) (?:my (?:old |previous )?(?:job|role|position)|(?-i:[A-Z]))[\w .&+-]{{1,60}}? (?:and|to|then|but)"
        r"(?: (?:then|now|just|recently|have|am|I|I'm|I've|immediately|went|to))*"
        r" (?:joined|join|started(?: working| a new job| a job| my new job)? at|start at|work(?:ing)? (?:at|for)|over to) <ORGANISATION>",
    ),
    *_employer(
        _WORKED,
        refine_left_organisation,
        r"I(?:'ve)?(?: just| recently| finally)* (?:left|quit|resigned from) (?:my (?:old )?job at )?<ORGANISATION>",
        ended=True,
    ),
    *_employer(
        _WORKED,
        refine_organisation,
        r"I (?:no longer work|used to work(?!.* (?:and|but) (?:I )?still)|(?:don't|do not) work(?=.* any ?(?:more|longer)\b)) (?:at|for) <ORGANISATION>",
        ended=True,
    ),
)
