import pytest

from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import MemorySource
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from palimpsest.model.user import Language, SharingPolicy
from services.consolidator.remember_requests import build_requested_candidate, shorten_to_line
from tests.support.server.domain.consolidation.samples import day
from tests.support.services.consolidator.events import remember


def test_what_is_to_be_remembered_is_confirmed_and_rests_on_its_own_words() -> None:
    event = remember(
        "I like tea",
        kind=Kind.PREFERENCE,
        occurred_at=day(3),
        session_id="s",
        message_id="m",
        tags=("drinks",),
        data={"cups": 3},
    )
    candidate = build_requested_candidate(event, SharingPolicy.LAYERED)
    assert (candidate.confirmed, candidate.confidence) == (True, 1.0)
    assert (candidate.importance, candidate.lifetime) == (0.9, Lifetime.CORE)
    assert (candidate.valid_from, candidate.occurred_at) == (day(3), day(3))
    assert (candidate.tags, candidate.data) == (("drinks",), {"cups": 3})
    (evidence,) = candidate.evidence
    assert (evidence.quote, evidence.origin) == ("I like tea", "command")
    assert (evidence.session_id, evidence.message_id) == ("s", "m")
    assert evidence.said_by is Role.USER
    assert evidence.said_at == candidate.valid_from


@pytest.mark.parametrize(
    ("source", "said_by"),
    [
        (MemorySource.USER_INPUT, Role.USER),
        (MemorySource.FEEDBACK, Role.USER),
        (MemorySource.SKILL, Role.AGENT),
        (MemorySource.FILE, None),
        (MemorySource.IMPORT, None),
    ],
)
def test_who_said_it_follows_from_where_it_came_from(
    source: MemorySource, said_by: Role | None
) -> None:
    assert (
        build_requested_candidate(remember("x", source=source), SharingPolicy.LAYERED).said_by
        is said_by
    )


def test_what_the_author_settled_stays() -> None:
    event = remember("I like tea", summary="tea", importance=0.25)
    candidate = build_requested_candidate(event, SharingPolicy.LAYERED)
    assert (candidate.summary, candidate.importance) == ("tea", 0.25)


def test_the_sharing_policy_says_where_it_goes() -> None:
    event = remember("I like tea", agent_id="coach", project_id="p")
    layered = build_requested_candidate(event, SharingPolicy.LAYERED).scope
    everyones = build_requested_candidate(event, SharingPolicy.USER_LEVEL).scope
    assert layered == Scope(user_id="alice", agent_id="coach", project_id="p")
    assert everyones == Scope(user_id="alice", project_id="p")


@pytest.mark.parametrize(
    ("content", "language", "characters"),
    [("我喜欢喝茶。" * 20, Language.CHINESE, 50), ("I like tea. " * 20, Language.ENGLISH, 100)],
)
def test_a_summary_is_short_in_either_language(
    content: str, language: Language, characters: int
) -> None:
    candidate = build_requested_candidate(remember(content, "e"), SharingPolicy.LAYERED)
    assert candidate.language is language
    assert len(candidate.summary) <= characters
    assert candidate.summary.endswith("…")


def test_what_is_short_is_its_own_summary() -> None:
    assert shorten_to_line("I like\n  tea", 100) == "I like tea"
