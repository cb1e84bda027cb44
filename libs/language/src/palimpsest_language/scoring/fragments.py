"""Fragments: a parsed message, cut into parts that may each say a thing of their own.

“48岁，重庆人，在汽配厂当主管” is one statement to the rules, and three things to a reader.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palimpsest_language.clauses.brackets import drop_places_inside_brackets
from palimpsest_language.clauses.chinese import is_visual_gap
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.statements.clause_judgement import ClauseJudgement, ClauseWorth
from palimpsest_language.statements.conversation_state import MessageSpeaker
from palimpsest_language.statements.message_reader import MessageUnderstanding, StatementProposal
from palimpsest_language.statements.questions_and_requests import is_request

_CHINESE = re.compile(
    r"[，,；;…—]+\s*|(?<=[\u4e00-\u9fff）)])\s+(?=\S)|(?<=[A-Za-z0-9%])\s+(?=[\u4e00-\u9fff])|[:：]\s*(?!\d)"
)
_ENGLISH = re.compile(
    r"\s*[,;]\s+|\s+[-–—]+\s+|\s+(?:and|but|so|cos|cause|because|plus|then)\s+(?=\S+\s+\S)|:\s+|\s*[()]\s*",
    re.IGNORECASE,
)
_AROUND = " \t\n,，;；.。!！:：、…~～—–-()（）\"“”'‘’`*"
_LEAST_CHARACTERS = 2


@dataclass(frozen=True)
class Fragment:
    text: str
    """The words, verbatim."""
    judged: ClauseJudgement
    """The rules' judgement of its clause."""
    place: int
    """The number of the fragment in its message."""
    of_clause: int
    """The number of fragments of its clause; 1 if it is the whole clause."""
    in_clause: int
    before: str
    after: str
    """The next fragment; empty at the end of the message, as `before` is at its beginning."""
    stated: StatementProposal | None = None
    """The statement of the rules that holds its clause."""
    is_open: bool = True
    """True if nothing in its sentence is asked, supposed, about others, a text to work on, or a
    secret.
    """


@dataclass(frozen=True)
class ParsedMessage:
    """A message with the rules' understanding of it."""

    message: DialogueMessage
    written: str
    """The words as written, before a subject was carried over."""
    teller: MessageSpeaker
    pieces: tuple[Fragment, ...]
    clauses: int
    before: DialogueMessage | None
    """The message before it."""


def parse_message(
    message: DialogueMessage,
    written: str,
    teller: MessageSpeaker,
    understood: MessageUnderstanding,
    before: DialogueMessage | None,
) -> ParsedMessage:
    cut = [(judgement, part) for judgement in understood.judged for part in _parts(judgement)]
    words = [text for _, (text, _, _) in cut]
    stated = _statements(understood.stated)
    closed = {judgement.clause.sentence for judgement in understood.judged if _is_closed(judgement)}
    pieces = tuple(
        Fragment(
            text=text,
            judged=judged,
            place=place,
            of_clause=of_clause,
            in_clause=in_clause,
            before=words[place - 1] if place else "",
            after=words[place + 1] if place + 1 < len(words) else "",
            stated=stated.get(id(judged)),
            is_open=judged.clause.sentence not in closed and not judged.aside,
        )
        for place, (judged, (text, in_clause, of_clause)) in enumerate(cut)
    )
    return ParsedMessage(message, written, teller, pieces, len(understood.judged), before)


def _is_closed(judged: ClauseJudgement) -> bool:
    if judged.withheld or judged.supposed or judged.clause.asks:
        return True
    # A request for now, which leaves nothing to keep.
    asked_for = is_request(judged.core, chinese=judged.chinese)
    return asked_for and judged.worth is ClauseWorth.NOTHING


def _statements(stated: Sequence[StatementProposal]) -> dict[int, StatementProposal]:
    return {
        id(part): statement_proposal
        for statement_proposal in stated
        if statement_proposal.is_main
        for part in statement_proposal.statement.parts
    }


def _parts(judged: ClauseJudgement) -> Iterator[tuple[str, int, int]]:
    """Yield the text of each part, its number in the clause, and the number of parts."""
    text = judged.clause.text
    cut = _cut_between_brackets(text) if judged.chinese else _ENGLISH.split(text)
    pieces = [each.strip(_AROUND) for each in cut]
    long_enough = [piece for piece in pieces if len(piece) >= _LEAST_CHARACTERS]
    for place, text in enumerate(long_enough):
        yield text, place, len(long_enough)


def _cut_between_brackets(text: str) -> Iterator[str]:
    """Split behind brackets, which belong to the words before: 豆包（我家的狗，三岁）咬断了线."""
    cuts = (match for match in _CHINESE.finditer(text) if not is_visual_gap(text, match))
    marks = {cut.start(): cut.end() for cut in cuts}
    begins = 0
    for place in drop_places_inside_brackets(text, marks):
        yield text[begins:place]
        begins = marks[place]
    yield text[begins:]
