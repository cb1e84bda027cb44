"""Changes of mind: what took the place of what. Before all others, for they look like them."""

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.english.shared_patterns import (
    compile_english,
    refine_replaced_technology,
    refine_setting,
)
from palimpsest_language.facts.rule import FactRule

_CHANGED = "{subject} switched from {replaced} to {value}"
_WE = r"(?:I|we|I'm|we're|I've|we've|I am|we are|I have|we have)"
_LATELY = r"(?: (?:just|recently|finally|now|since|also|already))*"
_TURNED = r"(?:switch|switched|switching|migrate|migrated|migrating|mov(?:ed|ing)|chang(?:ed|ing))"

CHANGES = (
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            rf"<I_ALONE>{_LATELY} (?:(?:{_TURNED}|went|gone|going)(?: over| back)? to|turned on|set everything to) <SETTING>"
        ),
        content="{subject} switched to {value}",
        refine=refine_setting,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            rf"{_WE}{_LATELY} {_TURNED}(?: over)?(?: everything)? from (?P<replaced>\S.*?) to <VALUE>"
        ),
        content=_CHANGED,
        refine=refine_replaced_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(rf"{_WE}{_LATELY} {_TURNED}(?: over)? to <VALUE>"),
        content="{subject} switched to {value}",
        refine=refine_replaced_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            r"(?:don't use|do not use|no longer use|no longer using|not using|stopped using|"
            r"quit using|gave up|giving up|dropped|done with|no more|not) (?P<replaced>[\w.+# -]{1,30}?)"
            r"(?: any ?more| any longer)?,?(?: and| but|;)?(?: (?:I|we|I'm|we're))?(?: now| just| only)*"
            r" (?:use|using|prefer|switched to|work with|working with|go with|going with) <VALUE>"
        ),
        content=_CHANGED,
        refine=refine_replaced_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            rf"{_WE}{_LATELY} (?:replaced|replacing) (?P<replaced>[\w.+# -]{{1,30}}?) (?:with|by) <VALUE>"
        ),
        content=_CHANGED,
        refine=refine_replaced_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            r"(?:I|we)(?: now)? use (?P<value>[\w.+#]+(?: [A-Z][\w.+#]*)?)(?: now)? instead of"
            r" (?P<replaced>[\w.+#]+)"
        ),
        content=_CHANGED,
        refine=refine_replaced_technology,
        names_entity=True,
    ),
)
