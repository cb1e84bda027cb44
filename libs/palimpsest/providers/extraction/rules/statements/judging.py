"""What a single clause is: a statement of some kind, a piece of one, or nothing to keep."""

import re
from dataclasses import dataclass, field, replace

from palimpsest.domain.kinds import Kind
from palimpsest.domain.script import simplified
from palimpsest.domain.time_expressions.expression import TimeExpression
from palimpsest.domain.turn import Role
from palimpsest.domain.writing import has_chinese
from palimpsest.providers.extraction.rules.clauses.clause import Clause
from palimpsest.providers.extraction.rules.completing import (
    is_deed_alone,
    is_when_alone,
    reminds_of_it,
)
from palimpsest.providers.extraction.rules.statements.agents import (
    advises,
    explains,
    found_out,
    is_acknowledgement,
    is_wellwishing,
    offers,
)
from palimpsest.providers.extraction.rules.statements.agreeing import suggestion_in
from palimpsest.providers.extraction.rules.statements.asides import is_aside
from palimpsest.providers.extraction.rules.statements.asking import (
    asks_for_help,
    is_question,
    is_request,
    is_text_task,
    is_to_be_reminded,
)
from palimpsest.providers.extraction.rules.statements.conversation import Conversation, Teller
from palimpsest.providers.extraction.rules.statements.dating import time_in
from palimpsest.providers.extraction.rules.statements.done_today import was_done_today
from palimpsest.providers.extraction.rules.statements.enough import (
    is_bare_promise,
    is_due,
    is_kept,
    least_words,
)
from palimpsest.providers.extraction.rules.statements.hurried import in_full
from palimpsest.providers.extraction.rules.statements.judged import Judged, Worth
from palimpsest.providers.extraction.rules.statements.moods import Standing, is_hearsay
from palimpsest.providers.extraction.rules.statements.openings import opened
from palimpsest.providers.extraction.rules.statements.people import (
    Person,
    begins_with_pronoun,
    is_bare_mention,
    mentioned,
    person_of,
)
from palimpsest.providers.extraction.rules.statements.secrets_told import is_secret, names_secret
from palimpsest.providers.extraction.rules.statements.signs import (
    is_coming,
    kind_of,
    learnt,
    speaks_of_trouble,
)
from palimpsest.providers.extraction.rules.statements.small_talk import (
    is_agenda,
    is_of_nothing,
    is_small_talk,
)
from palimpsest.providers.extraction.rules.statements.stating import (
    begins_with_a_thing,
    is_about_speaker,
    is_anchored,
    leans_on_the_talk,
    states,
    words_in,
)
from palimpsest.providers.extraction.times import SaidWhen
from palimpsest.providers.extraction.todos import tells_a_deed

_REDACTED = "[redacted:"
"""What is left of a secret says nothing."""
_OF_PEOPLE = frozenset({"he", "she", "his", "her", "他", "她", "它"})
_BARE_NO = re.compile(r"no (?:more )?[a-z]+(?: [a-z]+)?", re.IGNORECASE)
_MAY_BE_SMALL_TALK = frozenset({None, Kind.PERSON, Kind.EVENT})
_THEIRS = frozenset({"his", "her"})
_MERE_INTENTION = re.compile(r"^(?:I|we)(?:'ll| will)\b", re.IGNORECASE)
_OTHERS_DO = re.compile(r"^[他她]们?(?!.*(?:我|让|叫|催|提醒))")
_FROM_NOW_ON = re.compile(
    r"^(?:那|还有)?[^，。]{0,8}(?<!之)(?<![0-9点号天月年周])(?:以后|今后|往后)(?!再|的|.{0,12}(?:提醒|叫|喊)我)"
)
"""以后统一晚上九点推: an hour, and not one day's."""
_AT_A_TIME = frozenset({Kind.EVENT, Kind.ACTION_ITEM})
_OF_TASTE = frozenset({Kind.PREFERENCE, Kind.FEEDBACK})
_SUGGESTED = frozenset({Kind.CONCLUSION, Kind.DECISION})


@dataclass
class Judging:
    """Goes through the clauses of one message, in order."""

    teller: Teller
    conversation: Conversation
    standing: Standing = field(default_factory=Standing)
    of_somebody: bool = False
    """What was said or asked just before is about somebody else than the speaker."""

    def judge(self, clause: Clause, said: SaidWhen) -> Judged:
        chinese = has_chinese(clause.sentence)
        core = opened(
            _plain(clause.text, chinese=chinese), self.conversation.names, chinese=chinese
        )
        aside = self.teller.role is Role.USER and (is_aside(core) or is_aside(clause.text))
        nothing = Judged(clause, core, chinese, Worth.NOTHING, aside=aside)
        supposed = self.standing.is_supposed(core, clause.sentence, chinese=chinese)
        if not core or aside:
            return nothing
        if supposed or self._is_material(core) or self._is_secret(core, clause.sentence):
            return replace(nothing, withheld=True, supposed=supposed)
        time = time_in(clause, said)
        done = was_done_today(core, clause.sentence)
        coming = time is not None and is_coming(time, said) and not done
        person = self._person(core, chinese=chinese)
        if self._is_no_statement(clause, core, chinese=chinese, coming=coming):
            return replace(nothing, withheld=True, time=time, coming=coming)
        kind = self._kind(core, time, said, chinese=chinese, done=done)
        kind = self._of_whom(kind, core)
        self.of_somebody = person is not None
        if self._is_for_now(clause, core, kind, time if coming else None, chinese=chinese):
            return nothing
        pronoun = begins_with_pronoun(core, chinese=chinese)
        if pronoun is not None and pronoun.casefold() in _THEIRS and person is None:
            pronoun = None
        worth = Worth.STATEMENT
        passes = False
        if kind is None and self._states(core, person, pronoun, chinese=chinese):
            kind = Kind.PERSON if person and person.title else Kind.FACT
            passes = self._passes(core, person, chinese=chinese)
        elif kind is Kind.EVENT and chinese:
            passes = self._happens_to_nobody(core, person, coming=coming)
        if passes:
            return nothing
        if kind is None or self._says_too_little(core, kind, time, chinese=chinese):
            worth = Worth.PIECE
        return Judged(clause, core, chinese, worth, kind, person, pronoun, time, coming)

    def _is_material(self, core: str) -> bool:
        """A text to work on, or the request for that."""
        if self.teller.role is not Role.USER:
            return False
        if not self.standing.material:
            chinese = has_chinese(core)
            asked = self.conversation.material or asks_for_help(core, chinese=chinese)
            self.standing.material = self.conversation.material or (asked and is_text_task(core))
        return self.standing.material

    def _is_secret(self, core: str, sentence: str) -> bool:
        standing = self.standing
        standing.secret_named = standing.secret_named or names_secret(core)
        return _REDACTED in sentence or is_secret(core, named=standing.secret_named)

    def _is_no_statement(self, clause: Clause, core: str, *, chinese: bool, coming: bool) -> bool:
        """Asked, or said by others; to ask for something that is to come is to state it."""
        asked = clause.asks or is_question(core, chinese=chinese)
        wanted = self._is_request(core, chinese=chinese) or is_to_be_reminded(core)
        if asked and not (coming and wanted):
            return True
        return is_hearsay(core, chinese=chinese)

    def _is_for_now(
        self,
        clause: Clause,
        core: str,
        kind: Kind | None,
        coming: TimeExpression | None,
        *,
        chinese: bool,
    ) -> bool:
        """What is only for this conversation: requests, small talk, an agent's "got it"."""
        if self.teller.role is Role.AGENT and is_acknowledgement(clause.sentence, core):
            return True
        if self._is_request(core, chinese=chinese):
            return not is_kept(kind, core, coming)
        if kind in _OF_TASTE and is_of_nothing(core):
            return True
        if kind is Kind.FEEDBACK and self.teller.listeners:
            # Praise among people is no word on an agent's work.
            return True
        if chinese and is_agenda(core):
            return True
        return kind in _MAY_BE_SMALL_TALK and is_small_talk(core, chinese=chinese)

    def _passes(self, core: str, person: Person | None, *, chinese: bool) -> bool:
        """What something does that does not work, or what one will do at some time or other."""
        if _MERE_INTENTION.search(core):
            return True
        of_things = person is None and not is_about_speaker(core) and "%" not in core
        return of_things and speaks_of_trouble(core, chinese=chinese)

    def _happens_to_nobody(self, core: str, person: Person | None, *, coming: bool) -> bool:
        """今天食堂的红烧肉绝了: done by nobody, to nothing that has a name."""
        if coming or person is not None or self.teller.role is not Role.USER:
            return False
        if speaks_of_trouble(core, chinese=True) and not is_about_speaker(core):
            return True
        return begins_with_a_thing(core) and not is_about_speaker(core) and not is_anchored(core)

    def _is_request(self, core: str, *, chinese: bool) -> bool:
        return self.teller.role is Role.USER and is_request(core, chinese=chinese)

    def _did(self, core: str) -> bool:
        return self.teller.role is Role.USER and tells_a_deed(core)

    def _kind(
        self,
        core: str,
        time: TimeExpression | None,
        said: SaidWhen,
        *,
        chinese: bool,
        done: bool,
    ) -> Kind | None:
        kind = kind_of(core, self.teller.role, time, said, chinese=chinese)
        if kind is Kind.ACTION_ITEM and (done or self._did(core)):
            return Kind.EVENT
        if kind is Kind.ACTION_ITEM and chinese and _OTHERS_DO.match(core):
            kind = None
        if kind in _AT_A_TIME and chinese and _FROM_NOW_ON.match(core):
            kind = Kind.DECISION if self.conversation.team else Kind.PREFERENCE
        if self.teller.role is not Role.AGENT:
            wanted = kind in {None, Kind.EVENT} and self.conversation.offered
            due = wanted and is_due(core, time, said)
            return Kind.ACTION_ITEM if due else kind
        if kind in _SUGGESTED and (suggestion_in(core) or offers(core) or is_wellwishing(core)):
            return None
        if kind is Kind.ACTION_ITEM and (advises(core) or suggestion_in(core)):
            return None
        if kind is Kind.CONCLUSION and not self.conversation.trouble and self._only_answers(core):
            return None
        if kind is None and self.conversation.trouble:
            kind = learnt(core, chinese=chinese)
        return kind

    def _of_whom(self, kind: Kind | None, core: str) -> Kind | None:
        """“She's too heavy. No treats” is no taste of whoever says so."""
        bare = kind is Kind.PREFERENCE and self.of_somebody and _BARE_NO.fullmatch(core)
        return None if bare else kind

    def _only_answers(self, core: str) -> bool:
        """What an agent knows of the world, and nothing that it found out by its work."""
        conversation = self.conversation
        if explains(core):
            return True
        return (
            (conversation.asked or conversation.work)
            and not conversation.team
            and not found_out(core)
        )

    def _states(
        self, core: str, person: Person | None, pronoun: str | None, *, chinese: bool
    ) -> bool:
        if not chinese and leans_on_the_talk(core):
            return False
        return self.teller.role is Role.USER and states(
            core, of_somebody=person is not None, pronoun=pronoun, chinese=chinese
        )

    def _says_too_little(
        self, core: str, kind: Kind, time: TimeExpression | None, *, chinese: bool
    ) -> bool:
        if self.teller.role is Role.AGENT and is_bare_promise(core, kind, time):
            return True
        if is_bare_mention(core, chinese=chinese) or is_when_alone(core, time):
            return True
        if reminds_of_it(core) and time is None:
            return True
        if chinese and is_deed_alone(core, time):
            return True
        return words_in(core) < least_words(kind, core, chinese=chinese)

    def _person(self, core: str, *, chinese: bool) -> Person | None:
        """Whom the clause is about, where that is not the speaker."""
        person = person_of(core, chinese=chinese) or self.conversation.named_first_in(core)
        if self.teller.role is Role.AGENT:
            # “Surgery added for Thursday”: it is people who bring up people.
            return person
        if person is not None:
            return self.conversation.spoke_of(person)
        pronoun = begins_with_pronoun(core, chinese=chinese)
        if pronoun is not None and pronoun.casefold() not in _OF_PEOPLE:
            if other := mentioned(core, chinese=chinese):
                self.conversation.spoke_of(other)
            return None
        if pronoun is not None and (meant := self.conversation.meant_by(pronoun)) is not None:
            return meant
        if pronoun is not None and pronoun.casefold() not in _THEIRS:
            return None
        if other := mentioned(core, chinese=chinese):
            self.conversation.spoke_of(other)
        return None


def _plain(text: str, *, chinese: bool) -> str:
    if chinese:
        return simplified(text)
    return in_full(text.replace("’", "'"))
