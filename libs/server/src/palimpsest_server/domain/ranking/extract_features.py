"""Extract what ranking needs to know of memories, turns and summaries.

Apart from the features, because whoever stores or ranks them needs none of the language behind them.
"""

import re

from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import KINDS
from palimpsest.model.memory import Memory
from palimpsest.model.memory_times import read_stated_time
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Role, Turn
from palimpsest_language.corrections.corrected_quotes import find_corrected_quotes
from palimpsest_language.off_the_record.own_words import own_images, searched_text
from palimpsest_language.question_intents.fillers import is_filler
from palimpsest_server.domain.consolidation.withheld_evidence import (
    evidence_turn_id,
    evidence_turn_ids,
)
from palimpsest_server.domain.ranking.ranking_features import NOTHING_STATED, RankingFeatures

_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_SENTENCE = re.compile(r"[^。！!？?\n.~…]+[。！!？?\n.~…]*")
_LATIN_CHARACTERS_PER_CHINESE_CHARACTER = 3
"""A statement takes about a third of the characters in Chinese."""


def extract_memory_features(memory: Memory) -> RankingFeatures:
    quoted = evidence_turn_ids(memory)
    return RankingFeatures(
        # The speaker counts through the quoted turn; the subject as well would count twice.
        about=(memory.subject,) if memory.subject and not quoted else (),
        stated_length=0 if is_background(memory) else measure_stated_length(memory.content),
        quoted=quoted,
        at=int(memory.occurred_at.timestamp()),
        successor=memory.superseded_by,
        corrected=tuple(sorted({*memory.corrected, *find_corrected_turns(memory)})),
        held=find_period(memory),
    )


def is_background(memory: Memory) -> bool:
    """Return whether a memory only tells the situation, which seldom is what a question is after.

    Of the memories found for the questions of tests/golden/relevance/open.json 9 in 100 of such
    mattered, and of all others 32. With a length of 0, like questions, they stand behind what
    states as much: of the first three memories .78 mattered instead of .76.
    """
    return KINDS[memory.kind].lifetime is Lifetime.TEMPORARY


def find_corrected_turns(memory: Memory) -> tuple[str, ...]:
    """Return the ids of people's turns that the memory quotes and that a later turn corrected."""
    said = [
        evidence
        for evidence in memory.evidence
        if evidence.said_by is Role.USER and evidence.message_id is not None
    ]
    if len({evidence.message_id for evidence in said}) < 2:
        return ()
    said.sort(key=lambda evidence: (evidence.said_at is None, evidence.said_at, evidence.position))
    quotes = [evidence.quote for evidence in said]
    user_id = memory.scope.user_id
    return tuple(
        evidence_turn_id(said[place], user_id)
        for place in find_corrected_quotes(memory.content, quotes)
    )


def find_period(memory: Memory) -> tuple[int, int] | None:
    """Return the period in which a memory held, if its words name both of its ends."""
    time = read_stated_time(memory.data)
    if memory.valid_until is None or time is None or time.recurrence is not None:
        return None
    if time.starts_at is None or time.ends_at is None:
        return None
    return (int(time.starts_at.timestamp()), int(time.ends_at.timestamp()))


def extract_turn_features(turn: Turn) -> RankingFeatures:
    return RankingFeatures(
        about=(turn.speaker,) if turn.speaker else (),
        stated_length=NOTHING_STATED
        if is_filler_turn(turn)
        else measure_stated_length(searched_text(turn)),
        at=int(turn.occurred_at.timestamp()),
    )


def extract_summary_features(summary: SessionSummary) -> RankingFeatures:
    return RankingFeatures(
        stated_length=measure_stated_length(summary.text), at=int(summary.ended_at.timestamp())
    )


def is_filler_turn(turn: Turn) -> bool:
    """Return whether a turn says nothing worth returning; a turn with a picture never is filler."""
    return not own_images(turn) and is_filler(searched_text(turn))


def measure_stated_length(text: str) -> int:
    """Return the length of the statements, in Latin characters; a Chinese character counts as three.

    Questions state nothing: a question is seldom the answer, and the answer is right beside it.
    """
    stated = "".join(sentence for sentence in _SENTENCE.findall(text) if not _asks(sentence))
    stated = stated.strip()
    unspaced = 0 if stated.isascii() else len(_UNSPACED.findall(stated))
    return len(stated) + (_LATIN_CHARACTERS_PER_CHINESE_CHARACTER - 1) * unspaced


def _asks(sentence: str) -> bool:
    return "?" in sentence or "？" in sentence
