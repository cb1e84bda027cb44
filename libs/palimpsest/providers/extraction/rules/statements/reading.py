"""Reading one message: what it states, of what kind, about whom, in which words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from palimpsest.domain.kinds import Kind
from palimpsest.domain.time_expressions.expression import Granularity, TimeExpression
from palimpsest.domain.turn import Role
from palimpsest.domain.writing import has_chinese
from palimpsest.providers.extraction.messages import Message
from palimpsest.providers.extraction.narrowing import names_a_month
from palimpsest.providers.extraction.provider import Citation, Proposal
from palimpsest.providers.extraction.rules.clauses.splitting import clauses
from palimpsest.providers.extraction.rules.completing import (
    asks_when,
    is_when_alone,
    is_written_down,
    reminds_of_it,
)
from palimpsest.providers.extraction.rules.revising import moves_to
from palimpsest.providers.extraction.rules.statements.agreeing import (
    agrees,
    suggestion_in,
    takes_up,
    with_suggestion,
)
from palimpsest.providers.extraction.rules.statements.answers import (
    offers_reminder,
    person_asked_about,
    person_in_question,
    person_meant,
    question_in,
)
from palimpsest.providers.extraction.rules.statements.besides import besides
from palimpsest.providers.extraction.rules.statements.conversation import Conversation, Teller
from palimpsest.providers.extraction.rules.statements.enough import decides_nothing_named
from palimpsest.providers.extraction.rules.statements.gathering import Gathering, Statement
from palimpsest.providers.extraction.rules.statements.judged import Judged, Worth
from palimpsest.providers.extraction.rules.statements.judgements import is_judgement, judgement
from palimpsest.providers.extraction.rules.statements.judging import Judging
from palimpsest.providers.extraction.rules.statements.moods import (
    asks_for_text,
    ends_by_asking,
    is_text_task,
    passage_quoted_in,
)
from palimpsest.providers.extraction.rules.statements.people import Person
from palimpsest.providers.extraction.rules.statements.signs import speaks_of_trouble
from palimpsest.providers.extraction.rules.statements.when_behind import says_when, times_behind
from palimpsest.providers.extraction.rules.statements.wording import told
from palimpsest.providers.extraction.rules.text import polished
from palimpsest.providers.extraction.times import SaidWhen, day_of, is_bare_hour, times_in
from palimpsest.providers.extraction.timing import timing

MESSAGES_OF_TROUBLE = 4
"""After somebody said that something went wrong, so many messages are about that."""

_DAY = timedelta(days=1)

CONFIDENCE = 0.75
"""Of what is kept in its own words: less sure than what a rule has taken apart."""

_ABOUT_SOMEBODY = frozenset(
    {Kind.PREFERENCE, Kind.FACT, Kind.PERSON, Kind.GOAL, Kind.EVENT, Kind.CONTEXT}
)
_OF_THINGS = frozenset({Kind.FACT, Kind.EVENT, Kind.CONTEXT})

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
        self._note_work()
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
        self._note_trouble()
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

    def _note_work(self) -> None:
        """What was asked for; where a text is to be worked on and an agent asks for it, it comes next."""
        text, conversation = self.message.text, self.conversation
        if self.teller.role is Role.AGENT:
            conversation.material = conversation.work and asks_for_text(text)
        else:
            conversation.work, conversation.material = is_text_task(text), False
            conversation.asked = ends_by_asking(text)

    def _note_trouble(self) -> None:
        text, conversation = self.message.text, self.conversation
        if self.teller.role is Role.USER and speaks_of_trouble(text, chinese=has_chinese(text)):
            conversation.trouble = MESSAGES_OF_TROUBLE
        else:
            conversation.trouble = max(0, conversation.trouble - 1)

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
        day = time.starts_at or (_first_of_last_day(time) if each.coming else None)
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
            evidence=(self._citation(judged[0]), suggestion),
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

    def _citation(self, part: Judged) -> Citation:
        return Citation(message=self.message.number, quote=part.clause.text)

    def _stated(self, statement: Statement) -> Iterator[Stated]:
        main = self._proposal(statement)
        yield Stated(statement, main)
        if self.teller.role is not Role.USER:
            return
        chinese = statement.first.chinese
        who = self.teller.words(chinese=chinese)
        for part in statement.parts:
            for other in besides(main, part.core, who, chinese=chinese):
                if other.kind is not Kind.PERSON or other.subject != main.subject:
                    yield Stated(statement, other, is_main=False)

    def _proposal(self, statement: Statement) -> Proposal:
        citations = dict.fromkeys(self._citation(part) for part in statement.parts)
        proposal = Proposal(
            kind=statement.kind,
            content=polished(told(statement, self.teller, self.conversation)),
            subject=_subject(statement, self.teller),
            confidence=CONFIDENCE,
            evidence=tuple(citations),
        )
        if self.teller.role is Role.USER:
            if statement.kind is Kind.FEEDBACK and is_judgement(statement):
                proposal = proposal.model_copy(update=judgement(statement))
            proposal = with_suggestion(
                proposal, statement.first.core, self.conversation.suggestions
            )
        time, part = _time(statement, self._said())
        if time is None and (behind := self._behind.get(id(statement))) is not None:
            time, part = behind.time, behind
        if time is None:
            return proposal
        sentence, at = part.clause.sentence, self.message.occurred_at
        found = timing(proposal.kind, None, time, sentence=sentence, said_at=at)
        return proposal.model_copy(update=vars(found))


def _first_of_last_day(time: TimeExpression) -> datetime | None:
    """Of what is open at its beginning: "by Friday" speaks of Friday."""
    if time.ends_at is None or not time.all_day:
        return time.ends_at
    return time.ends_at - _DAY


def _as_todo(statement: Statement) -> Statement:
    """What is to come, and is to be written down or reminded of."""
    first = statement.first
    if statement.kind is not Kind.EVENT or not first.chinese or not first.coming:
        return statement
    reminded = any(reminds_of_it(part.core) for part in statement.parts)
    if reminded or is_written_down(first.clause.sentence):
        return replace(statement, kind=Kind.ACTION_ITEM)
    return statement


def _time(statement: Statement, said: SaidWhen) -> tuple[TimeExpression | None, Judged]:
    """The first that was said, and of that day the hour that is said further on.

    Of what is to be done the day by which it is, where there is one.
    """
    parts = statement.parts
    if statement.kind is Kind.ACTION_ITEM:
        parts = [each for each in parts if _is_of_its_time(each, statement.first)]
        for part in parts:
            times = times_in(part.clause.text, said) if part.chinese else ()
            if deadline := next((each for each in times if each.is_until), None):
                return deadline, part
    timed = [part for part in parts if part.time is not None]
    if not timed:
        return None, statement.first
    if moving := next((part for part in timed if moves_to(part.core) is not None), None):
        return moving.time, moving
    first, *others = timed
    for other in others:
        if first.time and other.time and _is_its_hour(first.time, other.time):
            return other.time, other
    return first.time, first


def _is_of_its_time(part: Judged, first: Judged) -> bool:
    """“Return the books. They close at 1”; of “Renew the passport. Lisbon in March” each has its own."""
    return part.is_beside(first) or part.pronoun is not None or says_when(part)


def _is_its_hour(day: TimeExpression, hour: TimeExpression) -> bool:
    begins = day.starts_at or _first_of_last_day(day)
    if not day.all_day or day.recurrence or hour.recurrence or begins is None:
        return False
    if hour.granularity is not Granularity.INSTANT or hour.starts_at is None:
        return False
    return begins <= hour.starts_at < begins + _DAY


def _subject(statement: Statement, teller: Teller) -> str | None:
    first = next((part for part in statement.parts if part.kind is not None), statement.first)
    if first.person is not None:
        return first.person.subject
    if teller.role is not Role.USER or statement.kind not in _ABOUT_SOMEBODY:
        return None
    nobodys = statement.kind in _OF_THINGS and not first.about_speaker
    # Something is so, and it is not said of whom.
    return None if nobodys or first.pronoun is not None else teller.subject
