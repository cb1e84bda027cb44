import pytest
from pydantic import ValidationError

from palimpsest.api.command_requests import AddRequest
from palimpsest.api.recall import RecallRequest
from palimpsest.model.kind_properties import EvidenceSource, Lifetime, MemoryFile
from palimpsest.model.kinds import KINDS, Kind, parse_kind


def test_every_kind_has_its_row() -> None:
    assert set(KINDS) == set(Kind)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("preference", Kind.PREFERENCE),
        ("user_preference", Kind.PREFERENCE),
        ("milestone", Kind.EVENT),
        ("project_decision", Kind.DECISION),
        ("discussion_conclusion", Kind.CONCLUSION),
        ("todo", Kind.ACTION_ITEM),
        ("frequent_question", Kind.PATTERN),
        ("data_insight", Kind.INSIGHT),
        ("user_feedback", Kind.FEEDBACK),
    ],
)
def test_the_sources_names_mean_our_kinds(name: str, kind: Kind) -> None:
    assert parse_kind(name) is kind
    assert AddRequest.model_validate({"content": "tea", "kind": name}).kind is kind
    asked = RecallRequest.model_validate({"user_id": "ann", "query": "tea", "kinds": [name]})
    assert asked.kinds == frozenset({kind})


def test_a_name_nobody_knows_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValidationError, match="'preference', 'fact'"):
        AddRequest.model_validate({"content": "tea", "kind": "opinion"})


def test_no_name_means_two_kinds() -> None:
    names = [str(kind) for kind in Kind] + [name for row in KINDS.values() for name in row.aliases]
    assert len(names) == len(set(names))


def test_only_what_may_be_edited_has_a_file() -> None:
    assert KINDS[Kind.CONTEXT].file is None
    assert {kind for kind in Kind if KINDS[kind].file is MemoryFile.LEARNINGS} == {
        Kind.LESSON,
        Kind.SKILL,
        Kind.PATTERN,
    }


@pytest.mark.parametrize(
    "kind", [Kind.PREFERENCE, Kind.FACT, Kind.PERSON, Kind.GOAL, Kind.EVENT, Kind.FEEDBACK]
)
def test_what_is_true_of_a_user_only_the_user_can_say(kind: Kind) -> None:
    assert KINDS[kind].evidence_from == {EvidenceSource.USER}


def test_what_is_least_important_ends_first() -> None:
    temporary = {kind for kind in Kind if KINDS[kind].lifetime is Lifetime.TEMPORARY}
    assert temporary == {min(Kind, key=lambda kind: KINDS[kind].importance)}
