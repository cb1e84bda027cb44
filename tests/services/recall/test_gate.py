"""What the gate is told of a question before it judges what was found."""

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.api.recall import RecallRequest, RecordType
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.ranking.gate_weights import CrossScriptWeights
from palimpsest_server.domain.ranking.plausibility import PlausibilityPlane
from palimpsest_server.domain.ranking.ranking_features import NO_FEATURES
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.stores.in_memory.vectors import InMemoryVectorStore
from palimpsest_server.stores.vectors import VectorHit
from services.recall.analyze import QuestionAnalyzer
from services.recall.gate import admit_hits
from services.recall.metrics import RecallMetrics
from tests.support.services.recall.stand_ins import GATE, shared_embedder, shared_topics
from tests.support.services.recall.world import World
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.turns import InMemoryTurns

ADA = Scope(user_id="ada")
SENSIBLE = PlausibilityPlane(constant=2.0, direction=(0.0,) * HashingEmbedder.model.dimension)


def gate_across_scripts() -> Gate:
    assert GATE.openings is not None
    across = CrossScriptWeights(opens_from_deviations=4.0, finds=0.4, fewest=8, says_from=1.0)
    openings = GATE.openings.model_copy(update={"across": across, "sense": SENSIBLE})
    return GATE.model_copy(update={"openings": openings})


@pytest.mark.parametrize(
    ("question", "remembered", "opens"),
    [
        ("我对什么过敏？", "is allergic to peanuts", True),
        ("What am I allergic to?", "用户对花生过敏", True),
        ("我对什么过敏？", "用户在字节跳动上班", False),
        ("What am I allergic to?", "works on the railways", False),
    ],
)
async def test_words_say_nothing_where_the_nearest_find_is_in_another_script(
    clock: Clock, question: str, remembered: str, opens: bool
) -> None:
    world = World(
        InMemoryMemories(), InMemoryTurns(), InMemoryVectorStore(HashingEmbedder.model), clock
    )
    memory = await world.remembered(remembered)
    metrics = RecallMetrics(CollectorRegistry())
    analyzer = QuestionAnalyzer(world.states, shared_embedder(), shared_topics(), metrics, clock)
    asked = await analyzer.analyze(RecallRequest(user_id="ada", query=question))
    hits = [
        VectorHit(one, RecordType.MEMORY, ADA, None, None, cosine, None, NO_FEATURES)
        for one, cosine in {memory.id: 0.75, **{f"stranger {n}": 0.2 for n in range(79)}}.items()
    ]
    passed = await admit_hits(asked, gate_across_scripts(), hits, world.vectors)
    assert (memory.id in {match.id for match in passed.matches}) is opens
    assert (await admit_hits(asked, GATE, hits, world.vectors)).matches == []


async def test_what_a_topic_opens_it_to_is_what_stands_in_the_topic_and_nothing_besides(
    clock: Clock,
) -> None:
    world = World(
        InMemoryMemories(), InMemoryTurns(), InMemoryVectorStore(HashingEmbedder.model), clock
    )
    metrics = RecallMetrics(CollectorRegistry())
    analyzer = QuestionAnalyzer(world.states, shared_embedder(), shared_topics(), metrics, clock)
    asked = await analyzer.analyze(RecallRequest(user_id="ada", query="What could I cook tonight?"))

    def hit(identity: str, cosine: float, lexical: float | None = None) -> VectorHit:
        return VectorHit(
            identity,
            RecordType.MEMORY,
            ADA,
            None,
            None,
            cosine,
            lexical,
            NO_FEATURES,
            Status.ACTIVE,
        )

    # Each would be let in by what it shares, were the gate open by itself.
    finds = [hit("tonight", 0.35, 0.4), *(hit(f"stranger {n}", 0.3) for n in range(20))]
    gate = gate_across_scripts()
    shut = await admit_hits(asked, gate, finds, world.vectors)
    assert shut.matches == []
    assert shut.margin is not None
    opened = await admit_hits(
        asked, gate, finds, world.vectors, topical=[hit("allergy", 0.9), hit("hobby", 0.05, 2.0)]
    )
    assert [match.id for match in opened.matches] == ["allergy"]
    assert shut.margin < 0 <= (opened.margin or -1.0)
