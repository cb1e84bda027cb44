"""Judges single clauses: a statement of some kind, a part of one, or nothing to keep."""

from dataclasses import dataclass, field, replace

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kind_properties import Wording
from palimpsest.model.kinds import Kind, select_kinds
from palimpsest.model.turn import Role
from palimpsest_language.clauses.clause import Clause
from palimpsest_language.completion_claims import is_deed_report
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.statements.agent_phrases import (
    is_acknowledgement,
    is_advice,
    is_explanation,
    is_finding,
    is_offer,
    is_wellwishing,
)
from palimpsest_language.statements.agreements import has_suggestion
from palimpsest_language.statements.asides import is_aside
from palimpsest_language.statements.clause_judgement import ClauseJudgement, ClauseWorth
from palimpsest_language.statements.completeness import (
    is_bare_promise,
    is_dated_task,
    is_lasting_request,
    min_statement_words,
)
from palimpsest_language.statements.conversation_state import ConversationState, MessageSpeaker
from palimpsest_language.statements.informal_english import restore_apostrophes
from palimpsest_language.statements.kind_classifier import (
    classify_kind,
    classify_lesson,
    is_upcoming,
    mentions_trouble,
)
from palimpsest_language.statements.opening_words import strip_opening_words
from palimpsest_language.statements.people import (
    MentionedPerson,
    find_leading_pronoun,
    find_mentioned_person,
    find_subject_person,
    is_bare_mention,
)
from palimpsest_language.statements.plan_details import (
    is_bare_reminder,
    is_only_time,
    is_only_verb_and_time,
)
from palimpsest_language.statements.questions_and_requests import (
    asks_for_help,
    is_question,
    is_reminder_request,
    is_request,
    is_text_task,
)
from palimpsest_language.statements.small_talk import (
    is_agenda,
    is_passing,
    is_small_talk,
    is_taste_without_object,
)
from palimpsest_language.statements.statement_times import find_clause_time
from palimpsest_language.statements.suppositions import SuppositionTracker, is_hearsay
from palimpsest_language.statements.uncued_statements import (
    count_words,
    depends_on_conversation,
    has_lasting_reference,
    has_thing_as_subject,
    is_about_speaker,
    is_uncued_statement,
)
from palimpsest_language.statements.unredacted_secrets import looks_like_secret, names_secret
from palimpsest_language.statements.visits_done_today import is_visit_done_today
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from palimpsest_language.vocabulary.simplified_characters import simplify_characters

_REDACTED = "[redacted:"
"""The beginning of a redacted secret, which says nothing."""
_OF_PEOPLE = frozenset({"he", "she", "his", "her", "他", "她", "它"})
_PHRASES = read_phrases("statements/clause_judge")
_BARE_NO = _PHRASES["bare_no"]
_MERE_INTENTION = _PHRASES["mere_intention"]
_OTHERS_DO = _PHRASES["others_do"]
_BESIDE_TASK = _PHRASES["beside_task"]
_FROM_NOW_ON = _PHRASES["from_now_on"]
_MAY_BE_SMALL_TALK = frozenset(
    {None, *select_kinds(lambda kind: Wording.SMALL_TALK in kind.wording)}
)
_THEIRS = frozenset({"his", "her"})
_AT_A_TIME = frozenset(select_kinds(lambda kind: kind.times.is_at_a_time))
_OF_TASTE = frozenset(select_kinds(lambda kind: Wording.WISH in kind.wording))
_SUGGESTED = frozenset(select_kinds(lambda kind: Wording.SUGGESTION in kind.wording))


@dataclass
class ClauseJudge:
    """Judges the clauses of one message in order."""

    teller: MessageSpeaker
    conversation: ConversationState
    standing: SuppositionTracker = field(default_factory=SuppositionTracker)
    of_somebody: bool = False
    """True if the words just before are about somebody other than the speaker."""

    def judge(self, clause: Clause, said: UtteranceTime) -> ClauseJudgement:
        chinese = has_chinese(clause.sentence)
        core = strip_opening_words(
            _plain(clause.text, chinese=chinese), self.conversation.names, chinese=chinese
        )
        aside = self.teller.role is Role.USER and any(
            map(is_aside, dict.fromkeys((core, clause.text)))
        )
        nothing = ClauseJudgement(clause, core, chinese, ClauseWorth.NOTHING, aside=aside)
        supposed = self.standing.is_supposed(core, clause.sentence, chinese=chinese)
        if not core or aside:
            return nothing
        if (
            supposed
            or self._is_material(core, clause.text)
            or self._is_secret(core, clause.sentence)
        ):
            return replace(nothing, withheld=True, supposed=supposed)
        time = find_clause_time(clause, said)
        done = is_visit_done_today(core, clause.sentence)
        coming = time is not None and is_upcoming(time, said) and not done
        person = self._person(core, chinese=chinese)
        if self._is_no_statement(clause, core, chinese=chinese, coming=coming):
            return replace(nothing, withheld=True, time=time, coming=coming)
        kind = self._kind(core, time, said, chinese=chinese, done=done)
        kind = self._of_whom(kind, core)
        self.of_somebody = person is not None
        if self._is_for_now(clause, core, kind, time if coming else None, chinese=chinese):
            return nothing
        pronoun = find_leading_pronoun(core, chinese=chinese)
        if pronoun is not None and pronoun.casefold() in _THEIRS and person is None:
            pronoun = None
        worth = ClauseWorth.STATEMENT
        passes = False
        if kind is None and self._states(core, person, pronoun, chinese=chinese):
            kind = Kind.PERSON if person and person.title else Kind.FACT
            passes = self._passes(core, person, chinese=chinese)
        elif kind is Kind.EVENT and chinese:
            passes = self._happens_to_nobody(core, person, coming=coming)
        if passes:
            return nothing
        if kind is None or self._says_too_little(core, kind, time, chinese=chinese):
            worth = ClauseWorth.PIECE
        return ClauseJudgement(clause, core, chinese, worth, kind, person, pronoun, time, coming)

    def _is_material(self, core: str, text: str) -> bool:
        """Tell whether a clause is a text to work on, or the request for that.

        Behind "for context" the speaker tells of themself.
        """
        if self.teller.role is not Role.USER or self.standing.is_beside_task:
            return False
        if self.standing.material and _BESIDE_TASK.search(text):
            self.standing.material, self.standing.is_beside_task = False, True
            return False
        if not self.standing.material:
            chinese = has_chinese(core)
            asked = self.conversation.material or asks_for_help(core, chinese=chinese)
            self.standing.material = self.conversation.material or (asked and is_text_task(core))
        return self.standing.material

    def _is_secret(self, core: str, sentence: str) -> bool:
        standing = self.standing
        standing.secret_named = standing.secret_named or names_secret(core)
        return _REDACTED in sentence or looks_like_secret(core, named=standing.secret_named)

    def _is_no_statement(self, clause: Clause, core: str, *, chinese: bool, coming: bool) -> bool:
        """Tell whether a clause is hearsay or a question, except a request for a coming event."""
        asked = clause.asks or is_question(core, chinese=chinese)
        if asked and not (coming and self._is_wanted(core, chinese=chinese)):
            return True
        return is_hearsay(core, chinese=chinese)

    def _is_wanted(self, core: str, *, chinese: bool) -> bool:
        return self._is_request(core, chinese=chinese) or is_reminder_request(core)

    def _is_for_now(
        self,
        clause: Clause,
        core: str,
        kind: Kind | None,
        coming: TimeExpression | None,
        *,
        chinese: bool,
    ) -> bool:
        """Tell whether a clause is only for now: a request, small talk, an agent's "got it"."""
        if self.teller.role is Role.AGENT and is_acknowledgement(clause.sentence, core):
            return True
        if self._is_request(core, chinese=chinese):
            return not is_lasting_request(kind, core, coming)
        if kind in _OF_TASTE and is_taste_without_object(core):
            return True
        if kind is Kind.FEEDBACK and self.teller.listeners:
            # Praise among people is no feedback on an agent.
            return True
        if is_passing(core) or (chinese and is_agenda(core)):
            return True
        return kind in _MAY_BE_SMALL_TALK and is_small_talk(core, chinese=chinese)

    def _passes(self, core: str, person: MentionedPerson | None, *, chinese: bool) -> bool:
        """Tell whether a clause only says what does not work, or what will be done sometime."""
        if _MERE_INTENTION.search(core):
            return True
        of_things = person is None and not is_about_speaker(core) and "%" not in core
        return of_things and mentions_trouble(core, chinese=chinese)

    def _happens_to_nobody(
        self, core: str, person: MentionedPerson | None, *, coming: bool
    ) -> bool:
        """Tell whether a clause is about nobody and nothing with a name: 今天食堂的红烧肉绝了."""
        if coming or person is not None or self.teller.role is not Role.USER:
            return False
        if mentions_trouble(core, chinese=True) and not is_about_speaker(core):
            return True
        return (
            has_thing_as_subject(core)
            and not is_about_speaker(core)
            and not has_lasting_reference(core)
        )

    def _is_request(self, core: str, *, chinese: bool) -> bool:
        return self.teller.role is Role.USER and is_request(core, chinese=chinese)

    def _did(self, core: str) -> bool:
        return self.teller.role is Role.USER and is_deed_report(core)

    def _kind(
        self,
        core: str,
        time: TimeExpression | None,
        said: UtteranceTime,
        *,
        chinese: bool,
        done: bool,
    ) -> Kind | None:
        kind = classify_kind(core, self.teller.role, time, said, chinese=chinese)
        if kind is Kind.ACTION_ITEM and (done or self._did(core)):
            return Kind.EVENT
        if kind is Kind.ACTION_ITEM and chinese and _OTHERS_DO.search(core):
            kind = None
        if kind in _AT_A_TIME and chinese and _FROM_NOW_ON.search(core):
            kind = Kind.DECISION if self.conversation.team else Kind.PREFERENCE
        if self.teller.role is not Role.AGENT:
            wanted = kind in {None, Kind.EVENT} and self.conversation.offered
            due = wanted and is_dated_task(core, time, said)
            return Kind.ACTION_ITEM if due else kind
        if kind in _SUGGESTED and (has_suggestion(core) or is_offer(core) or is_wellwishing(core)):
            return None
        if kind is Kind.ACTION_ITEM and (is_advice(core) or has_suggestion(core)):
            return None
        if kind is Kind.CONCLUSION and not self.conversation.trouble and self._only_answers(core):
            return None
        if kind is None and self.conversation.trouble:
            kind = classify_lesson(core, chinese=chinese)
        return kind

    def _of_whom(self, kind: Kind | None, core: str) -> Kind | None:
        """“She's too heavy. No treats” is no taste of whoever says so."""
        bare = kind is Kind.PREFERENCE and self.of_somebody and _BARE_NO.search(core)
        return None if bare else kind

    def _only_answers(self, core: str) -> bool:
        """Tell whether an agent only answers with general knowledge, without an own finding."""
        conversation = self.conversation
        if is_explanation(core):
            return True
        return (
            (conversation.asked or conversation.work)
            and not conversation.team
            and not is_finding(core)
        )

    def _states(
        self, core: str, person: MentionedPerson | None, pronoun: str | None, *, chinese: bool
    ) -> bool:
        if not chinese and depends_on_conversation(core):
            return False
        return self.teller.role is Role.USER and is_uncued_statement(
            core, of_somebody=person is not None, pronoun=pronoun, chinese=chinese
        )

    def _says_too_little(
        self, core: str, kind: Kind, time: TimeExpression | None, *, chinese: bool
    ) -> bool:
        if self.teller.role is Role.AGENT and is_bare_promise(core, kind, time):
            return True
        if is_bare_mention(core, chinese=chinese) or is_only_time(core, time):
            return True
        if is_bare_reminder(core) and time is None:
            return True
        if chinese and is_only_verb_and_time(core, time):
            return True
        return count_words(core) < min_statement_words(kind, core, chinese=chinese)

    def _person(self, core: str, *, chinese: bool) -> MentionedPerson | None:
        """Return the person that the clause is about; None for the speaker."""
        person = find_subject_person(core, chinese=chinese) or self.conversation.named_first_in(
            core
        )
        if self.teller.role is Role.AGENT:
            # “Surgery added for Thursday”: only people bring up people.
            return person
        if person is not None:
            return self.conversation.spoke_of(person)
        pronoun = find_leading_pronoun(core, chinese=chinese)
        if pronoun is not None and pronoun.casefold() not in _OF_PEOPLE:
            if other := find_mentioned_person(core, chinese=chinese):
                self.conversation.spoke_of(other)
            return None
        if pronoun is not None and (meant := self.conversation.meant_by(pronoun)) is not None:
            return meant
        if pronoun is not None and pronoun.casefold() not in _THEIRS:
            return None
        if other := find_mentioned_person(core, chinese=chinese):
            self.conversation.spoke_of(other)
        return None


def _plain(text: str, *, chinese: bool) -> str:
    if chinese:
        return simplify_characters(text)
    return restore_apostrophes(text.replace("’", "'"))
