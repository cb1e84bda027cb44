"""Whatever may be proposed of a window: what the rules propose, and the pieces of what was said."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from palimpsest.domain.evolution.endings import says_it_ended
from palimpsest.domain.kinds import Kind
from palimpsest.domain.time_expressions.expression import TimeExpression
from palimpsest.domain.turn import Role
from palimpsest.domain.writing import joined_with
from palimpsest.providers.extraction.proposals_found import Citation, Proposal
from palimpsest.providers.extraction.rules.statements.hurried import in_full
from palimpsest.providers.extraction.rules.statements.people import (
    Person,
    begins_with_pronoun,
    may_be,
)
from palimpsest.providers.extraction.rules.statements.stating import is_about_speaker
from palimpsest.providers.extraction.rules.statements.telling import (
    told_in_chinese,
    told_in_english,
)
from palimpsest.providers.extraction.rules.statements.wording import named
from palimpsest.providers.extraction.rules.text import polished
from palimpsest.providers.extraction.rules.weighing.pieces import Heard, Piece
from palimpsest.providers.extraction.times import SaidWhen, times_in
from palimpsest.providers.extraction.timing import timing
from palimpsest.providers.extraction.todos import tells_a_deed

KINDS_WEIGHED = (
    Kind.PREFERENCE,
    Kind.FACT,
    Kind.PERSON,
    Kind.GOAL,
    Kind.EVENT,
    Kind.DECISION,
    Kind.CONCLUSION,
    Kind.ACTION_ITEM,
    Kind.LESSON,
    Kind.FEEDBACK,
    Kind.CONTEXT,
)
"""In the order of the columns of the weights."""

OF_AGENTS = frozenset({Kind.DECISION, Kind.CONCLUSION, Kind.ACTION_ITEM, Kind.LESSON})
_OF_NOBODY = frozenset({*OF_AGENTS, Kind.FEEDBACK})
_NAMES_OWN = re.compile(r"我(?:爸|妈|哥|姐|弟|妹|家|老|爷|奶|媽)|\b(?:my|our)\b", re.IGNORECASE)
"""Of somebody or something of the speaker's, and perhaps not of the speaker."""
_DATED = frozenset({Kind.EVENT, Kind.GOAL, Kind.DECISION, Kind.ACTION_ITEM})
_AT_ITS_TIME = frozenset({Kind.ACTION_ITEM, Kind.EVENT})
"""A piece that names no time has that of its clause."""

_LITTLE = 3
"""Characters: marks, and a word like 对."""

_FEW_WORDS = 3
"""“Quit nursing”, “gave up sugar”: there is nothing else in them."""

SURE = 0.9
"""From this confidence on a rule has taken the words apart."""
CONFIDENCE = 0.6


class Way(StrEnum):
    """How it came to be possible."""

    ATTRIBUTED = "attr"
    STATED = "stmt"
    RULED = "rule"
    PART = "frag"
    """A piece of what something rests on already."""
    CLAUSE = "neww"
    """A whole clause of several pieces, on which nothing rests."""
    LEFT = "new"


@dataclass(frozen=True)
class Possible:
    text: str
    """The words it rests on."""
    way: Way
    heard: Heard | None
    pieces: tuple[Piece, ...]
    """Those it rests on; none where its words were not heard in this window."""
    proposal: Proposal | None = None
    """Of the rules."""

    @property
    def by_rules(self) -> bool:
        return self.proposal is not None

    @property
    def may_change_kind(self) -> bool:
        return self.way is Way.STATED and bool(self.pieces)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What it may be; in the order of the columns."""
        if self.proposal is not None and not self.may_change_kind:
            return (self.proposal.kind,)
        if self.proposal is not None and self.proposal.kind is Kind.EVENT and self.proposal.time:
            # What happens at a time would lose it as something that holds.
            return tuple(
                kind
                for kind in KINDS_WEIGHED
                if kind in _DATED and not (kind is Kind.ACTION_ITEM and tells_a_deed(self.text))
            )
        if self.heard is not None and self.heard.teller.role is Role.AGENT:
            return tuple(kind for kind in KINDS_WEIGHED if kind in OF_AGENTS)
        if tells_a_deed(self.text):
            return tuple(kind for kind in KINDS_WEIGHED if kind is not Kind.ACTION_ITEM)
        return KINDS_WEIGHED


def possible(proposals: Sequence[Proposal], said: Sequence[Heard]) -> list[Possible]:
    """What the rules propose, in their order, then what else could be, in that of the messages."""
    ruled = [_of_rules(proposal, said) for proposal in proposals]
    return [*ruled, *(each for one in said for each in _of_pieces(one, proposals))]


def as_kind(one: Possible, kind: Kind, time_zone: str) -> Proposal:
    """What would be proposed, were it of this kind."""
    if one.proposal is None:
        return _told(one, kind, time_zone)
    if one.proposal.kind is kind or one.heard is None:
        return one.proposal
    subject = None if kind is Kind.ACTION_ITEM else one.proposal.subject
    changed = one.proposal.model_copy(update={"kind": kind, "subject": subject})
    if changed.time is None:
        return changed
    sentence, said_at = one.pieces[0].judged.clause.sentence, one.heard.message.occurred_at
    found = timing(kind, changed.attribute, changed.time, sentence=sentence, said_at=said_at)
    return changed.model_copy(update=vars(found))


def rests_on(proposal: Proposal, piece: Piece, message: int) -> bool:
    return any(each.message == message and piece.text in each.quote for each in proposal.evidence)


def _of_rules(proposal: Proposal, said: Sequence[Heard]) -> Possible:
    cited = proposal.evidence[0]
    one = next(
        (
            each
            for each in said
            if each.message.number == cited.message
            and any(piece.text in cited.quote for piece in each.pieces)
        ),
        None,
    )
    pieces = tuple(piece for piece in one.pieces if piece.text in cited.quote) if one else ()
    text = " ".join(dict.fromkeys(each.quote for each in proposal.evidence))
    sure = Way.RULED if proposal.confidence >= SURE else Way.STATED
    way = Way.ATTRIBUTED if proposal.attribute else sure
    return Possible(text, way, one, pieces, proposal)


def _of_pieces(one: Heard, proposals: Sequence[Proposal]) -> Iterator[Possible]:
    for piece in one.pieces:
        if not piece.is_open or piece.text not in one.written:
            continue
        resting = [each for each in proposals if rests_on(each, piece, one.message.number)]
        if piece.stated is not None and not resting:
            # It was stated, and given up further on.
            continue
        if any(_rests_on_little_else(each, piece, one.message.number) for each in resting):
            continue
        if any(_is_said_to_be_over(each, piece) for each in resting):
            continue
        yield Possible(piece.text, Way.PART if resting else Way.LEFT, one, (piece,))
        clause = piece.judged.clause.text
        begins = piece.stated is None and piece.of_clause > 1 and piece.in_clause == 0
        if begins and clause in one.written:
            whole = replace(piece, text=clause, of_clause=1)
            yield Possible(clause, Way.CLAUSE, one, (whole,))


def _rests_on_little_else(proposal: Proposal, piece: Piece, message: int) -> bool:
    quoted = sum(len(each.quote) for each in proposal.evidence if each.message == message)
    return quoted <= len(piece.text) + _LITTLE


def _is_said_to_be_over(proposal: Proposal, piece: Piece) -> bool:
    """Whether a rule has taken from the piece that a value no longer holds, which is all it says."""
    if not proposal.ended:
        return False
    few = len(piece.text.split()) <= _FEW_WORDS and not piece.judged.chinese
    return few or says_it_ended(piece.text, proposal.value or "")


def _told(one: Possible, kind: Kind, time_zone: str) -> Proposal:
    piece, said = one.pieces[0], one.heard
    if said is None:
        raise ValueError("a piece that nobody said")
    message, chinese = said.message, piece.judged.chinese
    telling = told_in_chinese if chinese else told_in_english
    who, listener = said.teller.words(chinese=chinese), said.teller.listener(chinese=chinese)
    # A part of what is told already is told as the rest of it was, or the two would be taken for one.
    said_so = piece.text if one.way is Way.PART else _in_full(piece)
    words = telling(said_so, who, listener)
    proposal = Proposal(
        kind=kind,
        content=polished(_whoever_is_meant(words, piece, said, chinese=chinese)),
        subject=_subject(piece, kind, said),
        confidence=CONFIDENCE,
        evidence=(Citation(message=message.number, quote=piece.text),),
    )
    times = times_in(piece.text, SaidWhen(message.occurred_at, time_zone))
    time = times[0] if times else _time_of_whole(piece, kind)
    if time is None:
        return proposal
    sentence = piece.judged.clause.sentence
    found = timing(kind, None, time, sentence=sentence, said_at=message.occurred_at)
    return proposal.model_copy(update=vars(found))


def with_pieces(proposal: Proposal, said: Heard | None, pieces: Sequence[Piece]) -> Proposal:
    """With more of what was said in its sentence."""
    if said is None or not pieces:
        return proposal
    chinese = pieces[0].judged.chinese
    telling = told_in_chinese if chinese else told_in_english
    who, listener = said.teller.words(chinese=chinese), said.teller.listener(chinese=chinese)
    content = proposal.content
    for piece in pieces:
        content = joined_with(",", content, _uncapitalised(telling(_in_full(piece), who, listener)))
    cited = (Citation(message=said.message.number, quote=piece.text) for piece in pieces)
    return proposal.model_copy(
        update={
            "content": content,
            "evidence": (*proposal.evidence, *cited),
        }
    )


def _in_full(piece: Piece) -> str:
    return piece.text if piece.judged.chinese else in_full(piece.text)


def _uncapitalised(words: str) -> str:
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def _whoever_is_meant(words: str, piece: Piece, said: Heard, *, chinese: bool) -> str:
    """“她叫淑芬”, of the user's wife, is understood by nobody who has not read what was before it."""
    pronoun = begins_with_pronoun(piece.text, chinese=chinese)
    person = piece.judged.person or _person_stated(piece)
    if pronoun is None or person is None or not may_be(person, pronoun):
        return words
    return named(words, pronoun, person, said.teller, chinese=chinese)


def _time_of_whole(piece: Piece, kind: Kind) -> TimeExpression | None:
    """Of a piece that names none: that of its clause, or of the statement which that is a part of."""
    if kind in _AT_ITS_TIME and piece.judged.time is not None:
        return piece.judged.time
    return piece.stated.proposal.time if piece.stated and kind in _DATED else None


def _subject(piece: Piece, kind: Kind, said: Heard) -> str | None:
    """Whoever its statement is about; nobody in particular where the words do not say so."""
    if said.teller.role is not Role.USER or kind in _OF_NOBODY:
        return None
    if is_about_speaker(piece.text):
        return None if _NAMES_OWN.search(piece.text) else said.teller.subject
    person = piece.judged.person or _person_stated(piece)
    return person.subject if person else None


def _person_stated(piece: Piece) -> Person | None:
    if piece.stated is None:
        return None
    return next((part.person for part in piece.stated.statement.parts if part.person), None)
