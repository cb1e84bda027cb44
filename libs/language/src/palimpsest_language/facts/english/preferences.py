"""What somebody likes, dislikes, prefers, and how they want to be answered."""

from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.display_settings import SETTINGS
from palimpsest_language.facts.english.shared_patterns import (
    compile_english,
    refine_deed,
    refine_favourite,
    refine_liking,
    refine_plain,
    refine_preferred_technology,
    refine_setting,
)
from palimpsest_language.facts.rule import FactRule

_WITH = r"(?:to use|using|to work with|working with|to code in|coding in|to program in|programming in|to write|writing)"
_MUCH = r"(?: (?:really|absolutely|also|still|just|always|have always|now|much|generally|usually|honestly|do))*"
_HABIT = r"(?:answer|reply|respond|write|talk|speak)(?: to me| back)?(?: only)?"
_LANGUAGE = r"(?P<value>Chinese|English|Japanese|French|German|Spanish|Korean|Russian|Italian|Portuguese|Mandarin)"
_STYLE = r"(?P<value>(?:short|brief|concise|simple|detailed|long|direct|to the point)(?:,? (?:and )?(?:short|brief|concise|simple|direct|clear))?)"

PREFERENCES = (
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            rf"(?:please always|always|from now on,?(?: please)?|in (?:the )?future,?(?: please)?) {_HABIT} in {_LANGUAGE}"
        ),
        content="{subject} wants to be answered in {value}",
        attribute="response_language",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            rf"keep (?:your|the|all) (?:answers|replies|responses|explanations) {_STYLE}"
        ),
        content="{subject} wants {value} answers",
        attribute="response_style",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            rf"I{_MUCH} (?:prefer|like|want) {_STYLE} (?:answers|replies|responses|explanations)"
        ),
        content="{subject} wants {value} answers",
        attribute="response_style",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(rf"<I_ALONE>{_MUCH} (?:prefer|use|want)(?: {_WITH})? <SETTING>"),
        content="{subject} prefers {value}",
        refine=refine_setting,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            rf"<I_ALONE>{_MUCH} prefer(?: {_WITH})? (?P<value>{SETTINGS}) (?:to|over|rather than) (?P<other>{SETTINGS})(?=[,.;!]|$)"
        ),
        content="{subject} prefers {value} over {other}",
        refine=refine_setting,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            rf"I{_MUCH} (?:prefer|like|love|enjoy)(?: {_WITH})? (?P<value>[\w.+#]+(?: [A-Z][\w.+#]*)?)"
            r"(?: (?:over|rather than|more than|to|instead of) (?P<other>[\w.+#]+))"
        ),
        content="{subject} prefers {value} over {other}",
        refine=refine_preferred_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(rf"I{_MUCH} prefer(?: {_WITH})? <VALUE>"),
        content="{subject} prefers {value}",
        refine=refine_preferred_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(rf"I{_MUCH} (?:like|love|enjoy) {_WITH} <VALUE>"),
        content="{subject} likes using {value}",
        refine=refine_preferred_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            r"I (?:now|mostly|mainly|always|usually|only) (?:use|code in|program in) <VALUE>"
        ),
        content="{subject} mainly uses {value}",
        refine=refine_preferred_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            rf"I{_MUCH} prefer (?P<value>\w+(?: \w+)?) (?:to|over|rather than) (?P<other>\w+(?: \w+)?)(?=[,.;!]|$)"
        ),
        content="{subject} prefers {value} over {other}",
        attribute="likes",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(rf"I{_MUCH} prefer <VALUE>"),
        content="{subject} prefers {value}",
        attribute="likes",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            r"my (?:all-time |absolute |new )?favou?rite (?P<thing>[a-z]+(?: [a-z]+){0,2}?) (?:is|are|has always been) <VALUE>"
        ),
        content="{possessive} favorite {thing} is {value}",
        refine=refine_favourite,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            rf"(?:I{_MUCH} |<LEFT_OUT>)(?:hate|dislike|detest|loathe|can't stand|cannot stand|don't{_MUCH} (?:like|enjoy)|do not (?:like|enjoy)) <VALUE>"
        ),
        content="{subject} dislikes {value}",
        attribute="dislikes",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            r"(?:I'm|I am) not (?:really )?(?:a (?:big |huge )?fan of|into|fond of) <VALUE>"
        ),
        content="{subject} dislikes {value}",
        attribute="dislikes",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            r"(?:I'm|I am)(?: really| also| a)* (?:into|fond of|(?:big |huge )?fan of|passionate about) <VALUE>"
        ),
        content="{subject} likes {value}",
        attribute="likes",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            r"my (?:main |new |biggest )?hobb(?:y is|ies are|ies include) <VALUE>"
        ),
        content="{possessive} hobby is {value}",
        attribute="hobbies",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            r"in my (?:free|spare) time,? I (?:like to |love to |enjoy |usually |often |mostly )*<VALUE>"
        ),
        content="in their free time {subject} likes to {value}",
        attribute="hobbies",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(rf"I{_MUCH} (?P<verb>love|like|enjoy|adore) <VALUE>"),
        content="{subject} {verb} {value}",
        attribute="likes",
        refine=refine_liking,
    ),
)
