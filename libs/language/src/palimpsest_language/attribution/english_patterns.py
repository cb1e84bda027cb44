"""What English topics are made of: how one is put into words, and names as they stand in a sentence."""

import re
from dataclasses import replace

from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.technologies import TECHNOLOGY_KIND
from palimpsest_language.attribution import english_names as names
from palimpsest_language.attribution.attribute_topic import AttributeTopic, join_alternatives
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

BE = r"(?:\s?(?:is|are|was|has been|['’]s|['’]re|['’]m|am)|\s?[:=]|\s(?:became|remains|stays))"
NOW = r"(?: (?:now|currently|still|today|these days|officially|actually|just|finally|recently|also|happily|proudly|mostly|mainly|usually|always|already|as of \w+))*"
FRESH = r"(?:\s(?:new|current|present|latest|own|trusty|old|main|only))?"
NO_NAME = (
    r"(?!(?:I|I['’]\w+|My|Our|We|We['’]\w+|It|It['’]s|The|A|An|This|That|These|Those|There|Now|So|And|But|Or|Yes|Yeah|No|"
    r"Not|Ok|Okay|Well|Actually|Also|Just|Still|Since|After|Before|When|While|For|From|In|On|At|To|As|If|With|Got|"
    r"Finally|Today|Yesterday|Tomorrow|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|"
    r"March|April|May|June|July|August|September|October|November|December|New|Old|Home|Work|Life|People|Every|"
    r"Everything|Nothing|Btw|BTW|FYI|By|Update|Turns|Big|Good|Great|Switched|Moved|Changed|Joined|Traded)\b)"
)
NAME = rf"(?P<value>(?-i:{NO_NAME}[A-Z0-9][\w&+’'-]*(?:\.\w+)?(?: (?:& |of |the |de )?{NO_NAME}[A-Z0-9][\w&+’'-]*){{0,3}}))"
PERSON = rf"(?P<value>(?-i:{NO_NAME}[A-Z][a-zà-ÿ]+(?:[- ]{NO_NAME}[A-Z][a-zà-ÿ’'-]+){{0,2}}))"
CALLING = rf"(?P<value>(?!(?:no|not|such|some|any) )(?:[\w/&-]+ ){{0,3}}?(?:{join_alternatives(names.CALLINGS)})(?: (?:{join_alternatives(names.CALLINGS)}))*)"
END = r"(?=$|-\s|[^\w’'-])"


def compile_phrase(pattern: str) -> LazyPattern:
    return LazyPattern(rf"(?<![\w’'-])(?:{pattern})", re.IGNORECASE)


def compile_names(words: str, more: str = "") -> LazyPattern:
    """Names that are written with a capital, wherever they stand."""
    return LazyPattern(
        rf"(?<![\w’'-])(?P<value>(?-i:(?:{join_alternatives(words)})){more})(?![\w-])"
    )


def build_topic(attribute: str, kind: Kind, cue: str, *values: LazyPattern) -> AttributeTopic:
    return AttributeTopic(
        attribute=attribute,
        kind=kind,
        cue=re.compile(rf"(?<![\w’'-])(?:{cue})(?![\w-])", re.IGNORECASE),
        values=values,
    )


def list_technology_names(kind: str) -> str:
    """Technologies of a kind, but for names that are words or letters as well."""
    return "|".join(
        name for name, known in TECHNOLOGY_KIND.items() if known == kind and len(name) > 2
    )


def build_own_topic(attribute: str, kind: Kind, cue: str, *values: LazyPattern) -> AttributeTopic:
    """Of which nobody speaks like that but of themselves."""
    return replace(build_topic(attribute, kind, cue, *values), is_own=True)


MODEL = r"(?: (?-i:[A-Z0-9][\w-]*)){0,2}"
PHONE_MODEL = r"(?: ?(?-i:[A-Z]?\d+\w*|Pro|Max|Plus|Ultra|Mini|Air|SE|XR|XS|X|Note|Fold|Flip|Edge|Find|Reno|Mate|Phone|Z|A|S|P)){0,4}"
