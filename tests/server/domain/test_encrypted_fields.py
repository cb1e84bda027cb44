"""What is sealed of a document: all that says something, under its nearest owner, and nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.events.topics import TOPICS
from palimpsest_server.domain.encrypted_fields import (
    CONTENT_FIELDS,
    NO_OWNER,
    PLACEHOLDER_VALUES,
    WHOLLY_ENCRYPTED_FIELDS,
    ContentOwner,
    decrypt_fields,
    encrypt_fields,
    find_content_owner,
)
from tests.support.server.domain.text_fields import text_fields

READABLE = frozenset(
    [
        "actor",
        "after_ids",
        "agent_id",
        "agents",
        "anew",
        "basis",
        "begins",
        "beside",
        "body_sha256",
        "change_set_id",
        "completed_by",
        "dead_letter_id",
        "dead_letter_ids",
        "dense",
        "ends",
        "event_id",
        "event_type",
        "failure",
        "granularity",
        "id",
        "ids",
        "key",
        "last_summary_id",
        "left_out",
        "made_by",
        "memory_id",
        "memory_ids",
        "message",
        "message_id",
        "model",
        "name",
        "origin",
        "other_id",
        "project_id",
        "provider",
        "question_id",
        "question_ids",
        "recall_id",
        "record_key",
        "recurrence",
        "reply_to",
        "request_id",
        "request_ids",
        "result_ids",
        "rule",
        "run_id",
        "session_id",
        "session_ids",
        "skill_name",
        "sparse",
        "sparse_indices",
        "sparse_values",
        "stage",
        "summary_ids",
        "superseded_by",
        "supersedes",
        "told_apart",
        "task",
        "time_zone",
        "todo_id",
        "trace",
        "turn_ids",
        "type",
        "undone_session_id",
        "user_id",
        "why",
        "window_id",
        "window_ids",
    ]
)
"""Ids, names of parts of ours, and what a client writes down for itself alone."""


def test_of_every_field_with_words_it_is_known_whether_it_says_something() -> None:
    undecided = {
        name: models
        for name, models in text_fields(model for topic in TOPICS for model in topic.models).items()
        if name not in CONTENT_FIELDS | WHOLLY_ENCRYPTED_FIELDS | READABLE
    }
    assert undecided == {}


def mark(owner: ContentOwner, value: Any) -> Any:
    return ("sealed", owner, value)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (
            {"text": "hello", "state": "stored"},
            {"text": mark(NO_OWNER, "hello"), "state": "stored"},
        ),
        (
            {"user_id": "ann", "epoch": 2, "tags": ["a", "b"]},
            {
                "user_id": "ann",
                "epoch": 2,
                "tags": [mark(ContentOwner("ann", 2), "a"), mark(ContentOwner("ann", 2), "b")],
            },
        ),
        ({"$set": {"answer.text": "x"}}, {"$set": {"answer.text": mark(NO_OWNER, "x")}}),
        ({"reason": "erased", "content": ""}, {"reason": "erased", "content": ""}),
        ({"data": {"k": [1]}}, {"data": mark(NO_OWNER, {"k": [1]})}),
        ({"vectors": [{"text": "x"}]}, {"vectors": [{"text": "x"}]}),
        ({"before": None, "value": 3}, {"before": None, "value": 3}),
    ],
)
def test_what_says_something_is_sealed(document: Any, expected: Any) -> None:
    assert encrypt_fields(document, mark, plain=frozenset()) == expected


def test_fields_that_are_asked_for_stay_as_they_are() -> None:
    letter = {"reason": "invalid_event", "body": "x"}
    found = encrypt_fields(letter, mark, plain=frozenset({"reason"}))
    assert found == {"reason": "invalid_event", "body": mark(NO_OWNER, "x")}


@pytest.mark.parametrize(
    ("document", "outer", "owner"),
    [
        ({"user_id": "ann"}, NO_OWNER, ContentOwner("ann", None)),
        ({"scope": {"user_id": "ann"}, "epoch": 1}, NO_OWNER, ContentOwner("ann", 1)),
        ({"namespace": {"user_id": "ann"}}, ContentOwner("ann", 3), ContentOwner("ann", 3)),
        ({"user_id": "bob"}, ContentOwner("ann", 3), ContentOwner("bob", None)),
        ({}, ContentOwner("ann", 3), ContentOwner("ann", 3)),
    ],
)
def test_an_epoch_is_inherited_only_with_its_user(
    document: Any, outer: ContentOwner, owner: ContentOwner
) -> None:
    assert find_content_owner(document, outer) == owner


WORDS = st.text(max_size=9)
DOCUMENTS = st.recursive(
    st.dictionaries(
        st.sampled_from([*sorted(CONTENT_FIELDS), "state", "user_id"]), WORDS, max_size=4
    ),
    lambda inner: st.dictionaries(st.sampled_from(["answer", "changes", "scope"]), inner),
    max_leaves=9,
)


@given(DOCUMENTS)
def test_what_was_sealed_is_opened_as_it_was(document: Any) -> None:
    ready = encrypt_fields(document, lambda _, value: (value,), plain=frozenset())
    assert (
        decrypt_fields(ready, lambda value: isinstance(value, tuple), lambda token: token[0])
        == document
    )
    for name in CONTENT_FIELDS & document.keys():
        assert isinstance(ready[name], tuple) or document[name] in PLACEHOLDER_VALUES
