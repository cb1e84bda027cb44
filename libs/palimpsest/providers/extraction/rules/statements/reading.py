"""Reading one message: what it states, of what kind, about whom, in which words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from palimpsest.domain.kinds import Kind
from palimpsest.domain.time_expressions.expression import Granularity, TimeExpression
from palimpsest.domain.turn import Role
from palimpsest.providers.extraction.dialogue import Message
from palimpsest.providers.extraction.narrowing import names_a_month
from palimpsest.providers.extraction.proposals_found import Citation, Proposal
from palimpsest.providers.extraction.rules.clauses.splitting import clauses
from palimpsest.providers.extraction.rules.completing import (
    asks_when,
    is_when_alone,
    is_written_down,
    reminds_of_it,
)
from palimpsest.providers.extraction.rules.statements.agreeing import (
    agrees,
    suggestion_in,
    takes_up,
)
from palimpsest.providers.extraction.rules.statements.answers import (
    offers_reminder,
    person_asked_about,
    person_in_question,
    person_meant,
    question_in,
)
from palimpsest.providers.extraction.rules.statements.asking import passage_quoted_in
from palimpsest.providers.extraction.rules.statements.besides import besides
from palimpsest.providers.extraction.rules.statements.conversation import Conversation, Teller
from palimpsest.providers.extraction.rules.statements.dating import first_of_last_day, time_of
from palimpsest.providers.extraction.rules.statements.enough import decides_nothing_named
from palimpsest.providers.extraction.rules.statements.gathering import Gathering, Statement
from palimpsest.providers.extraction.rules.statements.judged import Judged, Worth
from palimpsest.providers.extraction.rules.statements.judging import Judging
from palimpsest.providers.extraction.rules.statements.people import Person
from palimpsest.providers.extraction.rules.statements.proposing import (
    CONFIDENCE,
    citation,
    proposed,
)
from palimpsest.providers.extraction.rules.statements.when_behind import times_behind
from palimpsest.providers.extraction.rules.text import polished
from palimpsest.providers.extraction.times import SaidWhen, day_of, is_bare_hour

_NAME_ASKED = re.compile(r"\b(?:called|name)\b|叫什么|名字", re.IGNORECASE)
_A_NAME = re.compile(r"[A-Z][\w’-]+(?: [A-Z][\w’-]+)?|[\u4e00-\u9fff]{2,4}")


@dataclass(frozen=True)
class Stated:
    """A statement, and what is proposed of it."""

    statement: Statement
    proposal: Proposal
    is_main: bool = True
    """Not just said besides."""


@dataclass(frozen=True)
class Understood:
    """All that became of a message."""

    judged: Sequence[Judged]
    stated: Sequence[Stated]
    when: Judged | None = None
    """The answer to when something is, where that says nothing else."""
    aside: Judged | None = None
    """An answer that belongs to what was told before it was asked."""


@dataclass
class Reading:
    """One message, read against what the conversation has left."""

    message: Message
    teller: Teller
    conversation: Conversation
    time_zone: str
    _behind: dict[int, Judged] = field(default_factory=dict)
    """When a statement was that has no time, by what stands right behind it."""

    def understood(self) -> Understood:
        """What the message states, in the order in which it states it."""
        question = self._question()
        judged = list(self._judged(question))
        agreed = self._agreement(judged)
        rest = judged if agreed is None else judged[1:]
        gathering = Gathering(self.teller.role, question)
        statements = [
            _as_todo(each) for each in gathering.gather(rest) if not self._decides_nothing(each)
        ]
        self._behind = dict(times_behind(statements, judged))
        stated = [] if agreed is None else [agreed]
        stated += [each for statement in statements for each in self._stated(statement)]
        self._note_suggestions(judged)
        if self.teller.role is Role.USER:
            supposed = [each for each in judged if each.supposed]
            self.conversation.supposed = bool(supposed) and not stated
            self.conversation.offered = False
        self.conversation.note_work(self.message.text, self.teller.role)
        return Understood(judged, stated, self._when(judged), gathering.aside)

    def _decides_nothing(self, statement: Statement) -> bool:
        """Whoever says yes to no suggestion in particular says nothing by that."""
        if statement.kind is not Kind.DECISION or not statement.first.chinese:
            return False
        if not decides_nothing_named("，".join(part.core for part in statement.parts)):
            return False
        return not takes_up(statement.first.core, self.conversation.suggestions)

    def _when(self, judged: Sequence[Judged]) -> Judged | None:
        """What an agent asked for just now; what it asks itself is left for the next message."""
        conversation = self.conversation
        if self.teller.role is Role.AGENT:
            conversation.asked_when = asks_when(self.message.text)
            return None
        asked, conversation.asked_when = conversation.asked_when, False
        if (
            not asked
            or not judged
            or judged[0].withheld
            or not is_when_alone(judged[0].core, judged[0].time)
        ):
            return None
        return judged[0]

    def _question(self) -> str | None:
        """What this message may answer; what it asks itself is left for the next one."""
        conversation, text = self.conversation, self.message.text
        if self.teller.role is Role.AGENT:
            conversation.question = None if conversation.supposed else question_in(text)
            conversation.offered = offers_reminder(text)
            conversation.asked_about = person_in_question(text)
            return None
        question, conversation.question = conversation.question, None
        return question

    def _answers_of_somebody(self) -> bool:
        """Whoever was asked about just now is who is spoken of."""
        conversation, asked = self.conversation, self.conversation.asked_about
        if self.teller.role is not Role.USER or asked is None:
            return False
        conversation.spoke_of(asked)
        conversation.asked_about = None
        return True

    def _judged(self, question: str | None) -> Iterator[Judged]:
        judging = Judging(self.teller, self.conversation, of_somebody=self._answers_of_somebody())
        self.conversation.note_trouble(self.message.text, self.teller.role)
        self.conversation.day_of_message = None
        self.conversation.time_of_message = self._month_just_named()
        passage = passage_quoted_in(self.message.text) if self.teller.role is Role.USER else ""
        for place, clause in enumerate(clauses(self.message.text)):
            each = judging.judge(clause, self._said())
            if passage and clause.text.strip('"”」』 ') in passage:
                each = replace(each, worth=Worth.NOTHING, withheld=True)
            if clause.opens:
                self.conversation.time_of_message = None
            self._note_day(each)
            if question and place == 0 and each.worth is Worth.PIECE:
                each = self._answering(each, question)
            yield each

    def _said(self) -> SaidWhen:
        conversation = self.conversation
        return SaidWhen(
            self.message.occurred_at,
            self.time_zone,
            conversation.day,
            conversation.day_of_message,
            conversation.time_of_message,
        )

    def _note_day(self, each: Judged) -> None:
        time = each.time
        if time is None or time.recurrence is not None:
            return
        day = time.starts_at or (first_of_last_day(time) if each.coming else None)
        if day is None:
            return
        self.conversation.day, self.conversation.time_of_message = day, time
        if names_a_month(time):
            self.conversation.month_named = self.message.number, time
        if not each.coming or (time.is_until and self.conversation.day_of_message is not None):
            return
        if time.granularity is not Granularity.INSTANT:
            self.conversation.day_of_message = day
        elif not is_bare_hour(time, self._said()):
            self.conversation.day_of_message = day_of(day, self.time_zone)

    def _month_just_named(self) -> TimeExpression | None:
        """“Is the wedding still in October?” - “Yes, the 10th”."""
        named = self.conversation.month_named
        return named[1] if named and named[0] == self.message.number - 1 else None

    def _answering(self, each: Judged, question: str) -> Judged:
        """Whom the answer is about: somebody it names, or whom the question was about."""
        person = person_asked_about(question)
        if person is None and (pronoun := person_meant(question)) is not None:
            person = self.conversation.meant_by(pronoun)
        if _NAME_ASKED.search(question) and _A_NAME.fullmatch(each.core):
            person = Person(person.title if person else None, each.core)
        return replace(each, person=self.conversation.spoke_of(person)) if person else each

    def _agreement(self, judged: Sequence[Judged]) -> Stated | None:
        """What was suggested last, where the first that is said is yes."""
        suggestions = self.conversation.suggestions
        if self.teller.role is not Role.USER or not suggestions or not judged:
            return None
        if not agrees(judged[0].clause.text):
            return None
        suggestion = suggestions[-1]
        proposal = Proposal(
            kind=Kind.DECISION,
            content=polished(suggestion.quote),
            confidence=CONFIDENCE,
            evidence=(citation(self.message, judged[0]), suggestion),
        )
        return Stated(Statement(Kind.DECISION, [judged[0]]), proposal)

    def _note_suggestions(self, judged: Sequence[Judged]) -> None:
        if self.teller.role is Role.USER:
            self.conversation.suggestions = ()
            return
        suggested = [self._suggested(each) for each in judged if suggestion_in(each.core)]
        self.conversation.suggestions += tuple(dict.fromkeys(suggested))

    def _suggested(self, part: Judged) -> Citation:
        """The whole sentence: what is suggested goes on behind its commas."""
        return Citation(message=self.message.number, quote=part.clause.sentence)

    def _stated(self, statement: Statement) -> Iterator[Stated]:
        main = proposed(
            statement, self._when_said(statement), self.message, self.teller, self.conversation
        )
        yield Stated(statement, main)
        if self.teller.role is not Role.USER:
            return
        chinese = statement.first.chinese
        who = self.teller.words(chinese=chinese)
        for part in statement.parts:
            for other in besides(main, part.core, who, chinese=chinese):
                if other.kind is not Kind.PERSON or other.subject != main.subject:
                    yield Stated(statement, other, is_main=False)

    def _when_said(self, statement: Statement) -> tuple[TimeExpression | None, Judged]:
        time, part = time_of(statement, self._said())
        if time is None and (behind := self._behind.get(id(statement))) is not None:
            return behind.time, behind
        return time, part


def _as_todo(statement: Statement) -> Statement:
    """What is to come, and is to be written down or reminded of."""
    first = statement.first
    if statement.kind is not Kind.EVENT or not first.chinese or not first.coming:
        return statement
    reminded = any(reminds_of_it(part.core) for part in statement.parts)
    if reminded or is_written_down(first.clause.sentence):
        return replace(statement, kind=Kind.ACTION_ITEM)
    return statement
