"""Questions that ask for an attribute of somebody, such as "Where do I live?" or 她在哪上班.

What answers them often shares no word with them ("I moved to Seattle"), and is known by
its attribute all the same.
"""

import re
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
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
        return None
    row, match = found
    groups = match.groupdict()
    if relation := groups.get("relation"):
        return AttributeQuestion("user", (work_attribute(relation),))
    return AttributeQuestion(groups.get("name") or "user", tuple(row.columns["attributes"]))


def restore_apostrophes(question: str) -> str:
    """Restore apostrophes that are left out, as in “whats my job”."""
    for pattern, written in _LEFT_OUT:
        question = pattern.sub(written, question)
    return question.replace("’", "'")
