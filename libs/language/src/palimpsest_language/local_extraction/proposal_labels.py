"""Labels of a proposal: the names of things and places in it, and a few tags for its topics.

Both come from the words of the proposal. A statement that no rule parsed is therefore found by its
names, and linked with others of the same names.
"""

import re
from collections.abc import Iterator

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.attribute_names import SERVICE_PEOPLE, canonical_attribute
from palimpsest_language.attributes.technologies import find_technology_kind
from palimpsest_language.clauses.sentences import blank_addresses
from palimpsest_language.detail_support.supported_names import is_common_word
from palimpsest_language.entity_kinds.entity_kinds import find_entity_kinds
from palimpsest_language.facts.chinese.places import find_place_at
from palimpsest_language.proposals import Proposal

MAX_ENTITIES = 4
MAX_TAGS = 3

_TOPICS = (
    (
        "health", "健康",
        "allergies health_conditions medication dietary_restrictions height weight blood_type",
    ),
    ("food", "饮食", "diet favorite_cuisine avoids"),
    ("home", "居住", "city country address hometown time_zone"),
    ("work", "工作", "employer job career salary shift commute"),
    (
        "technology", "技术",
        """
        tools preferred_framework preferred_backend_framework preferred_language preferred_database
        preferred_editor preferred_operating_system
        """,
    ),
    (
        "family", "家庭",
        """
        spouse partner wife husband daughter son children sister brother mother father relation
        girlfriend boyfriend marital_status
        """,
    ),
    ("pets", "宠物", "pets"),
    ("hobbies", "爱好", "hobbies likes dislikes"),
    ("languages", "语言", "languages response_language"),
    ("study", "学习", "school skills"),
    ("people", "人物", " ".join(SERVICE_PEOPLE)),
    ("about me", "个人信息", "name preferred_name age birthday birth_year gender"),
)  # fmt: skip
_TAGS_OF_ATTRIBUTE = {
    attribute: (english, chinese)
    for english, chinese, attributes in _TOPICS
    for attribute in attributes.split()
}
_TAGS_OF_KIND = {
    Kind.PERSON: ("people", "人物"),
    Kind.GOAL: ("plans", "计划"),
    Kind.EVENT: ("events", "经历"),
    Kind.ACTION_ITEM: ("tasks", "待办"),
    Kind.DECISION: ("decisions", "决定"),
    Kind.LESSON: ("lessons", "经验"),
    Kind.FEEDBACK: ("feedback", "反馈"),
    Kind.PREFERENCE: ("preferences", "偏好"),
}
_TECHNICAL = ("technology", "技术")
_NAME = re.compile(
    r"(?<![\w@./:'’-])(?:(?:Dr|Mr|Mrs|Ms|Prof)\. )?[A-Z][\w+#]*(?:[.-][A-Za-z0-9]\w*)*"
    r"(?: (?:[A-Z][\w+#]*(?:[.-]\w+)*|\d+(?:\.\d+)*)\b)*"
)
_TITLE = re.compile(r"^(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )")
_OF_NOBODY = frozenset({"user", "agent", "team", "decision", "conclusion", "lesson"})
_LEAST_CHARACTERS = 2


def label_proposal(proposal: Proposal) -> Proposal:
    """Return the proposal with its entities, at most 4, and its tags, at most 3."""
    entities = tuple(dict.fromkeys((*proposal.entities, *_names(proposal))))[:MAX_ENTITIES]
    named = proposal.model_copy(update={"entities": entities})
    tags = tuple(dict.fromkeys((*proposal.tags, *_tags(named))))[:MAX_TAGS]
    return named.model_copy(update={"tags": tags})


def _names(proposal: Proposal) -> Iterator[str]:
    text = blank_addresses(proposal.content)
    subject = proposal.subject or ""
    if len(subject) >= _LEAST_CHARACTERS and subject not in _OF_NOBODY and _is_name(subject):
        yield subject
    for match in _NAME.finditer(text):
        name = _without_common_words(match.group())
        marked = match.start() > 0 or _is_marked(name)
        known = (subject, *proposal.entities)
        if len(name) >= _LEAST_CHARACTERS and marked and name not in known:
            yield name
    if has_chinese(text):
        # Only the words around a Chinese name mark it.
        yield from find_entity_kinds(text)
        yield from _places(text)


def _without_common_words(name: str) -> str:
    """Drop words at the beginning of a name that are none: "The", "On Monday"."""
    words = name.split(" ")
    while words and (is_common_word(words[0]) or words[0].isdigit()):
        words.pop(0)
    return " ".join(words)


def _is_marked(name: str) -> bool:
    """Tell whether a first word is a name: MJ Studio, TechCorp, Nuxt 4."""
    first, *_ = name.split(" ", maxsplit=1)
    return " " in name or not first[1:].islower() or find_technology_kind(first) is not None


def _is_name(subject: str) -> bool:
    return subject[:1].isupper() or (has_chinese(subject) and not subject.endswith(_TITLES))


_TITLES = tuple("妈爸哥姐弟妹爷奶婆公儿子女友亲伴猫狗事师板人")


def _places(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        place = find_place_at(text, start)
        if place is not None:
            yield place
        start += len(place) if place else 1


def _tags(proposal: Proposal) -> Iterator[str]:
    chinese = has_chinese(proposal.content)
    attribute = canonical_attribute(proposal.attribute) if proposal.attribute else ""
    if proposal.kind is Kind.FEEDBACK:
        # Praise or criticism of an agent is no taste.
        attribute = ""
    pairs = [
        _TAGS_OF_ATTRIBUTE.get(attribute),
        _TECHNICAL if any(map(_is_technology, proposal.entities)) else None,
    ]
    if not any(pairs):
        pairs.append(_TAGS_OF_KIND.get(proposal.kind))
    yield from (pair[chinese] for pair in pairs if pair is not None)
    yield from (_TITLE.sub("", name) for name in proposal.entities[:1])


def _is_technology(name: str) -> bool:
    first = re.sub(r" [\d.]+$", "", name)
    return find_technology_kind(name) is not None or find_technology_kind(first) is not None
