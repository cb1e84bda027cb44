"""Who sees what, and what it is called in the stores: by properties over hostile ids."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from palimpsest.model.scope import Layer, Namespace, Scope
from palimpsest.model.value_types import STORED

_NO_CONTROLS = st.characters(exclude_categories=("Cc", "Cs"))
HOSTILE = st.one_of(
    st.sampled_from(
        ["a_b", "b_c", "a", "c", "shared", "none", "null", "None", "a/b", "a.b", "a b", " a", "$"]
    ),
    st.sampled_from(
        ["小明", "明小", "🦊", "🦊🦊", "x" * 200, "x" * 256, "user", "h_", "-", "A", "é"]
    ),
    st.text(_NO_CONTROLS, min_size=1, max_size=256),
    st.text("ab_-./ ", min_size=1, max_size=6),
).filter(lambda text: not text.isspace())
NAMESPACES = st.builds(Namespace, user_id=HOSTILE, agent_id=st.none() | HOSTILE)
SCOPES = st.builds(
    Scope, user_id=HOSTILE, agent_id=st.none() | HOSTILE, project_id=st.none() | HOSTILE
)


@given(NAMESPACES, NAMESPACES)
def test_no_two_namespaces_share_a_name(first: Namespace, second: Namespace) -> None:
    assert (first.physical_name == second.physical_name) == (first == second)


@given(NAMESPACES)
def test_a_name_is_legal_in_mongodb_and_in_qdrant(namespace: Namespace) -> None:
    assert re.fullmatch(r"[a-z0-9_-]{3,90}", namespace.physical_name)
    assert not namespace.physical_name.startswith("system")


def test_plain_ids_stay_legible() -> None:
    assert Namespace(user_id="ann", agent_id="writer-2").physical_name == "user_ann_writer-2"
    assert Namespace(user_id="ann").physical_name == "user_ann"


@pytest.mark.parametrize("agent_id", ["shared", "none", "null", "None", "-"])
def test_no_agent_is_none_of_the_agents(agent_id: str) -> None:
    without, with_agent = Namespace(user_id="ann"), Namespace(user_id="ann", agent_id=agent_id)
    assert without.physical_name != with_agent.physical_name


def test_an_underscore_never_moves_the_boundary() -> None:
    first = Namespace(user_id="a_b", agent_id="c")
    second = Namespace(user_id="a", agent_id="b_c")
    assert first.physical_name != second.physical_name
    assert first.physical_name.startswith("h_")


@given(SCOPES)
def test_nobody_ever_sees_another_users_scope(scope: Scope) -> None:
    assert {seen.user_id for seen in scope.visible()} == {scope.user_id}


@given(SCOPES)
def test_an_agent_sees_itself_and_what_is_the_users_and_no_other_agent(scope: Scope) -> None:
    assert {seen.agent_id for seen in scope.visible()} == {None, scope.agent_id}
    assert {seen.project_id for seen in scope.visible()} == {None, scope.project_id}


@given(SCOPES)
def test_everybody_sees_where_they_stand_and_each_scope_once(scope: Scope) -> None:
    visible = scope.visible()
    assert scope in visible
    assert len(set(visible)) == len(visible)


@given(SCOPES, SCOPES)
def test_what_is_seen_of_another_scope_is_shared_by_both(mine: Scope, other: Scope) -> None:
    for seen in set(mine.visible()) & set(other.visible()):
        assert seen.user_id == mine.user_id == other.user_id
        assert seen.agent_id in {None, mine.agent_id}
        assert seen.agent_id in {None, other.agent_id}


@given(SCOPES, st.sets(st.sampled_from(Layer)))
def test_layers_only_ever_take_away(scope: Scope, layers: set[Layer]) -> None:
    chosen = scope.visible(layers)
    assert set(chosen) <= set(scope.visible())
    assert {seen.layer for seen in chosen} <= layers


@pytest.mark.parametrize(
    ("scope", "layer"),
    [
        (Scope(user_id="ann"), Layer.USER),
        (Scope(user_id="ann", agent_id="writer"), Layer.AGENT),
        (Scope(user_id="ann", agent_id="writer", project_id="novel"), Layer.PROJECT),
        (Scope(user_id="ann", project_id="novel"), Layer.PROJECT),
    ],
)
def test_the_layer_says_how_far_a_memory_reaches(scope: Scope, layer: Layer) -> None:
    assert scope.layer is layer


def test_the_layers_of_an_agent_in_a_project() -> None:
    reader = Scope(user_id="ann", agent_id="writer", project_id="novel")
    assert set(reader.visible()) == {
        Scope(user_id="ann"),
        Scope(user_id="ann", agent_id="writer"),
        Scope(user_id="ann", project_id="novel"),
        reader,
    }


@pytest.mark.parametrize("bad", ["", "x" * 257, "a\nb", "a\x00", "\x7f", "\x85", "\ud800"])
def test_ids_that_are_none_are_refused(bad: str) -> None:
    with pytest.raises(ValidationError):
        Scope(user_id=bad)
    with pytest.raises(ValidationError):
        Scope(user_id="ann", agent_id=bad)


def test_scopes_of_a_stored_id_that_would_be_refused_today_are_still_found() -> None:
    older = Scope.model_validate({"user_id": " ", "agent_id": "a"}, context=dict(STORED))
    assert {scope.agent_id for scope in older.visible()} == {None, "a"}
    assert older.namespace.physical_name != Scope(user_id="a").namespace.physical_name


@pytest.mark.parametrize(
    ("user_id", "agent_id"), [("ada", None), ("ada", "dev"), ("a-1", "user"), ("user", "h")]
)
def test_a_legible_name_is_read_back(user_id: str, agent_id: str | None) -> None:
    namespace = Namespace(user_id=user_id, agent_id=agent_id)
    assert Namespace.of_plain_name(namespace.physical_name) == namespace


@pytest.mark.parametrize("user_id", ["a_b", "Ada", "张三"])
def test_a_name_that_is_not_legible_is_read_as_nobodys(user_id: str) -> None:
    assert Namespace.of_plain_name(Namespace(user_id=user_id).physical_name) is None
    assert Namespace.of_plain_name("user_a_b_c") is None
