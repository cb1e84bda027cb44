"""Match a found item to an expected one by kind, subject, value and polarity. Pure."""

import re
from collections.abc import Mapping, Sequence

from palimpsest.model.kind_properties import Wording
from palimpsest.model.kinds import Kind, select_kinds
from palimpsest_lab.extraction.extracted_items import ExtractedItem
from palimpsest_lab.extraction.golden_dialogues import (
    ExpectedPolarity,
    ForbiddenMemory,
    GoldenDialogue,
    GoldenMemory,
    GoldenTodo,
)
from palimpsest_lab.extraction.phrase_search import (
    has_any_phrase,
    has_phrase,
    is_any_phrase_denied,
    is_denied_or_ended,
)

NEAR_KINDS: frozenset[frozenset[Kind]] = frozenset(
    frozenset(pair)
    for pair in (
        (Kind.FACT, Kind.PERSON),
        (Kind.FACT, Kind.PREFERENCE),
        (Kind.FACT, Kind.EVENT),
        (Kind.FACT, Kind.CONTEXT),
        (Kind.FACT, Kind.CONCLUSION),
        (Kind.PERSON, Kind.EVENT),
        (Kind.PERSON, Kind.PREFERENCE),
        (Kind.EVENT, Kind.CONTEXT),
        (Kind.EVENT, Kind.GOAL),
        (Kind.GOAL, Kind.DECISION),
        (Kind.GOAL, Kind.ACTION_ITEM),
        (Kind.PREFERENCE, Kind.FEEDBACK),
        (Kind.PREFERENCE, Kind.DECISION),
        (Kind.DECISION, Kind.CONCLUSION),
        (Kind.CONCLUSION, Kind.LESSON),
        (Kind.CONCLUSION, Kind.INSIGHT),
        (Kind.LESSON, Kind.FEEDBACK),
    )
)
"""Kinds that readers take for one another: found as one of the pair, the other is not missed."""

_ACCEPTED: Mapping[Kind, frozenset[Kind]] = {
    kind: frozenset({kind}).union(*(pair for pair in NEAR_KINDS if kind in pair)) for kind in Kind
}
"""Kind found → the kinds that may have been expected."""

_ABOUT_SOMEBODY = frozenset(select_kinds(lambda kind: kind.is_about_somebody))
"""Their subject is somebody; that of the others is a topic, which has no one name."""

_STANCES = frozenset(select_kinds(lambda kind: Wording.STANCE in kind.wording))
"""To deny their value turns them round. `婷婷不吃辣` holds of 婷婷 all the same."""

_THE_USER = frozenset({"user", "the user", "用户", "使用者", "我", "本人", "i", "me", "myself"})

_DENYING_ATTRIBUTE = frozenset(
    [
        "dislike",
        "dislikes",
        "disliked",
        "hate",
        "hates",
        "avoid",
        "avoids",
        "avoided",
        "not",
        "never",
        "without",
        "refuses",
        "rejects",
        "former",
        "formerly",
        "previous",
        "past",
        "ended",
        "quit",
        "stopped",
        "negative",
    ]
)
_DENYING_ATTRIBUTE_CHINESE = re.compile(r"^(?:不|讨厌|忌|曾|戒|拒|前任|避免)")
_AFFIRMING_ATTRIBUTE = frozenset(
    ["like", "likes", "love", "loves", "enjoy", "enjoys", "favourite", "favorite"]
)


def is_expected_memory(
    item: ExtractedItem, expected: GoldenMemory, dialogue: GoldenDialogue
) -> bool:
    """Return whether this is the expected memory.

    The same or a near kind, subject, value and polarity.
    """
    return (
        not _ACCEPTED[item.kind].isdisjoint(expected.kinds)
        and _same_subject(item, expected)
        and _holds_value(item, expected.value)
        and _same_polarity(item, expected, dialogue)
    )


def is_expected_todo(item: ExtractedItem, expected: GoldenTodo) -> bool:
    return (
        item.kind is Kind.ACTION_ITEM
        and item.completed == expected.completed
        and _holds_value(item, expected.content)
    )


def is_restatement(
    item: ExtractedItem, expected: GoldenMemory | GoldenTodo, dialogue: GoldenDialogue
) -> bool:
    """Return whether this repeats a matched expectation, resting on one of its messages."""
    if not set(item.message_ids) & set(expected.stated_in):
        return False
    if isinstance(expected, GoldenTodo):
        return _holds_value(item, expected.content)
    return (
        _same_subject(item, expected)
        and _holds_value(item, expected.value)
        and _same_polarity(item, expected, dialogue)
    )


def is_forbidden(item: ExtractedItem, must_not: ForbiddenMemory) -> bool:
    return all(has_phrase(item.content, word) for word in must_not.words)


def find_kept_details(
    expected: GoldenMemory, items: Sequence[ExtractedItem]
) -> list[str | tuple[str, ...]]:
    """Return the details that the words of one of these items hold."""
    words = "\n".join(extracted_item.words for extracted_item in items)
    return [
        detail
        for detail in expected.details
        if has_any_phrase(words, (detail,) if isinstance(detail, str) else detail)
    ]


def _holds_value(item: ExtractedItem, forms: Sequence[str]) -> bool:
    return has_any_phrase(item.value or "", forms) or has_any_phrase(item.content, forms)


def _same_subject(item: ExtractedItem, expected: GoldenMemory) -> bool:
    if not expected.subject or expected.kinds[0] not in _ABOUT_SOMEBODY:
        return True
    if not item.subject:
        return "user" in expected.subject or has_any_phrase(item.content, expected.subject)
    if item.subject.casefold() in _THE_USER:
        return "user" in expected.subject
    return any(
        has_phrase(item.subject, name) or has_phrase(name, item.subject)
        for name in expected.subject
    )


def _same_polarity(item: ExtractedItem, expected: GoldenMemory, dialogue: GoldenDialogue) -> bool:
    denied = _denied_outright(item, expected, dialogue)
    if expected.polarity is ExpectedPolarity.POSITIVE:
        if denied:
            return False
        return item.kind not in _STANCES or not is_any_phrase_denied(item.content, expected.value)
    if denied or (expected.polarity is ExpectedPolarity.ENDED and item.valid_until is not None):
        return True
    return not _attribute_words(item) & _AFFIRMING_ATTRIBUTE and is_denied_or_ended(item.content)


def _denied_outright(item: ExtractedItem, expected: GoldenMemory, dialogue: GoldenDialogue) -> bool:
    """Return whether an item's own fields deny it, whatever its content says."""
    if item.ended or str(item.data.get("polarity")) in {
        ExpectedPolarity.NEGATIVE,
        ExpectedPolarity.ENDED,
    }:
        return True
    said = max(
        message.at for message in dialogue.messages if message.message_id in expected.stated_in
    )
    if item.valid_until is not None and item.valid_until <= said and item.kind is not Kind.EVENT:
        return True
    attribute = item.attribute or ""
    return bool(
        _attribute_words(item) & _DENYING_ATTRIBUTE or _DENYING_ATTRIBUTE_CHINESE.match(attribute)
    )


def _attribute_words(item: ExtractedItem) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", (item.attribute or "").casefold()))
