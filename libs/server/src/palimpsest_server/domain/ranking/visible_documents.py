"""Documents that were read for a question and may be shown."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from palimpsest.model.memory import Memory
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Turn
from palimpsest_server.domain.ranking.extract_features import extract_turn_features
from palimpsest_server.domain.ranking.match_pool import TurnPosition
from palimpsest_server.domain.ranking.score import RankingCandidate


@dataclass(frozen=True)
class VisibleDocuments:
    """Documents, by id."""

    memories: Mapping[str, Memory] = field(default_factory=dict)
    turns: Mapping[str, Turn] = field(default_factory=dict)
    summaries: Mapping[str, SessionSummary] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict)
    """Ids that may be named but not shown, with the reason in a word."""
    successors: Mapping[str, str] = field(default_factory=dict)
    """Successors of memories that turned out to be superseded, by id."""

    def __contains__(self, identity: str) -> bool:
        return identity in self.memories or identity in self.turns or identity in self.summaries

    def __or__(self, other: "VisibleDocuments") -> "VisibleDocuments":
        return VisibleDocuments(
            {**self.memories, **other.memories},
            {**self.turns, **other.turns},
            {**self.summaries, **other.summaries},
            {**self.hidden, **other.hidden},
            {**self.successors, **other.successors},
        )

    def build_neighbour_candidates(self, found: Container[str]) -> list[RankingCandidate]:
        """Return candidates for turns that were not found but are beside a found one."""
        return [_contender(turn) for turn in self.turns.values() if turn.id not in found]


def _contender(turn: Turn) -> RankingCandidate:
    place = None if turn.sequence is None else TurnPosition(turn.session_id, turn.sequence)
    return RankingCandidate(turn.id, extract_turn_features(turn), place)
