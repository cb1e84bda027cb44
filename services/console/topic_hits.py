"""Hits of a topic search: a user's records on a topic, and the records that depend on them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from palimpsest.api.command_requests import TopicSearchHit
from palimpsest.model.memory import Memory
from palimpsest.model.scope import Scope
from palimpsest.model.session_summary import SessionSummary, summary_id
from palimpsest.model.topic_match import (
    MINIMUM_SHOWN_RELEVANCE,
    TopicRelevance,
    TopicRelevanceReason,
)
from palimpsest.model.turn import Role, Turn
from palimpsest_language.topics.dependent_messages import find_dependent_turns
from palimpsest_server.domain.consolidation.withheld_evidence import evidence_turn_ids
from palimpsest_server.stores.standing_questions import KnownQuestion
from services.console.repeating_messages import find_repeating_turns

EXCERPT_CHARACTERS = 120

CERTAIN_RELEVANCE = 0.9
"""Relevance from which a record is on the topic without doubt. Only such records add their
dependents and repetitions.
"""


@dataclass(frozen=True)
class UserContent:
    """All records of a user that may be on a topic."""

    memories: list[Memory]
    turns: list[Turn]
    summaries: list[SessionSummary]

    @property
    def scopes(self) -> tuple[Scope, ...]:
        return tuple(
            {
                *(memory.scope for memory in self.memories),
                *(turn.scope for turn in self.turns),
                *(summary.scope for summary in self.summaries),
            }
        )


@dataclass
class TopicHits:
    by_place: dict[tuple[str, str], TopicSearchHit] = field(default_factory=dict)

    def note(self, record: str, identity: str, how: TopicRelevance, text: str) -> None:
        """Note how relevant a record is to the topic; the highest relevance counts."""
        known = self.by_place.get((record, identity))
        if how.sure < MINIMUM_SHOWN_RELEVANCE or (known is not None and known.sure >= how.sure):
            return
        self.by_place[record, identity] = TopicSearchHit.model_validate(
            {
                "record": record,
                "id": identity,
                "sure": how.sure,
                "because": how.because,
                "beginning": " ".join(text.split())[:EXCERPT_CHARACTERS],
            }
        )

    def certain(self, record: str) -> frozenset[str]:
        """Return the ids of the records that are on the topic without doubt."""
        return frozenset(
            identity
            for (kind, identity), hit in self.by_place.items()
            if kind == record and hit.sure >= CERTAIN_RELEVANCE
        )


async def add_dependents(kept: UserContent, topic_hits: TopicHits) -> None:
    """Add repetitions of memories on the topic, dependents of its messages, and summaries of either."""
    await _add_repetitions(kept, topic_hits)
    _add_dependent_turns(kept.turns, topic_hits)
    _add_dependent_memories(kept.memories, topic_hits)
    _add_summaries(kept, topic_hits)


async def _add_repetitions(kept: UserContent, topic_hits: TopicHits) -> None:
    on_topic = topic_hits.certain("memory")
    for memory in kept.memories:
        if memory.id not in on_topic:
            continue
        for turn in await find_repeating_turns(memory, kept.turns, evidence_turn_ids(memory)):
            # A person's own words stay unless somebody marks them: they may say more.
            sure = MINIMUM_SHOWN_RELEVANCE if turn.role is Role.USER else CERTAIN_RELEVANCE
            how = TopicRelevance(sure=sure, because=TopicRelevanceReason.REPEATS)
            topic_hits.note("turn", turn.id, how, turn.full_text)


def _add_dependent_turns(turns: Iterable[Turn], topic_hits: TopicHits) -> None:
    on_topic = topic_hits.certain("turn")
    talks: dict[str, list[Turn]] = defaultdict(list)
    for turn in turns:
        talks[turn.session_id].append(turn)
    answers = TopicRelevance(sure=CERTAIN_RELEVANCE, because=TopicRelevanceReason.DEPENDS)
    follows = TopicRelevance(sure=MINIMUM_SHOWN_RELEVANCE, because=TopicRelevanceReason.DEPENDS)
    for talk in talks.values():
        if on_topic.isdisjoint(turn.id for turn in talk):
            continue
        talk.sort(key=lambda turn: turn.sequence or 0)
        dependent = find_dependent_turns(talk, on_topic)
        for turn in talk:
            if turn.id in dependent.answering:
                topic_hits.note("turn", turn.id, answers, turn.full_text)
            elif turn.id in dependent.following:
                topic_hits.note("turn", turn.id, follows, turn.full_text)


def _add_dependent_memories(memories: Iterable[Memory], topic_hits: TopicHits) -> None:
    """Add memories whose whole evidence is messages that depend on the topic."""
    depending = {
        identity
        for (record, identity), hit in topic_hits.by_place.items()
        if record == "turn"
        and hit.because is TopicRelevanceReason.DEPENDS
        and hit.sure >= CERTAIN_RELEVANCE
    }
    how = TopicRelevance(sure=CERTAIN_RELEVANCE, because=TopicRelevanceReason.DEPENDS)
    for memory in memories:
        resting_on = evidence_turn_ids(memory)
        if resting_on and depending.issuperset(resting_on):
            topic_hits.note("memory", memory.id, how, memory.content)


def _add_summaries(kept: UserContent, topic_hits: TopicHits) -> None:
    """Add the summaries of conversations that hold a turn on the topic: they are erased with it."""
    on_topic = topic_hits.certain("turn")
    told_in = {
        summary_id(turn.user_id, turn.session_id) for turn in kept.turns if turn.id in on_topic
    }
    how = TopicRelevance(sure=CERTAIN_RELEVANCE, because=TopicRelevanceReason.EVIDENCE)
    for summary in kept.summaries:
        if summary.id in told_in:
            topic_hits.note("summary", summary.id, how, summary.text)


def add_answered_question(
    question: KnownQuestion, memories: Iterable[Memory], topic_hits: TopicHits
) -> None:
    """Add a question if all memories that ever answered it, and are kept, are on the topic."""
    past = {source.memory_id for source in question.past_sources}
    hits = [
        topic_hits.by_place.get(("memory", memory.id)) for memory in memories if memory.id in past
    ]
    if hits:
        sure = min(0.0 if hit is None else hit.sure for hit in hits)
        how = TopicRelevance(sure=sure, because=TopicRelevanceReason.EVIDENCE)
        topic_hits.note("question", question.id, how, question.query)
