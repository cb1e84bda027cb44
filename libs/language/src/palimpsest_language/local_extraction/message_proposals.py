"""Adds a message's proposals to earlier ones: moves plans, joins answers to questions."""

from collections.abc import Sequence

from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.facts.fact_matcher import FactMatch, SentenceSpeaker, match_facts
from palimpsest_language.local_extraction.fact_merge import merge_facts_into_statements
from palimpsest_language.plans.abandoned_plans import find_abandoned_plans
from palimpsest_language.plans.plan_moves import (
    apply_plan_move,
    date_moved_plan,
    find_new_time_position,
    is_dated_together,
    is_postponement,
)
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.rule_tables import is_enabled, note_match
from palimpsest_language.statements.answers import has_name_or_number
from palimpsest_language.statements.message_reader import MessageUnderstanding, StatementProposal
from palimpsest_language.statements.plan_details import (
    add_answer_detail,
    add_plan_time,
    attach_reminder,
)
from palimpsest_language.time_expressions.sentence_times import UtteranceTime

_ABANDONED_PLANS = "plans.abandoned_plans"


def find_message_facts(
    message: DialogueMessage, name: str | None, time_zone: str
) -> list[FactMatch]:
    said = UtteranceTime(message.occurred_at, time_zone)
    speaker = SentenceSpeaker(message.role, name)
    return [
        reading
        for sentence in split_declarative_sentences(message.text)
        for reading in match_facts(sentence, speaker, message=message.number, said=said)
    ]


def add_message_proposals(
    proposals: list[Proposal],
    understood: MessageUnderstanding,
    ruled: Sequence[FactMatch],
    message: DialogueMessage,
    name: str | None,
    time_zone: str,
    *,
    before: Sequence[Proposal] = (),
) -> None:
    """Add a message's proposals to `found`: moved plans and new statements.

    `before` are proposals of an earlier window, right before the fresh messages. One that is moved
    is proposed again, with its new time.
    """
    said = UtteranceTime(message.occurred_at, time_zone)
    if is_enabled(_ABANDONED_PLANS):
        for plan in list(
            find_abandoned_plans(proposals, understood.judged, message=message.number)
        ):
            note_match(_ABANDONED_PLANS)
            proposals.remove(plan)
    cores = [_core(statement_proposal) for statement_proposal in understood.stated]
    answer = _answer(proposals, understood, message, said)
    if answer is None:
        _add_aside(proposals, understood, message)
    speaker = SentenceSpeaker(message.role, name).subject if message.role is Role.USER else None
    for place, proposal in enumerate(
        merge_facts_into_statements(understood, ruled, speaker=speaker)
    ):
        if answer is not None and all(quote == answer for quote in proposal.evidence):
            continue
        core = cores[place] if place < len(cores) else ""
        change = apply_plan_move(proposals, proposal, core=core, said=said) or attach_reminder(
            proposals, proposal, core=core, said=said
        )
        if change is None and (moved := apply_plan_move(before, proposal, core=core, said=said)):
            change = None, moved[1]
        standing, after = change if change is not None else (None, proposal)
        if standing is None:
            sentence = core if is_postponement(core) else after.content
            proposals.append(date_moved_plan(after, sentence, said))
            continue
        proposals[proposals.index(standing)] = after
        for other in [proposal for proposal in proposals if is_dated_together(proposal, standing)]:
            if along := apply_plan_move([other], proposal, core=core, said=said):
                proposals[proposals.index(other)] = along[1]


def _answer(
    proposals: list[Proposal],
    understood: MessageUnderstanding,
    message: DialogueMessage,
    said: UtteranceTime,
) -> MessageQuote | None:
    """Add the answered time of a plan to the plan; None if none was asked for, or no plan fits."""
    when = understood.when
    if when is None or when.time is None:
        return None
    citation = MessageQuote(message=message.number, quote=when.clause.text)
    change = add_plan_time(proposals, when.time, citation, said)
    if change is None:
        return None
    proposals[proposals.index(change[0])] = change[1]
    return citation


def _core(stated: StatementProposal) -> str:
    """Return the statement's first words, or those that move a plan."""
    parts = stated.statement.parts
    moving = next(
        (part for part in parts if part.time and find_new_time_position(part.core) is not None),
        None,
    )
    if moving is None:
        sentence = parts[0].clause.sentence
        if is_postponement(sentence):
            return sentence
    return (moving or parts[0]).core


def _add_aside(
    proposals: list[Proposal], understood: MessageUnderstanding, message: DialogueMessage
) -> None:
    """Add an answer about the last statement to that statement."""
    aside = understood.aside
    if aside is None or not has_name_or_number(aside.core):
        return
    citation = MessageQuote(message=message.number, quote=aside.clause.text)
    if change := add_answer_detail(proposals, citation):
        proposals[proposals.index(change[0])] = change[1]
