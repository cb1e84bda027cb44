"""Every rule understands its examples and is silent on its counter-examples."""

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.attribution.attribute_finder import find_attribute_value
from palimpsest_language.attribution.chinese import CHINESE
from palimpsest_language.attribution.english import ENGLISH
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.corrections.correction import CorrectedMessage
from palimpsest_language.corrections.pipeline import CORRECTION_KINDS
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.disowned.message_denials import find_denied_message
from palimpsest_language.disowned.statement_denials import find_denied_statements
from palimpsest_language.facts.fact_matcher import FactMatch, SentenceSpeaker, match_facts
from palimpsest_language.message_spans.quotations import find_by_form
from palimpsest_language.message_spans.span_rules import SpanRule, read_span_rules
from palimpsest_language.message_spans.text_tasks import announces_text, find_by_request
from palimpsest_language.off_the_record.requests import asks_not_to_remember
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.redaction.redactor import redact
from palimpsest_language.redaction.spoken_secrets import read_spoken_rules
from palimpsest_language.rule_tables import RuleRow, all_rules, disabled, record_matches
from palimpsest_language.stances.stance import find_stance_rule
from palimpsest_language.statements.kind_classifier import find_kind_cue
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_language.topics.topic_detection import detect_topics

RULES = all_rules()
TABLES = sorted({row.table for row in RULES})
SAID_AT = datetime(2026, 3, 4, tzinfo=UTC)
SPEAKER = SentenceSpeaker(Role.USER, None)
SAID = UtteranceTime(datetime(2026, 5, 4, 9, tzinfo=UTC), "UTC")
"""A Monday morning; what an example says of a day is counted from it."""


def read_facts(text: str) -> list[FactMatch]:
    return [
        match
        for sentence in split_declarative_sentences(text)
        for match in match_facts(sentence, SPEAKER, message=1)
    ]


def read_fact_example(row: RuleRow, example: Mapping[str, Any]) -> Mapping[str, Any]:
    """Tell of the example what the rule makes of it, and which other rules match beside it."""
    told = read_facts(example["text"])
    others = sorted(match.rule for match in told if match.rule != row.id)
    found: dict[str, Any] = {"text": example["text"], **({"also": others} if others else {})}
    for proposal in (match.proposal for match in told if match.rule == row.id):
        found |= {"content": proposal.content}
        if proposal.value is not None:
            found["value"] = proposal.value
        if proposal.attribute != row.columns.get("attribute"):
            found["attribute"] = proposal.attribute
        if proposal.replaces is not None:
            found["replaces"] = proposal.replaces
        assert proposal.ended == row.columns.get("ended", False)
    return found


def fact_examples_that_fail(row: RuleRow) -> list[object]:
    failed: list[object] = [
        (row.id, expected, found)
        for expected in row.examples
        if (found := read_fact_example(row, expected)) != expected
    ]
    return failed + [(row.id, text) for text in row.counter_examples if read_facts(text)]


def find_cue(row: RuleRow, text: str) -> str | None:
    """Find the id of the cue that decides for the text, said by whom the row is meant for."""
    role = Role.AGENT if row.columns.get("said_by") == "agent" else Role.USER
    times = find_sentence_times(text, SAID)
    time = times[0] if times else None
    cue = find_kind_cue(text, role, time, SAID, chinese=has_chinese(text))
    return cue.id if cue else None


def cue_examples_that_fail(row: RuleRow) -> list[object]:
    failed: list[object] = [
        (row.id, example["text"], found)
        for example in row.examples
        if (found := find_cue(row, example["text"])) != row.id
    ]
    return failed + [
        (row.id, text) for text in row.counter_examples if find_cue(row, text) == row.id
    ]


VALUE_PATTERNS = {
    value.rule: value.pattern
    for language in (ENGLISH, CHINESE)
    for topic in language.topics
    for value in topic.values
}


def attribution_examples_that_fail(row: RuleRow) -> list[object]:
    failed: list[object] = [
        (row.id, example, found)
        for example in row.examples
        if (found := find_attribute_value(example["text"])) is None
        or (found.attribute, found.value) != (row.columns["attribute"], example["value"])
        or not finds_value(row, example)
    ]
    return failed + [
        (row.id, text) for text in row.counter_examples if find_attribute_value(text) is not None
    ]


def finds_value(row: RuleRow, example: Mapping[str, Any]) -> bool:
    """Tell whether the row's own pattern finds the value, however it is tidied afterwards."""
    values = [match["value"] for match in VALUE_PATTERNS[row.id].compiled.finditer(example["text"])]
    return any(value in example["value"] or example["value"] in value for value in values)


def find_cue_rules(text: str) -> set[str]:
    message = DialogueMessage(
        number=1, role=Role.USER, speaker=None, text=text, fresh=True, occurred_at=SAID_AT
    )
    said = CorrectedMessage(message, said_before=(), before=(), time_zone="UTC")
    return {cue.rule for kind in CORRECTION_KINDS for cue in kind.find_cues(said)}


def correction_examples_that_fail(row: RuleRow) -> list[object]:
    texts = [example["text"] for example in row.examples]
    failed: list[object] = [(row.id, text) for text in texts if row.id not in find_cue_rules(text)]
    return failed + [
        (row.id, text) for text in row.counter_examples if row.id in find_cue_rules(text)
    ]


def find_phrase(row: RuleRow, text: str) -> str | None:
    """Find the id of the first row with the same sign that fits the text."""
    phrases = read_phrases(row.table)[row.columns["sign"]]
    with record_matches() as matched:
        phrases.search(text)
    return next(iter(matched), None)


def phrase_examples_that_fail(row: RuleRow) -> list[object]:
    failed: list[object] = [
        (row.id, example["text"], found)
        for example in row.examples
        if (found := find_phrase(row, example["text"])) != row.id
    ]
    return failed + [
        (row.id, text, found)
        for text in row.counter_examples
        if (found := find_phrase(row, text)) is not None
    ]


def find_request_rules(text: str) -> set[str]:
    with record_matches() as matched:
        asks_not_to_remember(text)
    return matched


def request_examples_that_fail(row: RuleRow) -> list[object]:
    texts = [example["text"] for example in row.examples]
    failed: list[object] = [
        (row.id, text) for text in texts if row.id not in find_request_rules(text)
    ]
    return failed + [(row.id, text) for text in row.counter_examples if asks_not_to_remember(text)]


def topic_examples_that_fail(row: RuleRow) -> list[object]:
    def shows_topic(text: str) -> bool:
        return row.id in {topic.rule for topic in detect_topics(text)}

    failed: list[object] = [
        (row.id, example["text"]) for example in row.examples if not shows_topic(example["text"])
    ]
    return failed + [(row.id, text) for text in row.counter_examples if shows_topic(text)]


def examples_that_fail(row: RuleRow) -> list[object]:
    """Try the examples of a row as its columns and the room of its table have them read."""
    if "sign" in row.columns:
        return phrase_examples_that_fail(row)
    return RUNNERS[row.table.split("/", 1)[0]](row)


SPANS: dict[str, Callable[[SpanRule, str], bool]] = {
    "chat_lines": lambda rule, text: rule.match(text) is not None,
    "fiction_cues": lambda rule, text: any(rule.finditer(text)),
    "guest_cues": lambda rule, text: any(rule.finditer(text)),
    "line_shapes": lambda rule, text: rule.match(text) is not None,
    "quotation_forms": lambda rule, text: any(find_by_form(rule, text)),
    "text_tasks": lambda rule, text: (
        any(find_by_request(rule, text))
        or (rule.columns["text"] == "next" and announces_text(text))
    ),
}
"""By its table: whether a rule of spans finds something in a text."""


def span_examples_that_fail(row: RuleRow) -> list[object]:
    name = row.table.split("/")[1]
    rule = next(rule for rule in read_span_rules(name) if rule.id == row.id)
    texts = [example["text"] for example in row.examples]
    failed: list[object] = [(row.id, text) for text in texts if not SPANS[name](rule, text)]
    return failed + [(row.id, text) for text in row.counter_examples if SPANS[name](rule, text)]


def denial_examples_that_fail(row: RuleRow) -> list[object]:
    def find(text: str) -> list[str]:
        with record_matches() as matched:
            denied = [statement.says for statement in find_denied_statements(text)]
            message = find_denied_message(text)
        return denied or ([""] if message and row.id in matched else [])

    failed: list[object] = [
        (row.id, example["text"], find(example["text"]))
        for example in row.examples
        if find(example["text"]) != [example.get("is", "")]
    ]
    return failed + [(row.id, text) for text in row.counter_examples if find(text)]


def stance_examples_that_fail(row: RuleRow) -> list[object]:
    failed: list[object] = [
        (row.id, example["text"], found)
        for example in row.examples
        if (found := find_stance_rule(example["text"])) is None
        or (found.rule, found.thing) != (row.id, example["thing"])
    ]
    counter = [(text, find_stance_rule(text)) for text in row.counter_examples]
    return failed + [(row.id, text) for text, found in counter if found and found.rule == row.id]


def find_spoken(row: RuleRow, text: str) -> list[str]:
    return [text[start:end] for start, end in read_spoken_rules()[row.id].stretches(text)]


def secret_examples_that_fail(row: RuleRow) -> list[object]:
    failed: list[object] = [
        (row.id, example["text"], found)
        for example in row.examples
        if (found := find_spoken(row, example["text"])) != [example["secret"]]
    ]
    return failed + [(row.id, text) for text in row.counter_examples if redact(text).findings]


RUNNERS: dict[str, Callable[[RuleRow], list[object]]] = {
    "attribution": attribution_examples_that_fail,
    "corrections": correction_examples_that_fail,
    "disowned": denial_examples_that_fail,
    "facts": fact_examples_that_fail,
    "off_the_record": request_examples_that_fail,
    "redaction": secret_examples_that_fail,
    "topics": topic_examples_that_fail,
    "message_spans": span_examples_that_fail,
    "stances": stance_examples_that_fail,
    "statements": cue_examples_that_fail,
}
"""By the room of the table: how its examples are read."""


@pytest.mark.parametrize("table", TABLES)
def test_the_rules_of_a_table_do_as_their_examples_say(table: str) -> None:
    rows = [row for row in RULES if row.table == table]
    assert [failure for row in rows for failure in examples_that_fail(row)] == []


def test_every_rule_has_an_example() -> None:
    topics = {
        row.id for row in RULES if row.table.startswith("attribution/") and "kind" in row.columns
    }
    assert [row.id for row in RULES if not row.examples and row.id not in topics] == []


def test_every_topic_has_patterns_of_its_values() -> None:
    topics = [topic for language in (ENGLISH, CHINESE) for topic in language.topics]
    assert [topic.rule for topic in topics if not topic.values] == []


def test_no_two_rules_share_an_id() -> None:
    assert [rule for rule, count in Counter(row.id for row in RULES).items() if count > 1] == []


def test_the_examples_are_many() -> None:
    examples = sum(len(row.examples) for row in RULES)
    counter_examples = sum(len(row.counter_examples) for row in RULES)
    assert (examples >= 2300, counter_examples >= 600) == (True, True)


def test_a_rule_that_is_switched_off_matches_nothing() -> None:
    rule = next(row for row in RULES if row.table == "facts/english/changes")
    text = rule.examples[0]["text"]
    with disabled([rule.id]):
        assert rule.id not in {match.rule for match in read_facts(text)}
    assert rule.id in {match.rule for match in read_facts(text)}


def test_a_phrase_that_is_switched_off_tells_nothing() -> None:
    rule = next(row for row in RULES if row.id == "en.agent_feedback.orders")
    text = rule.examples[0]["text"]
    with disabled([rule.id]):
        assert find_phrase(rule, text) is None
    assert find_phrase(rule, text) == rule.id


def test_what_was_kept_of_a_cue_is_forgotten_when_it_is_switched_off() -> None:
    rule = next(row for row in RULES if row.id == "en.kind_cues.context")
    text = rule.examples[0]["text"]
    assert find_cue(rule, text) == rule.id
    with disabled([rule.id]):
        assert find_cue(rule, text) != rule.id
    assert find_cue(rule, text) == rule.id


def test_a_rule_that_does_not_exist_cannot_be_switched_off() -> None:
    with pytest.raises(ValueError, match="no such rule"), disabled(["en.nowhere.1"]):
        pass
