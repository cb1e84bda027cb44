"""Summaries of sessions by a model: its facts are checked, long sessions folded, essays refused."""

from typing import Any

from palimpsest.events.extractor_answers import SummaryProposed
from palimpsest_server.extraction.summaries.model_summaries import ModelSummaries
from palimpsest_server.models.language_model import ModelTask
from tests.support.clock import SettableClock
from tests.support.models.model_server import Asked, ModelServer, Says, answers
from tests.support.services.extractor.ended_sessions import TALK, happen, proposed, windowed
from tests.support.services.extractor.modelled import Options, modelled
from tests.support.services.extractor.world import World
from tests.support.stores.ledger import InMemoryLedger


def found(**fields: Any) -> Says:
    return answers(
        {
            "substance": True,
            "summary": "The user wants to sail to Norway. They have a small boat.",
            "topics": ["sailing", "Norway", "boats"],
            "user_intent": "to plan a journey",
            "emotional_tone": "excited",
            "key_facts": [
                {"fact": "The user has a boat.", "n": 3, "quote": "I bought a small sailing boat"},
                {"fact": "The user is an admiral.", "n": 3, "quote": "I am an admiral"},
            ],
            "unresolved": None,
            **fields,
        }
    )


async def summarised(
    server: ModelServer, clock: SettableClock, *, piece_characters: int = 10_000
) -> SummaryProposed:
    async with modelled(server, clock, Options()) as run:
        model = run.models.of(ModelTask.SUMMARY)
        assert model is not None
        world = run.world
        with_summaries = World(
            InMemoryLedger(),
            clock,
            summariser=ModelSummaries(model, piece_characters=piece_characters),
            maximum_attempts=world.maximum_attempts,
        )
        await happen(with_summaries, windowed(*TALK))
        await with_summaries.summing_up.look()
        async with with_summaries.running():
            await with_summaries.until(lambda: proposed(with_summaries))
        return proposed(with_summaries)[0]


async def test_a_models_facts_become_candidates_where_their_words_were_said(
    server: ModelServer, clock: SettableClock
) -> None:
    server.otherwise = lambda _: found()
    event = await summarised(server, clock)
    assert event.summary is not None
    assert event.summary.made_by == "openai/m-1"
    assert event.summary.topics == ("sailing", "Norway", "boats")
    assert event.summary.key_facts == ("The user has a boat.",)
    [candidate] = event.candidates
    assert candidate.evidence[0].quote == "I bought a small sailing boat"
    assert [text.dense.split("\n")[0] for text in event.texts()] == [
        "The user wants to sail to Norway. They have a small boat.",
        "The user has a boat.",
    ]


async def test_a_long_session_is_folded_piece_by_piece(
    server: ModelServer, clock: SettableClock
) -> None:
    def said_of(asked: Asked) -> Says:
        return found(summary=f"The user spoke. This is piece {len(server.asked)}.", key_facts=[])

    server.otherwise = said_of
    event = await summarised(server, clock, piece_characters=70)
    assert event.summary is not None
    assert len(server.asked) >= 2
    assert event.summary.text.endswith(f"piece {len(server.asked)}.")
    assert "This is piece 1." in server.asked[1].last


async def test_an_essay_is_asked_for_again(server: ModelServer, clock: SettableClock) -> None:
    server.script.append(found(summary="The user sails. " * 9))
    server.otherwise = lambda _: found()
    event = await summarised(server, clock)
    assert len(server.asked) == 2
    assert "2 or 3 sentences" in server.asked[1].last
    assert event.summary is not None


async def test_a_model_may_find_nothing_of_substance(
    server: ModelServer, clock: SettableClock
) -> None:
    server.otherwise = lambda _: found(substance=False, summary="", topics=[], key_facts=[])
    assert (await summarised(server, clock)).summary is None
