"""What stands, what lapsed and what took whose place, as its documents tell it."""

from typing import Any

from palimpsest.model.memory import Memory
from palimpsest.model.turn import Role, Turn
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.ranking.extract_features import extract_memory_features
from palimpsest_server.domain.ranking.match_pool import TurnPosition
from palimpsest_server.domain.ranking.ranking_candidates import RankingCandidates
from palimpsest_server.domain.ranking.ranking_features import RankingFeatures
from palimpsest_server.domain.ranking.score import RankingCandidate
from palimpsest_server.domain.ranking.visible_documents import VisibleDocuments
from tests.support.server.domain.consolidation.samples import candidate, day


def memory(identity: str, **fields: Any) -> Memory:
    stated = build_memory(candidate(identity), received_at=day(0), epoch=0)
    return stated.model_copy(update={"id": identity, **fields})


def ranking_candidate(identity: str, **features: Any) -> RankingCandidate:
    return RankingCandidate(identity, RankingFeatures(stated_length=9, **features))


def ids(candidates: list[RankingCandidate]) -> list[str]:
    return [one.id for one in candidates]


def lapsed_paris() -> RankingCandidates:
    """Paris no longer holds; what took its place was not found."""
    return RankingCandidates(
        [ranking_candidate("tea")], [ranking_candidate("paris", successor="oslo")]
    )


def test_what_took_the_place_of_something_found_contends_with_it() -> None:
    ranking_candidates = lapsed_paris()
    assert ids(ranking_candidates.standing) == ["tea", "oslo"]
    assert ranking_candidates.successors == {"paris": "oslo"}


def test_it_does_so_once_where_it_was_found_itself() -> None:
    standing = [ranking_candidate("oslo")]
    assert (
        RankingCandidates(standing, [ranking_candidate("paris", successor="oslo")]).standing
        == standing
    )


def test_what_was_not_found_is_known_by_its_document() -> None:
    ranking_candidates, oslo = lapsed_paris(), memory("oslo")
    assert ranking_candidates.learn(
        ["tea", "oslo"], VisibleDocuments(memories={"tea": memory("tea"), "oslo": oslo})
    )
    assert ranking_candidates.standing == [
        ranking_candidate("tea"),
        RankingCandidate("oslo", extract_memory_features(oslo)),
    ]


def test_what_was_found_and_is_as_it_was_projected_changes_nothing() -> None:
    ranking_candidates = RankingCandidates([ranking_candidate("tea")], [])
    assert not ranking_candidates.learn(["tea"], VisibleDocuments(memories={"tea": memory("tea")}))


def test_what_turns_out_to_be_superseded_leads_on() -> None:
    ranking_candidates = RankingCandidates(
        [ranking_candidate("rome"), ranking_candidate("tea")], []
    )
    assert ranking_candidates.learn(["rome"], VisibleDocuments(successors={"rome": "oslo"}))
    assert ids(ranking_candidates.lapsed) == ["rome"]
    assert ids(ranking_candidates.standing) == ["tea", "oslo"]


def test_what_is_not_to_be_shown_leads_nowhere_and_is_asked_for_once() -> None:
    ranking_candidates = lapsed_paris()
    assert ranking_candidates.learn(["oslo"], VisibleDocuments())
    assert ids(ranking_candidates.standing) == ["tea"]
    assert ids(ranking_candidates.lapsed) == ["paris"]
    assert not ranking_candidates.learn(["tea"], VisibleDocuments(memories={"tea": memory("tea")}))


def test_what_is_shown_though_it_was_superseded_stays() -> None:
    ranking_candidates = RankingCandidates([ranking_candidate("rome")], [])
    read = VisibleDocuments(memories={"rome": memory("rome")}, successors={"rome": "oslo"})
    assert not ranking_candidates.learn(["rome"], read)


def test_a_turn_read_beside_a_find_contends_at_its_place() -> None:
    turn = Turn(
        id="beside",
        event_id="e",
        user_id="alice",
        session_id="s",
        message_id="m",
        role=Role.USER,
        text="Yes, they nearly killed me.",
        occurred_at=day(0),
        received_at=day(0),
        epoch=0,
        sequence=2,
    )
    ranking_candidates = RankingCandidates([ranking_candidate("asked")], [])
    assert ranking_candidates.learn(
        ["asked"], VisibleDocuments(turns={"asked": turn, "beside": turn})
    )
    assert ranking_candidates.standing[1].place == TurnPosition("s", 2)


def test_what_memories_said_before_they_were_set_right_is_over_and_leads_to_them() -> None:
    ranking_candidates = RankingCandidates(
        [ranking_candidate("paris", corrected=("t1",))], [ranking_candidate("rome")]
    )
    assert [(one.id, one.features.quoted) for one in ranking_candidates.outdated] == [
        ("rome", ()),
        ("paris", ("t1",)),
    ]


def test_what_holds_is_told_by_the_turns_that_it_rests_on() -> None:
    ranking_candidates = RankingCandidates(
        [ranking_candidate("paris", quoted=("t1", "t2")), ranking_candidate("tea", quoted=("t4",))],
        [ranking_candidate("rome", quoted=("t3",))],
    )
    assert ranking_candidates.find_quoting({"t2", "t3"}) == ["paris"]
