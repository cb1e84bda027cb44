"""The proposal of a statement: its words, subject, time and evidence."""

from palimpsest.model.kind_properties import Wording
from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.proposal_times.validity import derive_timing
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.statements.agent_feedback import (
    build_feedback_fields,
    is_feedback_on_past,
)
from palimpsest_language.statements.agreements import add_suggestion
from palimpsest_language.statements.clause_judgement import ClauseJudgement
from palimpsest_language.statements.conversation_state import ConversationState, MessageSpeaker
from palimpsest_language.statements.statement_builder import ClauseStatement
from palimpsest_language.statements.statement_wording import word_statement
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.wording.statement_text import format_statement

CONFIDENCE = 0.75
"""Of what is kept in its own words: less sure than what a rule has taken apart."""


def build_proposal(
    statement: ClauseStatement,
    when: tuple[TimeExpression | None, ClauseJudgement],
    message: DialogueMessage,
    teller: MessageSpeaker,
    conversation: ConversationState,
) -> Proposal:
    """`when`: the time of the statement, and the part that says it."""
    citations = dict.fromkeys(cite_clause(message, part) for part in statement.parts)
    proposal = Proposal(
        kind=statement.kind,
        content=format_statement(word_statement(statement, teller, conversation)),
        subject=_subject(statement, teller),
        confidence=CONFIDENCE,
        evidence=tuple(citations),
    )
    if teller.role is Role.USER:
        if statement.kind is Kind.FEEDBACK and is_feedback_on_past(statement):
            proposal = proposal.model_copy(update=build_feedback_fields(statement))
        proposal = add_suggestion(proposal, statement.first.core, conversation.suggestions)
    time, part = when
    if time is None:
        return proposal
    sentence, at = part.clause.sentence, message.occurred_at
    found = derive_timing(proposal.kind, None, time, sentence=sentence, said_at=at)
    return proposal.model_copy(update=vars(found))


def cite_clause(message: DialogueMessage, part: ClauseJudgement) -> MessageQuote:
    return MessageQuote(message=message.number, quote=part.clause.text)


def _subject(statement: ClauseStatement, teller: MessageSpeaker) -> str | None:
    first = next((part for part in statement.parts if part.kind is not None), statement.first)
    if first.person is not None:
        return first.person.subject
    if teller.role is not Role.USER or not statement.kind.properties.is_about_somebody:
        return None
    nobodys = statement.kind.has(Wording.THING) and not first.about_speaker
    # Something is so, and it is not said of whom.
    return None if nobodys or first.pronoun is not None else teller.subject
