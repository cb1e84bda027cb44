"""From a provider's answer to the event that proposes candidates."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from palimpsest.contracts.answers import CandidatesProposed
from palimpsest.contracts.envelope import derived_event_id
from palimpsest.contracts.questions import ExtractionRequested
from palimpsest.domain.heard_time_zones import heard_in
from palimpsest.domain.identifiers import derive
from palimpsest.domain.kinds import KINDS, Kind
from palimpsest.domain.memory import Candidate, Evidence, Source
from palimpsest.domain.pictures import references
from palimpsest.domain.privacy.own_words import own_images, own_words
from palimpsest.domain.scope import Scope
from palimpsest.domain.sharing import shared_scope
from palimpsest.domain.turn import Role, Turn
from palimpsest.domain.writing import SUMMARY_WIDTH, language_of, summarised, width
from palimpsest.model.completion import Completion
from palimpsest.providers.extraction.concerning import agents_of, concern_of
from palimpsest.providers.extraction.dialogue import people_of
from palimpsest.providers.extraction.grounding import Flaw, GroundedProposal, ground, is_quoted
from palimpsest.providers.extraction.mentioning import written_out
from palimpsest.providers.extraction.messages import window_turns
from palimpsest.providers.extraction.proposals_found import ExtractionAnswer, Proposal

THE_USER = "user"
"""The subject of what is about the user, unless several people speak as one."""

_ALWAYS_ABOUT_USER = frozenset({Kind.PREFERENCE, Kind.PERSON})
"""A preference is its speaker's, a person one of theirs, whoever is the subject."""


@dataclass(frozen=True)
class Proposed:
    event: CandidatesProposed
    dropped: Counter[Flaw]
    """How many proposals had no sound evidence, by flaw."""


def propose(window: ExtractionRequested, answer: ExtractionAnswer, *, provider: str) -> Proposed:
    """The event that follows from an answer: the same answer, the same event."""
    turns = window_turns(window)
    grounded = ground(answer, turns, first_fresh=len(window.context) + 1)
    event_id = derived_event_id("CandidatesProposed", window.user_id, window.window_id)
    event = CandidatesProposed(
        event_id=event_id,
        occurred_at=window.occurred_at,
        received_at=window.received_at,
        epoch=window.epoch,
        user_id=window.user_id,
        agent_id=window.agent_id,
        project_id=window.project_id,
        session_id=window.session_id,
        trace=window.trace,
        window_id=window.window_id,
        provider=provider,
        candidates=tuple(
            _candidate(window, turns, proposal, derive("candidate", event_id, str(position)))
            for position, proposal in enumerate(grounded.proposals)
        ),
        completions=_completions(answer, turns, first_fresh=len(window.context) + 1),
        time_zone=heard_in(turns),
    )
    return Proposed(event, grounded.dropped)


def _completions(
    answer: ExtractionAnswer, turns: Sequence[Turn], *, first_fresh: int
) -> tuple[Completion, ...]:
    """What people say is done: in their own words, in a message that was not seen before."""
    found = []
    for finished in answer.finished:
        cited = finished.evidence
        if not first_fresh <= cited.message <= len(turns):
            continue
        turn = turns[cited.message - 1]
        if turn.role is Role.USER and is_quoted(cited.quote, turn):
            before = turns[cited.message - 2] if cited.message > 1 else None
            found.append(
                Completion(
                    quote=cited.quote.strip(),
                    about=finished.about,
                    answering=own_words(before) if before else None,
                    session_id=turn.session_id,
                    message_id=turn.message_id,
                    said_at=turn.occurred_at,
                )
            )
    return tuple(found)


def _candidate(
    window: ExtractionRequested,
    turns: Sequence[Turn],
    grounded: GroundedProposal,
    candidate_id: str,
) -> Candidate:
    proposal = grounded.proposal
    defaults = KINDS[proposal.kind]
    content = proposal.content.strip()
    said_at = max(quoted.turn.occurred_at for quoted in grounded.evidence)
    return Candidate(
        id=candidate_id,
        scope=_scope(window, turns, grounded),
        kind=proposal.kind,
        content=content,
        summary=_summary(proposal.summary, content),
        subject=proposal.subject,
        attribute=proposal.attribute,
        value=proposal.value,
        ended=proposal.ended,
        data=_data(proposal, window.settings.time_zone),
        importance=defaults.importance if proposal.importance is None else proposal.importance,
        confidence=grounded.confidence,
        lifetime=defaults.lifetime,
        source=Source.FEEDBACK if proposal.kind is Kind.FEEDBACK else Source.DISCUSSION,
        said_by=grounded.said_by,
        tags=proposal.tags,
        entities=proposal.entities,
        language=language_of(content),
        occurred_at=proposal.occurred_at or said_at,
        valid_from=proposal.valid_from or _start(proposal, said_at),
        valid_until=proposal.valid_until,
        evidence=tuple(
            Evidence(
                quote=quoted.quote,
                said_by=quoted.turn.role,
                session_id=quoted.turn.session_id,
                message_id=quoted.turn.message_id,
                origin="message" if quoted.seen is None else "picture",
                images=references(own_images(quoted.turn)),
                said_at=quoted.turn.occurred_at,
            )
            for quoted in grounded.evidence
        ),
    )


def _data(proposal: Proposal, time_zone: str) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if proposal.replaces:
        data["replaces"] = proposal.replaces
    if proposal.time is not None:
        data["time"] = proposal.time.model_dump(mode="json", exclude={"start"}, exclude_none=True)
    if proposal.mentions:
        data["mentions"] = [written_out(time, time_zone) for time in proposal.mentions]
    return data


def _start(proposal: Proposal, said_at: datetime) -> datetime:
    """What had ended when it was said held on its last day at least."""
    if proposal.valid_until is None or said_at < proposal.valid_until:
        return said_at
    return proposal.valid_until - timedelta(days=1)


def _summary(proposed: str | None, content: str) -> str:
    if proposed and proposed.strip() and width(proposed.strip()) <= SUMMARY_WIDTH:
        return proposed.strip()
    return summarised(content)


def _scope(window: ExtractionRequested, turns: Sequence[Turn], grounded: GroundedProposal) -> Scope:
    proposal = grounded.proposal
    cited = grounded.evidence[0].turn
    names = agents_of(turns, window.participants)
    quote = grounded.evidence[0].quote
    concern = concern_of(proposal.kind, proposal.agent, cited, quote, turns, names)
    about_user = concern.agent_id is None and (
        concern.everybody
        or proposal.kind in _ALWAYS_ABOUT_USER
        or proposal.subject == THE_USER
        or proposal.subject in people_of(turns)
    )
    return shared_scope(
        window.settings.sharing_policy,
        proposal.kind,
        about_user=about_user,
        conversation=Scope(
            user_id=window.user_id,
            agent_id=concern.agent_id or _agent(window, turns, cited),
            project_id=cited.project_id or window.project_id,
        ),
    )


def _agent(window: ExtractionRequested, turns: Sequence[Turn], cited: Turn) -> str | None:
    """The agent a turn concerns: its own, the conversation's, or whoever answered it."""
    if cited.agent_id or window.agent_id:
        return cited.agent_id or window.agent_id
    place = next(index for index, turn in enumerate(turns) if turn.id == cited.id)
    after, before = turns[place + 1 :], reversed(turns[:place])
    return next(
        (turn.agent_id for turn in (*after, *before) if turn.role is Role.AGENT and turn.agent_id),
        None,
    )
