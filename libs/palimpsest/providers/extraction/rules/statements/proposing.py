"""What is proposed of a statement: in which words, about whom, when it is, and by which it is proved."""

from palimpsest.domain.kinds import Kind
from palimpsest.domain.time_expressions.expression import TimeExpression
from palimpsest.domain.turn import Role
from palimpsest.providers.extraction.dialogue import Message
from palimpsest.providers.extraction.proposals_found import Citation, Proposal
from palimpsest.providers.extraction.rules.statements.agreeing import with_suggestion
from palimpsest.providers.extraction.rules.statements.conversation import Conversation, Teller
from palimpsest.providers.extraction.rules.statements.gathering import Statement
from palimpsest.providers.extraction.rules.statements.judged import Judged
from palimpsest.providers.extraction.rules.statements.judgements import is_judgement, judgement
from palimpsest.providers.extraction.rules.statements.wording import told
from palimpsest.providers.extraction.rules.text import polished
from palimpsest.providers.extraction.timing import timing

CONFIDENCE = 0.75
"""Of what is kept in its own words: less sure than what a rule has taken apart."""

_ABOUT_SOMEBODY = frozenset(
    {Kind.PREFERENCE, Kind.FACT, Kind.PERSON, Kind.GOAL, Kind.EVENT, Kind.CONTEXT}
)
_OF_THINGS = frozenset({Kind.FACT, Kind.EVENT, Kind.CONTEXT})


def proposed(
    statement: Statement,
    when: tuple[TimeExpression | None, Judged],
    message: Message,
    teller: Teller,
    conversation: Conversation,
) -> Proposal:
    """`when`: the time of the statement, and the part that says it."""
    citations = dict.fromkeys(citation(message, part) for part in statement.parts)
    proposal = Proposal(
        kind=statement.kind,
        content=polished(told(statement, teller, conversation)),
        subject=_subject(statement, teller),
        confidence=CONFIDENCE,
        evidence=tuple(citations),
    )
    if teller.role is Role.USER:
        if statement.kind is Kind.FEEDBACK and is_judgement(statement):
            proposal = proposal.model_copy(update=judgement(statement))
        proposal = with_suggestion(proposal, statement.first.core, conversation.suggestions)
    time, part = when
    if time is None:
        return proposal
    sentence, at = part.clause.sentence, message.occurred_at
    found = timing(proposal.kind, None, time, sentence=sentence, said_at=at)
    return proposal.model_copy(update=vars(found))


def citation(message: Message, part: Judged) -> Citation:
    return Citation(message=message.number, quote=part.clause.text)


def _subject(statement: Statement, teller: Teller) -> str | None:
    first = next((part for part in statement.parts if part.kind is not None), statement.first)
    if first.person is not None:
        return first.person.subject
    if teller.role is not Role.USER or statement.kind not in _ABOUT_SOMEBODY:
        return None
    nobodys = statement.kind in _OF_THINGS and not first.about_speaker
    # Something is so, and it is not said of whom.
    return None if nobodys or first.pronoun is not None else teller.subject
