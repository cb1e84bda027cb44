"""Reads one message: its statements, with kind, subject and words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.clauses.clause_splitter import split_clauses
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.rule_tables import is_enabled, note_match
from palimpsest_language.statements.agreements import (
    has_suggestion,
    is_about_suggestion,
    is_agreement,
)
from palimpsest_language.statements.answers import (
    find_asked_pronoun,
    find_person_asked_about,
    find_person_in_final_question,
    find_question,
    offers_reminder,
)
from palimpsest_language.statements.clause_judge import ClauseJudge
from palimpsest_language.statements.clause_judgement import ClauseJudgement, ClauseWorth
from palimpsest_language.statements.completeness import is_decision_without_object
from palimpsest_language.statements.conversation_state import ConversationState, MessageSpeaker
from palimpsest_language.statements.people import MentionedPerson
from palimpsest_language.statements.plan_details import (
    asks_to_write_down,
    asks_when,
    is_bare_reminder,
    is_only_time,
)
from palimpsest_language.statements.questions_and_requests import find_quoted_passage
from palimpsest_language.statements.secondary_facts import find_secondary_facts
from palimpsest_language.statements.statement_builder import ClauseStatement, StatementBuilder
from palimpsest_language.statements.statement_proposal import (
    CONFIDENCE,
    build_proposal,
    cite_clause,
)
from palimpsest_language.statements.statement_times import find_statement_time, start_of_last_day
from palimpsest_language.statements.trailing_times import find_trailing_times
from palimpsest_language.time_expressions.contextual_dates import names_a_month
from palimpsest_language.time_expressions.expression import Granularity, TimeExpression
from palimpsest_language.time_expressions.sentence_times import (
    UtteranceTime,
    is_bare_hour,
    start_of_day,
)
from palimpsest_language.wording.statement_text import format_statement

_AGREEMENTS = "statements.agreements"
_ANSWERS = "statements.answers"
_SECONDARY_FACTS = "statements.secondary_facts"
_TRAILING_TIMES = "statements.trailing_times"
_NAME_ASKED = re.compile(r"\b(?:called|name)\b|叫什么|名字", re.IGNORECASE)
_A_NAME = re.compile(r"[A-Z][\w’-]+(?: [A-Z][\w’-]+)?|[\u4e00-\u9fff]{2,4}")


@dataclass(frozen=True)
class StatementProposal:
    """A statement, with its proposal."""

    statement: ClauseStatement
    proposal: Proposal
    is_main: bool = True
    """False for a secondary fact."""


@dataclass(frozen=True)
class MessageUnderstanding:
    """The results of reading a message."""

    judged: Sequence[ClauseJudgement]
    stated: Sequence[StatementProposal]
    when: ClauseJudgement | None = None
    """An answer to the question when, if it says nothing else."""
    aside: ClauseJudgement | None = None
    """An answer that belongs to the statement before its question."""


@dataclass
class MessageReader:
    """Reads one message with the state of its conversation."""

    message: DialogueMessage
    teller: MessageSpeaker
    conversation: ConversationState
    time_zone: str
    _behind: dict[int, ClauseJudgement] = field(default_factory=dict)
    """The clause right behind a statement without time that tells its time, by the statement."""

    def understood(self) -> MessageUnderstanding:
        """Return the statements of the message, in order."""
        question = self._question()
        judged = list(self._judged(question))
        agreed = self._agreement(judged)
        rest = judged if agreed is None else judged[1:]
        gathering = StatementBuilder(self.teller.role, question)
        statements = [
            _as_todo(statement)
            for statement in gathering.gather(rest)
            if not self._decides_nothing(statement)
        ]
        if is_enabled(_TRAILING_TIMES):
            self._behind = dict(find_trailing_times(statements, judged))
        stated = [] if agreed is None else [agreed]
        stated += [
            statement_proposal
            for statement in statements
            for statement_proposal in self._stated(statement)
        ]
        self._note_suggestions(judged)
        if self.teller.role is Role.USER:
            supposed = [
                clause_judgement for clause_judgement in judged if clause_judgement.supposed
            ]
            self.conversation.supposed = bool(supposed) and not stated
            self.conversation.offered = False
        self.conversation.note_work(self.message.text, self.teller.role)
        return MessageUnderstanding(judged, stated, self._when(judged), gathering.aside)

    def _decides_nothing(self, statement: ClauseStatement) -> bool:
        """Tell whether a statement is a yes to no particular suggestion."""
        if statement.kind is not Kind.DECISION or not statement.first.chinese:
            return False
        if not is_decision_without_object("，".join(part.core for part in statement.parts)):
            return False
        return not is_about_suggestion(statement.first.core, self.conversation.suggestions)

    def _when(self, judged: Sequence[ClauseJudgement]) -> ClauseJudgement | None:
        """Return the answered time, and note whether the message itself asks for a time."""
        conversation = self.conversation
        if self.teller.role is Role.AGENT:
            conversation.asked_when = asks_when(self.message.text)
            return None
        asked, conversation.asked_when = conversation.asked_when, False
        if (
            not asked
            or not judged
            or judged[0].withheld
            or not is_only_time(judged[0].core, judged[0].time)
        ):
            return None
        return judged[0]

    def _question(self) -> str | None:
        """Return the question that this message may answer, and note the question that it asks."""
        conversation, text = self.conversation, self.message.text
        if self.teller.role is Role.AGENT:
            conversation.question = None if conversation.supposed else find_question(text)
            conversation.offered = offers_reminder(text)
            conversation.asked_about = find_person_in_final_question(text)
            return None
        question, conversation.question = conversation.question, None
        if question is not None:
            note_match(_ANSWERS)
        return question if is_enabled(_ANSWERS) else None

    def _answers_of_somebody(self) -> bool:
        """Note the person that the agent asked about as mentioned; tell whether there is one."""
        conversation, asked = self.conversation, self.conversation.asked_about
        if self.teller.role is not Role.USER or asked is None:
            return False
        conversation.spoke_of(asked)
        conversation.asked_about = None
        return True

    def _judged(self, question: str | None) -> Iterator[ClauseJudgement]:
        judging = ClauseJudge(
            self.teller, self.conversation, of_somebody=self._answers_of_somebody()
        )
        self.conversation.note_trouble(self.message.text, self.teller.role)
        self.conversation.day_of_message = None
        self.conversation.time_of_message = self._month_just_named()
        passage = find_quoted_passage(self.message.text) if self.teller.role is Role.USER else ""
        for place, clause in enumerate(split_clauses(self.message.text)):
            judgement = judging.judge(clause, self._said())
            if passage and clause.text.strip('"”」』 ') in passage:
                judgement = replace(judgement, worth=ClauseWorth.NOTHING, withheld=True)
            if clause.opens:
                self.conversation.time_of_message = None
            self._note_day(judgement)
            if question and place == 0 and judgement.worth is ClauseWorth.PIECE:
                judgement = self._answering(judgement, question)
            yield judgement

    def _said(self) -> UtteranceTime:
        conversation = self.conversation
        return UtteranceTime(
            self.message.occurred_at,
            self.time_zone,
            conversation.day,
            conversation.day_of_message,
            conversation.time_of_message,
        )

    def _note_day(self, judgement: ClauseJudgement) -> None:
        time = judgement.time
        if time is None or time.recurrence is not None:
            return
        day = time.starts_at or (start_of_last_day(time) if judgement.coming else None)
        if day is None:
            return
        self.conversation.day, self.conversation.time_of_message = day, time
        if names_a_month(time):
            self.conversation.month_named = self.message.number, time
        if not judgement.coming or (time.is_until and self.conversation.day_of_message is not None):
            return
        if time.granularity is not Granularity.INSTANT:
            self.conversation.day_of_message = day
        elif not is_bare_hour(time, self._said()):
            self.conversation.day_of_message = start_of_day(day, self.time_zone)

    def _month_just_named(self) -> TimeExpression | None:
        """Return the month just named: “Is the wedding still in October?” - “Yes, the 10th”."""
        named = self.conversation.month_named
        return named[1] if named and named[0] == self.message.number - 1 else None

    def _answering(self, judgement: ClauseJudgement, question: str) -> ClauseJudgement:
        """Return the answer with its person: named in the answer, or the one asked about."""
        person = find_person_asked_about(question)
        if person is None and (pronoun := find_asked_pronoun(question)) is not None:
            person = self.conversation.meant_by(pronoun)
        if _NAME_ASKED.search(question) and _A_NAME.fullmatch(judgement.core):
            person = MentionedPerson(person.title if person else None, judgement.core)
        return (
            replace(judgement, person=self.conversation.spoke_of(person)) if person else judgement
        )

    def _agreement(self, judged: Sequence[ClauseJudgement]) -> StatementProposal | None:
        """Return the last suggestion as a decision, if the message begins with yes."""
        suggestions = self.conversation.suggestions
        if self.teller.role is not Role.USER or not suggestions or not judged:
            return None
        if not is_enabled(_AGREEMENTS) or not is_agreement(judged[0].clause.text):
            return None
        note_match(_AGREEMENTS)
        suggestion = suggestions[-1]
        proposal = Proposal(
            kind=Kind.DECISION,
            content=format_statement(suggestion.quote),
            confidence=CONFIDENCE,
            evidence=(cite_clause(self.message, judged[0]), suggestion),
        )
        return StatementProposal(ClauseStatement(Kind.DECISION, [judged[0]]), proposal)

    def _note_suggestions(self, judged: Sequence[ClauseJudgement]) -> None:
        if self.teller.role is Role.USER:
            self.conversation.suggestions = ()
            return
        suggested = [
            self._suggested(clause_judgement)
            for clause_judgement in judged
            if has_suggestion(clause_judgement.core)
        ]
        self.conversation.suggestions += tuple(dict.fromkeys(suggested))

    def _suggested(self, part: ClauseJudgement) -> MessageQuote:
        """Return the whole sentence, because a suggestion continues behind its commas."""
        return MessageQuote(message=self.message.number, quote=part.clause.sentence)

    def _stated(self, statement: ClauseStatement) -> Iterator[StatementProposal]:
        main = build_proposal(
            statement, self._when_said(statement), self.message, self.teller, self.conversation
        )
        yield StatementProposal(statement, main)
        if self.teller.role is not Role.USER or not is_enabled(_SECONDARY_FACTS):
            return
        chinese = statement.first.chinese
        who = self.teller.words(chinese=chinese)
        for part in statement.parts:
            for other in find_secondary_facts(main, part.core, who, chinese=chinese):
                if other.kind is not Kind.PERSON or other.subject != main.subject:
                    note_match(_SECONDARY_FACTS)
                    yield StatementProposal(statement, other, is_main=False)

    def _when_said(
        self, statement: ClauseStatement
    ) -> tuple[TimeExpression | None, ClauseJudgement]:
        time, part = find_statement_time(statement, self._said())
        if time is None and (behind := self._behind.get(id(statement))) is not None:
            note_match(_TRAILING_TIMES)
            return behind.time, behind
        return time, part


def _as_todo(statement: ClauseStatement) -> ClauseStatement:
    """Return a coming event as a todo, if it is to be written down or reminded of."""
    first = statement.first
    if statement.kind is not Kind.EVENT or not first.chinese or not first.coming:
        return statement
    reminded = any(is_bare_reminder(part.core) for part in statement.parts)
    if reminded or asks_to_write_down(first.clause.sentence):
        return replace(statement, kind=Kind.ACTION_ITEM)
    return statement
