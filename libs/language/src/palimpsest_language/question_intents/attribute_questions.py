"""Questions that ask for an attribute of somebody, such as "Where do I live?" or 她在哪上班.

What answers them often shares no word with them ("I moved to Seattle"), and is known by
its attribute all the same.
"""

import re
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.attributes.attribute_names import (
    canonical_attribute,
    is_attribute_name,
)
from palimpsest_language.attributes.relations import work_attribute
from palimpsest_language.phrase_tables import read_phrases

RELATION_ATTRIBUTES = ("relation",)
"""“Who is Devin?”: what somebody is to the user."""

LONGEST_ATTRIBUTE_QUESTION = 120
"""Longer ones ask for more than an attribute."""

_LEFT_OUT = (
    (re.compile(r"\b(what|who|where|when|how)s\b", re.IGNORECASE), r"\1's"),
    (
        re.compile(r"\b(ca|do|does|did|is|are|have|has|wo|should|must|was)nt\b", re.IGNORECASE),
        r"\1n't",
    ),
    (re.compile(r"\bim\b", re.IGNORECASE), "I'm"),
    (re.compile(r"\bive\b", re.IGNORECASE), "I've"),
)
_QUESTIONS = {
    chinese: read_phrases(f"question_intents/{language}_attribute_questions")["attribute"]
    for chinese, language in ((False, "english"), (True, "chinese"))
}
_NAMED = re.compile(
    r"(?:(?:so|and|hey|ok|remind me|tell me|do you (?:know|remember))[,:]? )*(?:what|which)"
    r"(?: is|'s| are) (?:my|our|the user's) (?P<english>[a-z][a-z -]{2,28}?)"
    r"(?: now| again| then)?"
    r"|(?:(?:你还?(?:记得|知道)|告诉我|请问|对了)[，, ]*)*(?:我们?|用户)的?"
    r"(?:是什么(?P<kind>[\u4e00-\u9fff]{2,3})"
    r"|(?P<chinese>[\u4e00-\u9fff]{2,6}?)"
    r"(?:是|有|叫|在)?(?:什么|多少|哪[里儿个些国家位]?|啥|几|谁|怎样|怎么样)(?:样|型)?)"
    r"(?:来着|呢|啊|呀|的)*",
    re.IGNORECASE,
)
_MARKS = " \t\n?？!！.。~～,，"


class AttributeQuestion(NamedTuple):
    subject: str
    """`user`, or a name as the question writes it."""
    attributes: tuple[str, ...]
    """Names of the attributes; any of them answers."""


def find_attribute_question(question: str) -> AttributeQuestion | None:
    """Return the attribute that is asked for, where the question asks for nothing else."""
    plain = restore_apostrophes(" ".join(question.split()).strip(_MARKS))
    if len(plain) > LONGEST_ATTRIBUTE_QUESTION:
        return None
    found = _QUESTIONS[has_chinese(plain)].find(plain)
    if found is None:
        return _find_by_name(plain)
    row, match = found
    groups = match.groupdict()
    if relation := groups.get("relation"):
        return AttributeQuestion("user", (work_attribute(relation),))
    return AttributeQuestion(groups.get("name") or "user", tuple(row.columns["attributes"]))


def _find_by_name(question: str) -> AttributeQuestion | None:
    """Find an attribute of the user that is called by a name of it: “my blood type”, 我的血型."""
    named = _NAMED.fullmatch(question)
    name = next(filter(None, named.groups()), "") if named else ""
    if not is_attribute_name(name):
        return None
    return AttributeQuestion("user", (canonical_attribute(name),))


def restore_apostrophes(question: str) -> str:
    """Restore apostrophes that are left out, as in “whats my job”."""
    for pattern, written in _LEFT_OUT:
        question = pattern.sub(written, question)
    return question.replace("’", "'")
