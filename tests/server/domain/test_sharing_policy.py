"""Where memories go, by policy, kind and what they are about."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.scope import Layer, Scope
from palimpsest.model.user import SharingPolicy
from palimpsest_server.domain.sharing_policy import resolve_shared_scope

IN_PROJECT = Scope(user_id="ana", agent_id="coder", project_id="p")
IN_CHAT = Scope(user_id="ana", agent_id="coder")
ALONE = Scope(user_id="ana")


@pytest.mark.parametrize(
    ("policy", "kind", "about_user", "conversation", "goes_to"),
    [
        ("layered", Kind.PREFERENCE, True, IN_PROJECT, ALONE),
        ("layered", Kind.FACT, True, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.FACT, True, IN_CHAT, ALONE),
        ("layered", Kind.PERSON, True, IN_CHAT, ALONE),
        ("layered", Kind.PERSON, True, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.FACT, False, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.GOAL, True, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.EVENT, True, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.CONTEXT, True, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.PREFERENCE, False, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.SKILL, False, IN_PROJECT, IN_CHAT),
        ("layered", Kind.EVENT, True, IN_CHAT, IN_CHAT),
        ("layered", Kind.FEEDBACK, False, IN_PROJECT, IN_CHAT),
        ("layered", Kind.DECISION, False, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.CONCLUSION, False, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.LESSON, False, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.ACTION_ITEM, True, IN_PROJECT, IN_PROJECT),
        ("layered", Kind.DECISION, False, IN_CHAT, IN_CHAT),
        ("layered", Kind.DECISION, False, ALONE, ALONE),
        ("user_level", Kind.PREFERENCE, True, IN_PROJECT, ALONE),
        ("user_level", Kind.FACT, False, IN_PROJECT, Scope(user_id="ana", project_id="p")),
        ("user_level", Kind.GOAL, True, IN_CHAT, ALONE),
        ("user_level", Kind.DECISION, False, IN_PROJECT, Scope(user_id="ana", project_id="p")),
        ("user_level", Kind.DECISION, False, IN_CHAT, ALONE),
    ],
)
def test_a_memory_goes_where_it_concerns_somebody(
    policy: str, kind: Kind, about_user: bool, conversation: Scope, goes_to: Scope
) -> None:
    scope = resolve_shared_scope(
        SharingPolicy(policy), kind, about_user=about_user, conversation=conversation
    )
    assert scope == goes_to


@pytest.mark.parametrize(
    ("attribute", "personal"),
    [
        ("name", True),
        ("居住城市", True),
        ("allergies", True),
        ("过敏原", True),
        ("daughter", True),
        ("job title", True),
        ("母校", True),
        ("tech_stack", False),
        ("技术栈", False),
        ("数据库", False),
        ("budget", False),
        ("预算", False),
        ("deadline", False),
        ("上线日期", False),
        ("client", False),
        (None, False),
    ],
)
@pytest.mark.parametrize("kind", [Kind.FACT, Kind.PERSON])
def test_an_attribute_of_the_person_leaves_the_project(
    kind: Kind, attribute: str | None, personal: bool
) -> None:
    scope = resolve_shared_scope(
        SharingPolicy.LAYERED,
        kind,
        about_user=True,
        conversation=IN_PROJECT,
        attribute=attribute,
    )
    assert scope == (ALONE if personal else IN_PROJECT)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("about_user", [True, False])
def test_under_user_level_no_memory_belongs_to_an_agent(kind: Kind, about_user: bool) -> None:
    scope = resolve_shared_scope(
        SharingPolicy.USER_LEVEL, kind, about_user=about_user, conversation=IN_PROJECT
    )
    assert scope.agent_id is None
    assert scope.layer in {Layer.USER, Layer.PROJECT}
