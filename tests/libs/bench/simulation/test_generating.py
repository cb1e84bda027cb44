"""What the generator makes of a seed: a year in which everything said fits what was said before."""

from collections import Counter
from datetime import timedelta
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.bench.simulation.acts import Doing, Form, Year
from palimpsest.bench.simulation.generating import year
from palimpsest.bench.simulation.living import kind_of
from palimpsest.bench.simulation.sentences import sentences_in
from palimpsest.bench.simulation.truth import SINGLE, Truth
from palimpsest.domain.kinds import Kind
from palimpsest.domain.user import Language

years = st.builds(
    year,
    seed=st.integers(),
    users=st.integers(1, 5),
    messages=st.integers(1, 150),
    days=st.integers(1, 40),
)


@pytest.fixture(scope="module")
def whole() -> Year:
    return year(seed=7, users=20, messages=10_000, days=365)


def test_the_same_seed_is_the_same_year_and_another_one_is_not(whole: Year) -> None:
    assert whole.acts == year(seed=7, users=20, messages=10_000, days=365).acts
    assert whole.acts != year(seed=8, users=20, messages=10_000, days=365).acts


def test_the_years_of_both_forms_are_the_whole_year_and_nobody_is_in_both(whole: Year) -> None:
    parts = [whole.of(form) for form in Form]
    assert all(part.days == whole.days for part in parts)
    assert sum(part.messages for part in parts) == whole.messages
    for part, form in zip(parts, Form, strict=True):
        assert {person.form for person in part.people} == {form}
        assert list(part.acts) == [act for act in whole.acts if act.person in part.people]


def test_whoever_is_added_changes_nobody_elses_year() -> None:
    few, more = (year(seed=1, users=users, messages=users * 30, days=30) for users in (4, 5))
    first = few.people[0]
    assert [act for act in few.acts if act.person == first] == [
        act for act in more.acts if act.person == first
    ]


def test_a_year_has_as_many_messages_as_were_asked_for_half_of_each_form(whole: Year) -> None:
    assert whole.messages == 10_000
    assert len(whole.people) == 20
    sorts = Counter((person.form, person.language) for person in whole.people)
    assert sorts == {(form, language): 5 for form in Form for language in Language}
    statements = [a for a in whole.acts if a.doing not in (Doing.CHAT, Doing.FORGET)]
    plain = sum(act.person.form is Form.PLAIN for act in statements)
    assert abs(plain / len(statements) - 0.5) < 0.01


def test_everything_is_done_often_enough_to_be_counted(whole: Year) -> None:
    done = Counter(act.doing for act in whole.acts)
    assert set(done) == set(Doing)
    assert min(done.values()) > 150


def test_every_wording_of_every_attribute_is_heard(whole: Year) -> None:
    for language in Language:
        attributes = {
            act.attribute for act in whole.acts if act.person.language is language and act.attribute
        }
        words = sentences_in(language)
        assert attributes == {*words.single, *words.multi}


@given(years)
def test_what_arrives_arrives_day_by_day_and_once(played: Year) -> None:
    days = [act.day for act in played.acts]
    assert days == sorted(days)
    assert set(days) <= set(played.days)
    assert len({act.id for act in played.acts}) == len(played.acts)
    said = [(a.person, a.occurred_at) for a in played.acts if a.doing is not Doing.FORGET]
    assert len(set(said)) == len(said)


@given(years)
def test_only_what_is_late_speaks_of_another_day(played: Year) -> None:
    for act in played.acts:
        if act.doing is Doing.LATE:
            assert act.occurred_at.date() < act.day + timedelta(days=1)
        else:
            assert act.occurred_at.date() == act.day


@given(years)
def test_a_day_with_messages_has_a_statement_in_it(played: Year) -> None:
    for _, same in groupby(played.acts, key=lambda act: act.day):
        of_day = [act for act in same if act.doing is not Doing.FORGET]
        for person in {act.person for act in of_day}:
            first = next(act for act in of_day if act.person == person)
            assert first.doing is not Doing.CHAT


@given(years)
def test_what_is_said_fits_what_was_so_before(played: Year) -> None:
    for number, act in enumerate(played.acts):
        before = Truth.after(played.acts[:number])
        item, moment = act.item, act.occurred_at
        if item is None:
            assert act.doing is Doing.CHAT
            continue
        match act.doing:
            case Doing.REPEAT | Doing.STOP | Doing.TELL_AGAIN | Doing.FORGET:
                assert before.holds(item, moment)
            case _:
                assert not before.holds(item, moment)


@given(years)
def test_what_is_late_changes_nothing_about_now(played: Year) -> None:
    for number, act in enumerate(played.acts):
        if act.doing is Doing.LATE:
            before, after = (Truth.after(played.acts[:end]) for end in (number, number + 1))
            key = (act.person.user_id, act.attribute or "")
            now = max(one.occurred_at for one in played.acts[: number + 1])
            assert before.lines[key].at(now) == after.lines[key].at(now)


@given(years)
def test_every_sentence_is_filled_in_and_names_what_it_is_about(played: Year) -> None:
    for act in played.acts:
        if act.doing is Doing.FORGET:
            assert not act.text
            continue
        assert act.text
        assert "{" not in act.text
        if act.value is not None:
            assert act.value in act.text


@given(years)
def test_one_thing_told_has_one_kind(played: Year) -> None:
    kinds: dict[tuple[str, str], set[tuple[Kind, float | None]]] = {}
    for act in played.acts:
        if act.doing in (Doing.TELL, Doing.TELL_AGAIN):
            kinds.setdefault((act.person.user_id, act.text), set()).add((act.kind, act.importance))
        elif act.attribute is not None and act.doing is not Doing.FORGET:
            assert act.kind is kind_of(act.attribute)
    assert all(len(each) == 1 for each in kinds.values())


def test_attributes_are_of_one_value_in_both_languages_alike() -> None:
    assert all(sentences_in(language).single.keys() == SINGLE for language in Language)
