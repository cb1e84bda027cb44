"""What may be proposed of golden dialogues, and of which kinds it would be right: to learn from."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from palimpsest.bench.extraction_dialogues import Dialogue
from palimpsest.bench.extraction_found import Found
from palimpsest.bench.extraction_likeness import is_memory, is_todo
from palimpsest.bench.extraction_windows import windows_of
from palimpsest.contracts.questions import ExtractionRequested
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Candidate
from palimpsest.providers.extraction.messages import request_of
from palimpsest.providers.extraction.proposals_found import ExtractionAnswer, Proposal
from palimpsest.providers.extraction.proposing import propose
from palimpsest.providers.extraction.rules.local import ruled_of
from palimpsest.providers.extraction.rules.weighing.features import Seen, features
from palimpsest.providers.extraction.rules.weighing.possible import (
    KINDS_WEIGHED,
    Possible,
    as_kind,
    possible,
)

WRONG, OPTIONAL, RIGHT = 0, 1, 2
IMPOSSIBLE = -1
"""Of a kind that it may not be, or whose evidence does not hold."""


@dataclass(frozen=True)
class Sample:
    author: str
    fully_labelled: bool
    seen: Seen
    verdicts: tuple[int, ...]
    """For each of `KINDS_WEIGHED`."""
    fitting: tuple[bool, ...]
    """A reader would name that kind."""


def author_of(dialogue: Dialogue) -> str:
    """Those of one letter are left out together, in both languages; the old ones have none."""
    part = dialogue.id.split("-")[1]
    return part if part.isalpha() else "old"


def samples_of(
    dialogues: Sequence[Dialogue], *, rounds: int, context_messages: int
) -> Iterator[Sample]:
    for dialogue in dialogues:
        for window in windows_of(dialogue, rounds=rounds, context_messages=context_messages):
            yield from _samples(dialogue, window)


def _samples(dialogue: Dialogue, window: ExtractionRequested) -> Iterator[Sample]:
    ruled = asyncio.run(ruled_of(request_of(window)))
    all_possible = possible(ruled.proposals, ruled.said)
    variants = [
        (place, KINDS_WEIGHED.index(kind), as_kind(one, kind, dialogue.time_zone))
        for place, one in enumerate(all_possible)
        for kind in one.kinds
        if kind in KINDS_WEIGHED
    ]
    verdicts = [[IMPOSSIBLE] * len(KINDS_WEIGHED) for _ in all_possible]
    fitting = [[False] * len(KINDS_WEIGHED) for _ in all_possible]
    sound = _sound(window, [proposal for _, _, proposal in variants])
    for (place, column, _), candidate in zip(variants, sound, strict=True):
        if candidate is not None:
            verdict, fits = _judged(dialogue, candidate)
            verdicts[place][column], fitting[place][column] = verdict, fits
    for place, one in enumerate(all_possible):
        for seen in (one, _by_itself(one)) if one.by_rules else (one,):
            yield _sample(dialogue, seen, verdicts[place], fitting[place])


def _by_itself(one: Possible) -> Possible:
    """As if nothing else had been said: people tell things in one sentence, too."""
    if one.heard is None:
        return one
    heard = replace(one.heard, written=one.text, before=None)
    pieces = tuple(replace(piece, place=0, before="", after="") for piece in one.pieces)
    return replace(one, heard=heard, pieces=pieces)


def _sample(
    dialogue: Dialogue, one: Possible, verdicts: Sequence[int], fitting: Sequence[bool]
) -> Sample:
    author = author_of(dialogue)
    return Sample(author, author != "old", features(one), tuple(verdicts), tuple(fitting))


def _sound(
    window: ExtractionRequested, proposals: Sequence[Proposal]
) -> Iterator[Candidate | None]:
    """What became of each; they keep their order, and some are dropped on the way."""
    answer = ExtractionAnswer(proposals=tuple(proposals))
    candidates = iter(propose(window, answer, provider="local").event.candidates)
    candidate = next(candidates, None)
    for proposal in proposals:
        if candidate is None or not _is_of(candidate, proposal):
            yield None
            continue
        yield candidate
        candidate = next(candidates, None)


def _is_of(candidate: Candidate, proposal: Proposal) -> bool:
    return candidate.kind is proposal.kind and candidate.content == proposal.content.strip()


def _judged(dialogue: Dialogue, candidate: Candidate) -> tuple[int, bool]:
    """By the rule of matching, where it rests on a message that states the expectation."""
    verdict, fits = WRONG, False
    for memory in dialogue.expected.memories:
        found = _found(candidate)
        if set(found.message_ids) & set(memory.stated_in) and is_memory(found, memory, dialogue):
            verdict = max(verdict, OPTIONAL if memory.optional else RIGHT)
            fits = fits or candidate.kind in memory.kinds
    for todo in dialogue.expected.todos:
        found = _found(candidate, completed=todo.completed)
        if set(found.message_ids) & set(todo.stated_in) and is_todo(found, todo):
            verdict, fits = max(verdict, OPTIONAL if todo.optional else RIGHT), True
    return verdict, fits


def _found(candidate: Candidate, *, completed: bool = False) -> Found:
    return Found(
        kind=Kind(candidate.kind),
        content=candidate.content,
        subject=candidate.subject,
        attribute=candidate.attribute,
        value=candidate.value,
        data=candidate.data,
        valid_until=candidate.valid_until,
        message_ids=tuple(each.message_id for each in candidate.evidence if each.message_id),
        completed=completed,
    )
