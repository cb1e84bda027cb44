"""Turn a provider's answer into an event that proposes candidates."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.bilingual_text import (
    MAXIMUM_SUMMARY_WIDTH,
    detect_language,
    display_width,
    shorten_to_summary,
)
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.memory import Candidate, Evidence, MemorySource
from palimpsest.model.scope import Scope
from palimpsest.model.todo import TodoCompletion
from palimpsest.model.turn import Role, Turn
from palimpsest_language.addressees import (
    WISH_KINDS,
    Addressee,
    map_agent_names,
    resolve_addressee,
)
from palimpsest_language.agent_instructions import keeps_to_agent, tells_agent_how
from palimpsest_language.audiences import Audience, find_audience, is_only_audience
from palimpsest_language.dialogue import list_people
from palimpsest_language.off_the_record.own_words import own_images, own_words
from palimpsest_language.personal_statements import is_of_person
from palimpsest_language.proposal_times.mentioned_times import format_time
from palimpsest_language.proposals import ExtractionAnswer, Proposal
from palimpsest_language.repeated_statements import count_shared_words, extract_statement_words
from palimpsest_language.statements.game_characters import tells_of_game_character
from palimpsest_language.time_zone_inference import infer_time_zone
from palimpsest_server.domain.pictures import collect_picture_references
from palimpsest_server.domain.sharing_policy import resolve_shared_scope
from palimpsest_server.extraction.citable_words import find_citable_words
from palimpsest_server.extraction.extraction_window import list_window_turns
from palimpsest_server.extraction.grounding import (
    GroundedProposal,
    ProposalFlaw,
    ground_proposals,
)

USER_SUBJECT = "user"
"""Subject of statements about the user, unless several people speak as one user."""


MAXIMUM_TAG_CHARACTERS = 100
"""Longest tag; a longer topic is a description, and cannot serve as a tag."""

_USER_NAMES = ("the user", "用户")
"""Names of the user in contents."""


@dataclass(frozen=True)
class ProposedCandidates:
    event: CandidatesProposed
    dropped: Counter[ProposalFlaw]
    """Number of proposals dropped for unsound evidence, by flaw."""


def propose_candidates(
    window: ExtractionRequested, answer: ExtractionAnswer, *, provider: str
) -> ProposedCandidates:
    """Build the event that follows from an answer; the same answer gives the same event."""
    turns = list_window_turns(window)
    grounded = ground_proposals(
        answer,
        turns,
        first_fresh=len(window.context) + 1,
        participants=window.participants,
        time_zone=window.settings.time_zone,
    )
    event_id = CandidatesProposed.derive_id(window.user_id, window.window_id)
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
            _candidate(window, turns, proposal, derive_id("candidate", event_id, str(position)))
            for position, proposal in enumerate(grounded.proposals)
        ),
        completions=_completions(answer, turns, first_fresh=len(window.context) + 1),
        time_zone=infer_time_zone(turns),
        unread_characters=answer.unread_characters,
    )
    return ProposedCandidates(event, grounded.dropped)


def _completions(
    answer: ExtractionAnswer, turns: Sequence[Turn], *, first_fresh: int
) -> tuple[TodoCompletion, ...]:
    """Return completions that people report in their own words, in fresh messages."""
    found = []
    citable = find_citable_words(turns, (finished.evidence for finished in answer.finished))
    for finished in answer.finished:
        cited = finished.evidence
        if not first_fresh <= cited.message <= len(turns):
            continue
        turn = turns[cited.message - 1]
        if turn.role is Role.USER and citable[cited.message].hold(cited.quote):
            before = turns[cited.message - 2] if cited.message > 1 else None
            found.append(
                TodoCompletion(
                    quote=cited.quote.strip(),
                    about=finished.about,
                    answering=own_words(before) if before else None,
                    session_id=turn.session_id,
                    message_id=turn.message_id,
                    said_at=turn.occurred_at,
                )
            )
    return tuple(found)


_COMPUTED = frozenset(
    {
        "content",
        "summary",
        "importance",
        "confidence",
        "occurred_at",
        "valid_from",
        "evidence",
        "tags",
    }
)
_SHARED = (Candidate.model_fields.keys() & Proposal.model_fields.keys()) - _COMPUTED
"""Fields that a candidate takes over from its proposal by name; a new field needs no line here."""


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
    shared = {name: getattr(proposal, name) for name in _SHARED}
    return Candidate(
        **shared,
        id=candidate_id,
        scope=_scope(window, turns, grounded),
        content=content,
        summary=_summary(proposal.summary, content),
        data=_data(proposal, window.settings.time_zone),
        tags=_tags(proposal, window.topic),
        importance=defaults.importance if proposal.importance is None else proposal.importance,
        confidence=grounded.confidence,
        lifetime=defaults.lifetime,
        source=MemorySource.FEEDBACK if proposal.kind is Kind.FEEDBACK else MemorySource.DISCUSSION,
        said_by=grounded.said_by,
        language=detect_language(content),
        occurred_at=proposal.occurred_at or said_at,
        valid_from=proposal.valid_from or _start(proposal, said_at),
        evidence=tuple(
            Evidence(
                quote=quoted.quote,
                said_by=quoted.turn.role,
                session_id=quoted.turn.session_id,
                message_id=quoted.turn.message_id,
                origin="message" if quoted.seen is None else "picture",
                images=collect_picture_references(own_images(quoted.turn)),
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
        data["mentions"] = [format_time(time, time_zone) for time in proposal.mentions]
    if proposal.states:
        data["states"] = [[held.subject, held.attribute, held.value] for held in proposal.states]
    return data


def _tags(proposal: Proposal, topic: str | None) -> tuple[str, ...]:
    """Return the tags of a proposal; findings of a discussion are tagged with its topic."""
    of_discussion = proposal.kind.properties.is_said_by_agents
    if topic is None or not of_discussion or not 0 < len(topic.strip()) <= MAXIMUM_TAG_CHARACTERS:
        return proposal.tags
    return tuple(dict.fromkeys((*proposal.tags, topic.strip())))


def _start(proposal: Proposal, said_at: datetime) -> datetime:
    """Return when a state began.

    A state that had ended before it was told held on its last day at least.
    """
    if proposal.valid_until is None or said_at < proposal.valid_until:
        return said_at
    return proposal.valid_until - timedelta(days=1)


def _summary(proposed: str | None, content: str) -> str:
    if proposed and proposed.strip() and display_width(proposed.strip()) <= MAXIMUM_SUMMARY_WIDTH:
        return proposed.strip()
    return shorten_to_summary(content)


def _scope(window: ExtractionRequested, turns: Sequence[Turn], grounded: GroundedProposal) -> Scope:
    proposal = grounded.proposal
    cited = grounded.evidence[0].turn
    names = map_agent_names(turns, window.participants)
    quote = grounded.evidence[0].quote
    concern = resolve_addressee(proposal.kind, proposal.agent, cited, quote, turns, names)
    always = proposal.kind.properties.is_always_about_user
    project_id = cited.project_id or window.project_id
    audience = _audience(cited, quote, turns)
    is_for_all = audience in (Audience.EVERY_AGENT, Audience.EVERYWHERE)
    if is_for_all:
        concern = Addressee(everybody=True)
    about_user = concern.agent_id is None and (
        concern.everybody
        or always
        or proposal.subject == USER_SUBJECT
        or proposal.subject in list_people(turns)
    )
    if (always or project_id is not None) and not concern.everybody:
        about_user = about_user and _names_speaker(proposal, cited, turns)
    if audience is Audience.THIS_AGENT or (keeps_to_agent(cited.text) and not is_for_all):
        about_user = False
    if audience is Audience.THIS_PROJECT and project_id is not None:
        about_user = False
    if tells_of_game_character(quote) or tells_of_game_character(proposal.content):
        about_user = False  # Other agents play no part in that game.
    if proposal.kind in WISH_KINDS and proposal.attribute is None and not concern.everybody:
        about_user = about_user and not tells_agent_how(quote)
    return resolve_shared_scope(
        window.settings.sharing_policy,
        proposal.kind,
        about_user=about_user,
        attribute=proposal.attribute,
        of_person=audience is Audience.EVERYWHERE or is_of_person(quote, cited.text),
        conversation=Scope(
            user_id=window.user_id,
            agent_id=(
                None
                if is_for_all or (concern.everybody and project_id is not None)
                else concern.agent_id or _agent(window, turns, grounded)
            ),
            project_id=project_id,
        ),
    )


def _audience(cited: Turn, quote: str, turns: Sequence[Turn]) -> Audience | None:
    """Return who may know of the quoted words, by their message or by the person's next one."""
    if cited.role is not Role.USER:
        return None
    place = next(index for index, turn in enumerate(turns) if turn.id == cited.id)
    behind = next((turn for turn in turns[place + 1 :] if turn.role is Role.USER), None)
    if behind is not None and behind.speaker == cited.speaker and is_only_audience(behind.text):
        return find_audience(behind.text)
    return find_audience(cited.text, quote)


def _names_speaker(proposal: Proposal, cited: Turn, turns: Sequence[Turn]) -> bool:
    """Return whether the words of a proposal are about their speaker.

    Statements about a client or a project may lack a subject of their own.
    """
    speakers = {cited.speaker, *list_people(turns)} - {None}
    names = [*_USER_NAMES, *(str(speaker).casefold() for speaker in speakers)]
    return any(name in proposal.content.casefold() for name in names)


def _agent(
    window: ExtractionRequested, turns: Sequence[Turn], grounded: GroundedProposal
) -> str | None:
    """Return the agent that a turn concerns: its own, the conversation's, or the agent that answered it.

    A decision or finding of agents belongs to the agent that proposed it, not to the next speaker.
    """
    cited = grounded.evidence[0].turn
    if cited.agent_id or window.agent_id:
        return cited.agent_id or window.agent_id
    place = next(index for index, turn in enumerate(turns) if turn.id == cited.id)
    after, before = _by_agents(turns[place + 1 :]), _by_agents(turns[:place])
    if grounded.proposal.kind.properties.is_said_by_agents:
        quoted = _by_agents([quote.turn for quote in grounded.evidence])
        proposing = [] if (turn := _find_proposal(before, grounded)) is None else [turn]
        ordered = (*quoted, *proposing, *reversed(before), *after)
    else:
        ordered = (*after, *reversed(before))
    return next((turn.agent_id for turn in ordered), None)


def _by_agents(turns: Sequence[Turn]) -> list[Turn]:
    return [turn for turn in turns if turn.role is Role.AGENT and turn.agent_id]


def _find_proposal(before: Sequence[Turn], grounded: GroundedProposal) -> Turn | None:
    """Return the first of the agents' turns that share most words with the statement agreed to."""
    quotes = (quote.quote for quote in grounded.evidence)
    statement = extract_statement_words([grounded.proposal.content, *quotes])
    shared = {turn.id: count_shared_words(turn.said, statement) for turn in before}
    found = max(before, key=lambda turn: shared[turn.id], default=None)
    return found if found is not None and shared[found.id] else None
