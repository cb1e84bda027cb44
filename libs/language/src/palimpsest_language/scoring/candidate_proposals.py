"""Everything that may be proposed of a window: proposals of the rules, and other fragments."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from palimpsest.model.bilingual_text import join_with_punctuation
from palimpsest.model.kinds import Kind, select_kinds
from palimpsest.model.turn import Role
from palimpsest_language.completion_claims import is_deed_report
from palimpsest_language.plans.plan_moves import find_new_times
from palimpsest_language.proposal_times.validity import derive_timing
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.scoring.fragments import Fragment, ParsedMessage
from palimpsest_language.statements.informal_english import restore_apostrophes
from palimpsest_language.statements.people import (
    MentionedPerson,
    find_leading_pronoun,
    find_subject_person,
    matches_pronoun,
)
from palimpsest_language.statements.statement_wording import replace_pronoun
from palimpsest_language.statements.third_person import retell_in_chinese, retell_in_english
from palimpsest_language.statements.uncued_statements import is_about_speaker
from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_language.wording.end_phrases import has_ended_value
from palimpsest_language.wording.statement_text import format_statement

SCORED_KINDS = select_kinds(lambda kind: kind.has_weights)
"""Kinds in the order of the columns of the weights."""
_DONE = tuple(kind for kind in SCORED_KINDS if kind is not Kind.ACTION_ITEM)
"""The kinds of what has been done."""
_PLANNABLE = tuple(kind for kind in SCORED_KINDS if kind.times.is_plannable)
_PLANNABLE_DONE = tuple(kind for kind in _DONE if kind.times.is_plannable)
_SAID_BY_AGENTS = tuple(kind for kind in SCORED_KINDS if kind.properties.is_said_by_agents)

_NAMES_OWN = re.compile(r"我(?:爸|妈|哥|姐|弟|妹|家|老|爷|奶|媽)|\b(?:my|our)\b", re.IGNORECASE)
"""Words for somebody or something of the speaker's, which may be the subject instead."""

_LITTLE = 3
"""The most characters of mere marks, or of a word like 对."""

_FEW_WORDS = 3
"""The most words of a fragment that says nothing else: “quit nursing”, “gave up sugar”."""

_GOES_ON = re.compile(
    r"(?:每|要|会|不|没|去(?!年)|在|有|怕|爱|喜欢|讨厌|叫|是|很|还|也|都|只|能|得|住|吃|喝|做|想|经常|平时|一直"
    r"|已经|刚|正在|属|养|从|对|特别|最|总是|偶尔|今年|明年|去年|下周|上周)"
)
"""A beginning with a predicate, and not with another subject."""

_LISTS = re.compile(
    r"列(?:一下|一?[个张])?(?:清单|待办)|\b(?:on|onto|to) (?:my|the) (?:[\w-]+ )?list\b",
    re.IGNORECASE,
)
"""A list that somebody asks to be kept."""

SURE_CONFIDENCE = 0.9
"""The confidence from which on a rule has parsed the words."""
CONFIDENCE = 0.6


class Origin(StrEnum):
    """The way in which a candidate was found."""

    ATTRIBUTED = "attr"
    STATED = "stmt"
    RULED = "rule"
    PART = "frag"
    """A part of a fragment that is proposed already."""
    CLAUSE = "neww"
    """A whole clause of several fragments, none of which is proposed."""
    LEFT = "new"


@dataclass(frozen=True)
class CandidateProposal:
    text: str
    """The words of its evidence."""
    origin: Origin
    parsed: ParsedMessage | None
    pieces: tuple[Fragment, ...]
    """The fragments of its evidence; none if its words are not in this window."""
    proposal: Proposal | None = None
    """The proposal of the rules; None without one."""

    @property
    def by_rules(self) -> bool:
        return self.proposal is not None

    @property
    def may_change_kind(self) -> bool:
        return self.origin is Origin.STATED and bool(self.pieces) and not self.is_asked_for

    @property
    def is_asked_for(self) -> bool:
        """True for what somebody asks to put on their list: it is a task, whatever its words."""
        is_task = self.proposal is not None and self.proposal.kind is Kind.ACTION_ITEM
        return is_task and _LISTS.search(self.text) is not None

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds that the candidate may have, in the order of the columns."""
        if self.proposal is not None and not self.may_change_kind:
            return (self.proposal.kind,)
        if self.proposal is not None and self.proposal.kind is Kind.EVENT and self.proposal.time:
            # An event would lose its time if it became a state.
            return _PLANNABLE_DONE if is_deed_report(self.text) else _PLANNABLE
        if self.parsed is not None and self.parsed.teller.role is Role.AGENT:
            return _SAID_BY_AGENTS
        return _DONE if is_deed_report(self.text) else SCORED_KINDS


def list_candidate_proposals(
    proposals: Sequence[Proposal], said: Sequence[ParsedMessage]
) -> list[CandidateProposal]:
    """Return the proposals of the rules, in their order, then other candidates of the messages."""
    ruled = [_of_rules(proposal, said) for proposal in proposals]
    return [
        *ruled,
        *(piece for parsed_message in said for piece in _of_pieces(parsed_message, proposals)),
    ]


def build_as_kind(proposal: CandidateProposal, kind: Kind, time_zone: str) -> Proposal:
    """Build the proposal that the candidate is with this kind."""
    if proposal.proposal is None:
        return _told(proposal, kind, time_zone)
    if proposal.proposal.kind is kind or proposal.parsed is None:
        return proposal.proposal
    subject = None if kind is Kind.ACTION_ITEM else proposal.proposal.subject
    changed = proposal.proposal.model_copy(update={"kind": kind, "subject": subject})
    if changed.time is None:
        return changed
    sentence, said_at = (
        proposal.pieces[0].judged.clause.sentence,
        proposal.parsed.message.occurred_at,
    )
    found = derive_timing(kind, changed.attribute, changed.time, sentence=sentence, said_at=said_at)
    return changed.model_copy(update=vars(found))


def rests_on_fragment(proposal: Proposal, piece: Fragment, message: int) -> bool:
    return any(
        quote.message == message and piece.text in quote.quote for quote in proposal.evidence
    )


def _of_rules(proposal: Proposal, said: Sequence[ParsedMessage]) -> CandidateProposal:
    cited = proposal.evidence[0]
    message = next(
        (
            parsed_message
            for parsed_message in said
            if parsed_message.message.number == cited.message
            and any(piece.text in cited.quote for piece in parsed_message.pieces)
        ),
        None,
    )
    pieces = (
        tuple(piece for piece in message.pieces if piece.text in cited.quote) if message else ()
    )
    text = " ".join(dict.fromkeys(quote.quote for quote in proposal.evidence))
    sure = Origin.RULED if proposal.confidence >= SURE_CONFIDENCE else Origin.STATED
    origin = Origin.ATTRIBUTED if proposal.attribute else sure
    return CandidateProposal(text, origin, message, pieces, proposal)


def _of_pieces(
    message: ParsedMessage, proposals: Sequence[Proposal]
) -> Iterator[CandidateProposal]:
    for piece in message.pieces:
        if not piece.is_open or piece.text not in message.written:
            continue
        resting = [
            proposal
            for proposal in proposals
            if rests_on_fragment(proposal, piece, message.message.number)
        ]
        if piece.stated is not None and not resting:
            # Stated, and abandoned later in the message.
            continue
        if any(
            _rests_on_little_else(proposal, piece, message.message.number) for proposal in resting
        ):
            continue
        if any(_is_said_to_be_over(proposal, piece) for proposal in resting):
            continue
        yield CandidateProposal(
            piece.text, Origin.PART if resting else Origin.LEFT, message, (piece,)
        )
        clause = piece.judged.clause.text
        begins = piece.stated is None and piece.of_clause > 1 and piece.in_clause == 0
        if begins and clause in message.written:
            whole = replace(piece, text=clause, of_clause=1)
            yield CandidateProposal(clause, Origin.CLAUSE, message, (whole,))


def _rests_on_little_else(proposal: Proposal, piece: Fragment, message: int) -> bool:
    quoted = sum(len(quote.quote) for quote in proposal.evidence if quote.message == message)
    return quoted <= len(piece.text) + _LITTLE


def _is_said_to_be_over(proposal: Proposal, piece: Fragment) -> bool:
    """Tell whether the fragment only says that a value ended, which a rule has stated."""
    if not proposal.ended:
        return False
    few = len(piece.text.split()) <= _FEW_WORDS and not piece.judged.chinese
    return few or has_ended_value(piece.text, proposal.value or "")


def _told(candidate_proposal: CandidateProposal, kind: Kind, time_zone: str) -> Proposal:
    piece, said = candidate_proposal.pieces[0], candidate_proposal.parsed
    if said is None:
        raise ValueError("a piece that nobody said")
    message, chinese = said.message, piece.judged.chinese
    telling = retell_in_chinese if chinese else retell_in_english
    who, listener = said.teller.words(chinese=chinese), said.teller.listener(chinese=chinese)
    # A part of a proposal is told like the rest of it, and the two must stay two.
    said_so = piece.text if candidate_proposal.origin is Origin.PART else _in_full(piece)
    words = telling(said_so, who, listener)
    proposal = Proposal(
        kind=kind,
        content=format_statement(_whoever_is_meant(words, piece, said, chinese=chinese)),
        subject=_subject(piece, kind, said),
        confidence=CONFIDENCE,
        evidence=(MessageQuote(message=message.number, quote=piece.text),),
    )
    uttered = UtteranceTime(message.occurred_at, time_zone)
    # "The garage is full on Monday, moved it to the 22nd" is of the 22nd.
    times = find_new_times(piece.text, uttered) or find_sentence_times(piece.text, uttered)
    time = times[0] if times else _time_of_whole(piece, kind)
    if time is None:
        return proposal
    sentence = piece.judged.clause.sentence
    found = derive_timing(kind, None, time, sentence=sentence, said_at=message.occurred_at)
    return proposal.model_copy(update=vars(found))


def add_fragments(
    proposal: Proposal, said: ParsedMessage | None, pieces: Sequence[Fragment]
) -> Proposal:
    """Return the proposal with further fragments of its sentence."""
    if said is None or not pieces:
        return proposal
    chinese = pieces[0].judged.chinese
    telling = retell_in_chinese if chinese else retell_in_english
    who, listener = said.teller.words(chinese=chinese), said.teller.listener(chinese=chinese)
    content = proposal.content
    for piece in pieces:
        content = join_with_punctuation(
            ",", content, _uncapitalised(telling(_in_full(piece), who, listener))
        )
    cited = (MessageQuote(message=said.message.number, quote=piece.text) for piece in pieces)
    return proposal.model_copy(
        update={
            "content": content,
            "evidence": (*proposal.evidence, *cited),
        }
    )


def _in_full(piece: Fragment) -> str:
    return piece.text if piece.judged.chinese else restore_apostrophes(piece.text)


def _uncapitalised(words: str) -> str:
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def _whoever_is_meant(words: str, piece: Fragment, said: ParsedMessage, *, chinese: bool) -> str:
    """Name the person that a pronoun means: “她叫淑芬” says nothing by itself.

    每个月要去做一次理疗, about the user's mother, names nobody, and would be about the user.
    """
    pronoun = find_leading_pronoun(piece.text, chinese=chinese)
    person = piece.judged.person or _person_stated(piece)
    if chinese and person is not None and _leaves_out(person, piece.text):
        whose = f"{said.teller.words(chinese=True)}的{person.title}" if person.title else ""
        return f"{whose}{person.name or ''}{words}"
    if pronoun is None or person is None or not matches_pronoun(person, pronoun):
        return words
    return replace_pronoun(words, pronoun, person, said.teller, chinese=chinese)


def _leaves_out(person: MentionedPerson, text: str) -> bool:
    """Tell whether Chinese words continue about a person without naming them."""
    if is_about_speaker(text) or _GOES_ON.match(text) is None:
        return False
    if find_subject_person(text, chinese=True) is not None:
        return False
    return not any(word and word in text for word in (person.title, person.name))


def _time_of_whole(piece: Fragment, kind: Kind) -> TimeExpression | None:
    """Return the time for a fragment without one: of its clause, or of the whole statement."""
    if kind.times.is_at_a_time and piece.judged.time is not None:
        return piece.judged.time
    return piece.stated.proposal.time if piece.stated and kind.times.is_plannable else None


def _subject(piece: Fragment, kind: Kind, said: ParsedMessage) -> str | None:
    """Return the subject of a fragment's statement; None if the words do not show it."""
    if said.teller.role is not Role.USER or not kind.properties.is_about_somebody:
        return None
    chinese = piece.judged.chinese
    if chinese and (named := find_subject_person(piece.text, chinese=True)) is not None:
        return named.subject
    if is_about_speaker(piece.text):
        return None if _NAMES_OWN.search(piece.text) else said.teller.subject
    person = piece.judged.person or _person_stated(piece)
    return person.subject if person else None


def _person_stated(piece: Fragment) -> MentionedPerson | None:
    if piece.stated is None:
        return None
    return next((part.person for part in piece.stated.statement.parts if part.person), None)
