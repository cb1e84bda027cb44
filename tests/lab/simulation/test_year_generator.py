"""What the generator makes of a seed: a year in which everything said fits what was said before."""

from collections import Counter
from datetime import timedelta
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.kinds import Kind
from palimpsest.model.user import Language
from palimpsest_lab.simulation.action_generator import get_attribute_kind
from palimpsest_lab.simulation.ground_truth import SINGLE_VALUE_ATTRIBUTES, GroundTruth
from palimpsest_lab.simulation.sentence_data import load_sentences
from palimpsest_lab.simulation.user_actions import SimulatedYear, StatementForm, UserActionType
from palimpsest_lab.simulation.year_generator import generate_year

years = st.builds(
    generate_year,
    seed=st.integers(),
    users=st.integers(1, 5),
    messages=st.integers(1, 150),
    days=st.integers(1, 40),
)


@pytest.fixture(scope="module")
def whole() -> SimulatedYear:
    return generate_year(seed=7, users=20, messages=10_000, days=365)


def test_the_same_seed_is_the_same_year_and_another_one_is_not(whole: SimulatedYear) -> None:
    assert whole.acts == generate_year(seed=7, users=20, messages=10_000, days=365).acts
    assert whole.acts != generate_year(seed=8, users=20, messages=10_000, days=365).acts


def test_the_years_of_both_forms_are_the_whole_year_and_nobody_is_in_both(
    whole: SimulatedYear,
) -> None:
    parts = [whole.of(form) for form in StatementForm]
    assert all(part.days == whole.days for part in parts)
    assert sum(part.messages for part in parts) == whole.messages
    for part, form in zip(parts, StatementForm, strict=True):
        assert {person.form for person in part.people} == {form}
        assert list(part.acts) == [act for act in whole.acts if act.person in part.people]


def test_whoever_is_added_changes_nobody_elses_year() -> None:
    few, more = (
        generate_year(seed=1, users=users, messages=users * 30, days=30) for users in (4, 5)
    )
    first = few.people[0]
    assert [act for act in few.acts if act.person == first] == [
        act for act in more.acts if act.person == first
    ]


def test_a_year_has_as_many_messages_as_were_asked_for_half_of_each_form(
    whole: SimulatedYear,
) -> None:
    assert whole.messages == 10_000
    assert len(whole.people) == 20
    sorts = Counter((person.form, person.language) for person in whole.people)
    assert sorts == {(form, language): 5 for form in StatementForm for language in Language}
    statements = [
        a for a in whole.acts if a.doing not in (UserActionType.CHAT, UserActionType.FORGET)
    ]
    plain = sum(act.person.form is StatementForm.PLAIN for act in statements)
    assert abs(plain / len(statements) - 0.5) < 0.01


def test_everything_is_done_often_enough_to_be_counted(whole: SimulatedYear) -> None:
    done = Counter(act.doing for act in whole.acts)
    assert set(done) == set(UserActionType)
    assert min(done.values()) > 150


def test_every_wording_of_every_attribute_is_heard(whole: SimulatedYear) -> None:
    for language in Language:
        attributes = {
            act.attribute for act in whole.acts if act.person.language is language and act.attribute
        }
        words = load_sentences(language)
        assert attributes == {*words.single, *words.multi}


@given(years)
def test_what_arrives_arrives_day_by_day_and_once(played: SimulatedYear) -> None:
    days = [act.day for act in played.acts]
    assert days == sorted(days)
    assert set(days) <= set(played.days)
    assert len({act.id for act in played.acts}) == len(played.acts)
    said = [(a.person, a.occurred_at) for a in played.acts if a.doing is not UserActionType.FORGET]
    assert len(set(said)) == len(said)


@given(years)
def test_only_what_is_late_speaks_of_another_day(played: SimulatedYear) -> None:
    for act in played.acts:
        if act.doing is UserActionType.LATE:
            assert act.occurred_at.date() < act.day + timedelta(days=1)
        else:
            assert act.occurred_at.date() == act.day


@given(years)
def test_a_day_with_messages_has_a_statement_in_it(played: SimulatedYear) -> None:
    for _, same in groupby(played.acts, key=lambda act: act.day):
        of_day = [act for act in same if act.doing is not UserActionType.FORGET]
        for person in {act.person for act in of_day}:
            first = next(act for act in of_day if act.person == person)
            assert first.doing is not UserActionType.CHAT


@given(years)
def test_what_is_said_fits_what_was_so_before(played: SimulatedYear) -> None:
    for number, act in enumerate(played.acts):
        before = GroundTruth.after(played.acts[:number])
        item, moment = act.item, act.occurred_at
        if item is None:
            assert act.doing is UserActionType.CHAT
            continue
        match act.doing:
            case (
                UserActionType.REPEAT
                | UserActionType.STOP
                | UserActionType.TELL_AGAIN
                | UserActionType.FORGET
            ):
                assert before.holds(item, moment)
            case _:
                assert not before.holds(item, moment)


@given(years)
def test_what_is_late_changes_nothing_about_now(played: SimulatedYear) -> None:
    for number, act in enumerate(played.acts):
        if act.doing is UserActionType.LATE:
            before, after = (GroundTruth.after(played.acts[:end]) for end in (number, number + 1))
            key = (act.person.user_id, act.attribute or "")
            now = max(act.occurred_at for act in played.acts[: number + 1])
            assert before.lines[key].at(now) == after.lines[key].at(now)


@given(years)
def test_every_sentence_is_filled_in_and_names_what_it_is_about(played: SimulatedYear) -> None:
    for act in played.acts:
        if act.doing is UserActionType.FORGET:
            assert not act.text
            continue
        assert act.text
        assert "{" not in act.text
        if act.value is not None:
            assert act.value in act.text


@given(years)
def test_one_thing_told_has_one_kind(played: SimulatedYear) -> None:
    kinds: dict[tuple[str, str], set[tuple[Kind, float | None]]] = {}
    for act in played.acts:
        if act.doing in (UserActionType.TELL, UserActionType.TELL_AGAIN):
            kinds.setdefault((act.person.user_id, act.text), set()).add((act.kind, act.importance))
        elif act.attribute is not None and act.doing is not UserActionType.FORGET:
            assert act.kind is get_attribute_kind(act.attribute)
    assert all(len(kind) == 1 for kind in kinds.values())


def test_attributes_are_of_one_value_in_both_languages_alike() -> None:
    assert all(
        load_sentences(language).single.keys() == SINGLE_VALUE_ATTRIBUTES for language in Language
    )
