"""Who somebody is: name, work, home, family, animals, health."""

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.english.couples import refine_partner_name
from palimpsest_language.facts.english.employers import EMPLOYERS, JUST
from palimpsest_language.facts.english.occupations import OCCUPATION
from palimpsest_language.facts.english.shared_patterns import (
    compile_english,
    refine_date,
    refine_diet,
    refine_organisation,
    refine_place,
    refine_plain,
    refine_relative,
    refine_with_article,
)
from palimpsest_language.facts.rule import FactRule, RefineGroups


def _name_told_by(pattern: str, refine: RefineGroups = refine_plain) -> FactRule:
    return FactRule(
        kind=Kind.FACT,
        pattern=compile_english(pattern),
        content="{possessive} name is {value}",
        attribute="name",
        refine=refine,
        names_entity=True,
    )


PEOPLE = (
    _name_told_by(r"(?:my (?:full |first )?name(?:'s| is)|I'm called) <NAME>"),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(
            r"(?:(?:(?:you|please|just|can|may|could|should|do|also|simply|rather|then|I'd (?:like|prefer) you to|I (?:want|prefer) you to|feel free to) )+"
            r"|(?<!\w )|(?<=and )|(?<=but )|(?<=now )|(?<= on ))(?:call|address) me(?: as)? [\"“]?(?!(?:\w+day|tomorrow|tonight|when|if|at|on|in|back|later|after|before|once|every|not|names|anytime)\b)<NAME>"
        ),
        content="{subject} wants to be called {value}",
        attribute="preferred_name",
        refine=refine_plain,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_english(r"I (?:go|prefer to go) by <NAME>"),
        content="{subject} wants to be called {value}",
        attribute="preferred_name",
        refine=refine_plain,
        names_entity=True,
    ),
    _name_told_by(
        r"(?:hi|hello|hey)(?: there| all| everyone)?[,.! ]+(?:I'm|I am|this is) <NAME>(?=[,.!]|$| and )"
    ),
    *EMPLOYERS,
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"(?:I|we) (?:no longer live|used to live|(?:don't|do not) live(?=.* any ?(?:more|longer)\b)) in <PLACE>"
        ),
        content="{subject} no longer lives in {value}",
        attribute="city",
        refine=refine_place,
        ended=True,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            rf"(?:I'm|I am|I{JUST} became|my (?:new |current )?job is(?: being)?|I{JUST} work(?: (?:at|for|in) [^,.;]+?)? as"
            rf"|I(?:'ve)?{JUST} (?:joined|started at) [^,.;]+? as){JUST} (?P<article>an?|the) (?P<value>(?:[\w/+#.-]+ ){{0,4}}?{OCCUPATION})(?![\w-])"
        ),
        content="{subject} is {article} {value}",
        attribute="job",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(rf"I(?:'ve)?{JUST} (?:got|been|was) promoted to <ORGANISATION>"),
        content="{subject} was promoted to {value}",
        attribute="job",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            rf"(?:(?:I|we){JUST} live|(?:I'm|I am|we're|we are){JUST} (?:living|based|located|settled)|I{JUST} reside) in <PLACE>"
        ),
        content="{subject} lives in {value}",
        attribute="city",
        refine=refine_place,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            rf"(?:I|we|I've|we've|I have|we have){JUST} (?:moved out of|left|moved away from) (?P<replaced>(?-i:[A-Z][\w’-]+(?: [A-Z][\w’-]+)?))(?: [\w ]{{0,24}}?)?"
            r" (?:and|for|but)(?: (?:then|now|I|we|have|just|recently|am|are))* (?:live|living|based|moved|settled|(?<=for)) ?(?:in|to|down in)? ?<PLACE>"
        ),
        content="{subject} moved to {value}",
        attribute="city",
        refine=refine_place,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            rf"(?:I|we|I've|we've|I have|we have){JUST} (?:moved|relocated)(?: back| house)?(?: from (?P<replaced>[A-Z][\w’-]+(?: [A-Z][\w’-]+)?))? to <PLACE>"
        ),
        content="{subject} moved to {value}",
        attribute="city",
        refine=refine_place,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"(?:(?:I'm|I am|I come) (?:originally )?from|I (?:grew up|was born) in) <PLACE>"
        ),
        content="{subject} is from {value}",
        attribute="hometown",
        refine=refine_place,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(r"(?:my birthday(?:'s| is)(?: on)?|I was born on) <VALUE>"),
        content="{possessive} birthday is {value}",
        attribute="birthday",
        refine=refine_date,
    ),
    _name_told_by(r"(?:I'?m|I am) <NAME>, (?:aged )?(?=[1-9]\d\b(?=[,.;!]|$| and ))"),
    _name_told_by(
        r"^(?:(?:hi|hiya|hey|hello|yo|oh|so|ok|well)[,!.]? (?:there[,!.]? |all[,!.]? )?)*(?:I'?m|I am|it'?s|my name'?s|names) (?P<value>(?!not\b|only\b|just\b|now\b|about\b|nearly\b|almost\b|turning\b)[a-z]+), (?:aged )?(?=[1-9]\d\b(?=[,.;!]|$| and ))",
        refine=refine_partner_name,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            rf"^(?:(?:hi|hiya|hey|hello|yo|oh|so|ok|well)[,!.]? )*(?:I'?m|I am|it'?s) (?:\w+, )?[1-9]\d(?: years old| yo)?,? (?:(?P<article>an?) )?(?P<value>(?:[\w-]+ ){{0,2}}?{OCCUPATION})(?=[,.;!]|$| (?:in|from|at|and|with|w)\b)"
        ),
        content="{subject} is {article} {value}",
        attribute="job",
        refine=refine_with_article,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"(?:I'?m|I am|(?<=yo )it'?s|(?<=hi )it'?s) (?:\w+, )?(?:aged )?(?P<value>\d{1,3})(?: years old|(?<= \d\d)(?=[,;!] |\. |\.?$| and (?:I|a |live)))"
        ),
        content="{subject} is {value} years old",
        attribute="age",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"(?:I|we) (?:have|own|got|adopted)(?: just| recently)? (?:an? )(?P<animal>(?:\w+ ){0,2}?<ANIMAL>),? (?:named|called) <NAME>"
        ),
        content="{subject} has a {animal} named {value}",
        attribute="pets",
        refine=refine_plain,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"my (?P<animal>(?:\w+ )?<ANIMAL>)(?:'s name is| is (?:called|named)) <NAME>"
        ),
        content="{subject} has a {animal} named {value}",
        attribute="pets",
        refine=refine_plain,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"(?:I|we)(?:'ve)?(?: just| recently| also)* (?:have|own|got|adopted) (?P<value><NUMBER> (?:\w+ ){0,2}?<ANIMAL>)(?!\w|,? named|,? called)"
        ),
        content="{subject} has {value}",
        attribute="pets",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"(?:I'm|I am|<LEFT_OUT>)(?: very| severely| really| badly)? ?(?<![^ ])allergic to <VALUE>"
        ),
        content="{subject} is allergic to {value}",
        attribute="allergies",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"(?:I'm|I am)(?: now)?(?: an?)? (?P<value>vegetarian|vegan|pescatarian|lactose intolerant|gluten intolerant|diabetic)"
        ),
        content="{subject} is {value}",
        refine=refine_diet,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"I speak (?:fluent |a little |some )?(?P<value>(?-i:[A-Z]\w+)(?:(?:,| and|, and) (?-i:[A-Z]\w+))*)"
        ),
        content="{subject} speaks {value}",
        attribute="languages",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_english(
            r"(?:I(?:'ve)?(?: just)? graduated from|I (?:study|studied) at|I'm studying at) <ORGANISATION>"
        ),
        content="{subject} studied at {value}",
        attribute="school",
        refine=refine_organisation,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PERSON,
        pattern=compile_english(
            r"my (?P<relation>(?:older |younger |little |big )?<RELATIVE>)(?:'s name is| is (?:called|named)) <NAME>"
        ),
        content="{possessive} {relation} is named {value}",
        refine=refine_relative,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PERSON,
        pattern=compile_english(
            r"my (?P<relation>(?:older |younger |little |big )?<RELATIVE>),? (?P<name>(?-i:[A-Z][\w-]+)),? (?P<value>(?:is|works|lives|studies|has|loves|likes) \S.*?)(?=[,.;!]|$)"
        ),
        content="{possessive} {relation} {name} {value}",
        refine=refine_relative,
    ),
)
