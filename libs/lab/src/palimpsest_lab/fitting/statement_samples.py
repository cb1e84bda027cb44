"""Sample proposals of golden dialogues with the kinds that would be right, to learn from."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate
from palimpsest_lab.extraction.dialogue_windows import cut_dialogue_windows
from palimpsest_lab.extraction.expectation_match import is_expected_memory, is_expected_todo
from palimpsest_lab.extraction.extracted_items import ExtractedItem
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue
from palimpsest_language.local_extraction.local_extractor import apply_rules
from palimpsest_language.proposals import ExtractionAnswer, Proposal
from palimpsest_language.scoring.candidate_proposals import (
    SCORED_KINDS,
    CandidateProposal,
    build_as_kind,
    list_candidate_proposals,
)
from palimpsest_language.scoring.features import HashedFeatures, extract_features
from palimpsest_server.extraction.candidate_event import propose_candidates
from palimpsest_server.extraction.extraction_window import build_extraction_request

WRONG, OPTIONAL, RIGHT = 0, 1, 2
IMPOSSIBLE = -1
"""Of a kind that it may not be, or whose evidence does not hold."""


@dataclass(frozen=True)
class StatementSample:
    author: str
    fully_labelled: bool
    seen: HashedFeatures
    verdicts: tuple[int, ...]
    """For each of `KINDS_WEIGHED`."""
    fitting: tuple[bool, ...]
    """A reader would name that kind."""


def get_author(dialogue: GoldenDialogue) -> str:
    """Return the author. Dialogues of one author are left out together, in both languages."""
    part = dialogue.id.split("-")[1]
    return part if part.isalpha() else "old"


def collect_statement_samples(
    dialogues: Sequence[GoldenDialogue], *, rounds: int, context_messages: int
) -> Iterator[StatementSample]:
    for dialogue in dialogues:
        for window in cut_dialogue_windows(
            dialogue, rounds=rounds, context_messages=context_messages
        ):
            yield from _samples(dialogue, window)


def _samples(dialogue: GoldenDialogue, window: ExtractionRequested) -> Iterator[StatementSample]:
    ruled = asyncio.run(apply_rules(build_extraction_request(window)))
    all_possible = list_candidate_proposals(ruled.proposals, ruled.said)
    variants = [
        (place, SCORED_KINDS.index(kind), build_as_kind(proposal, kind, dialogue.time_zone))
        for place, proposal in enumerate(all_possible)
        for kind in proposal.kinds
        if kind in SCORED_KINDS
    ]
    verdicts = [[IMPOSSIBLE] * len(SCORED_KINDS) for _ in all_possible]
    fitting = [[False] * len(SCORED_KINDS) for _ in all_possible]
    sound = _sound(window, [proposal for _, _, proposal in variants])
    for (place, column, _), candidate in zip(variants, sound, strict=True):
        if candidate is not None:
            verdict, fits = _judged(dialogue, candidate)
            verdicts[place][column], fitting[place][column] = verdict, fits
    for place, candidate_proposal in enumerate(all_possible):
        for seen in (
            (candidate_proposal, _by_itself(candidate_proposal))
            if candidate_proposal.by_rules
            else (candidate_proposal,)
        ):
            yield _sample(dialogue, seen, verdicts[place], fitting[place])


def _by_itself(proposal: CandidateProposal) -> CandidateProposal:
    """Return the proposal as if nothing else had been said.

    People tell things in one sentence, too.
    """
    if proposal.parsed is None:
        return proposal
    parsed = replace(proposal.parsed, written=proposal.text, before=None)
    pieces = tuple(replace(piece, place=0, before="", after="") for piece in proposal.pieces)
    return replace(proposal, parsed=parsed, pieces=pieces)


def _sample(
    dialogue: GoldenDialogue,
    proposal: CandidateProposal,
    verdicts: Sequence[int],
    fitting: Sequence[bool],
) -> StatementSample:
    author = get_author(dialogue)
    return StatementSample(
        author, author != "old", extract_features(proposal), tuple(verdicts), tuple(fitting)
    )


def _sound(
    window: ExtractionRequested, proposals: Sequence[Proposal]
) -> Iterator[Candidate | None]:
    """Return what became of each proposal; order is kept, and some are dropped on the way."""
    answer = ExtractionAnswer(proposals=tuple(proposals))
    candidates = iter(propose_candidates(window, answer, provider="local").event.candidates)
    candidate = next(candidates, None)
    for proposal in proposals:
        if candidate is None or not _is_of(candidate, proposal):
            yield None
            continue
        yield candidate
        candidate = next(candidates, None)


def _is_of(candidate: Candidate, proposal: Proposal) -> bool:
    return candidate.kind is proposal.kind and candidate.content == proposal.content.strip()


def _judged(dialogue: GoldenDialogue, candidate: Candidate) -> tuple[int, bool]:
    """Judge a candidate by the matching rule, if it rests on a message that states the expectation."""
    verdict, fits = WRONG, False
    for memory in dialogue.expected.memories:
        item = _found(candidate)
        if set(item.message_ids) & set(memory.stated_in) and is_expected_memory(
            item, memory, dialogue
        ):
            verdict = max(verdict, OPTIONAL if memory.optional else RIGHT)
            fits = fits or candidate.kind in memory.kinds
    for todo in dialogue.expected.todos:
        item = _found(candidate, completed=todo.completed)
        if set(item.message_ids) & set(todo.stated_in) and is_expected_todo(item, todo):
            verdict, fits = max(verdict, OPTIONAL if todo.optional else RIGHT), True
    return verdict, fits


def _found(candidate: Candidate, *, completed: bool = False) -> ExtractedItem:
    return ExtractedItem(
        kind=Kind(candidate.kind),
        content=candidate.content,
        subject=candidate.subject,
        attribute=candidate.attribute,
        value=candidate.value,
        data=candidate.data,
        valid_until=candidate.valid_until,
        message_ids=tuple(
            evidence.message_id for evidence in candidate.evidence if evidence.message_id
        ),
        completed=completed,
    )
