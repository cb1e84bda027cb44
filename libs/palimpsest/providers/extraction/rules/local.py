"""The provider that needs no model: rules over the clauses of a window, in Chinese and English."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from palimpsest.domain.addressing import without_addresses
from palimpsest.domain.turn import Role
from palimpsest.providers.extraction.dialogue import ExtractionRequest, Message
from palimpsest.providers.extraction.mentioning import with_mentions
from palimpsest.providers.extraction.proposals_found import ExtractionAnswer, Finished, Proposal
from palimpsest.providers.extraction.rules import NAME
from palimpsest.providers.extraction.rules.adding import add_told, read_by_rules
from palimpsest.providers.extraction.rules.carrying import carried, in_own_words
from palimpsest.providers.extraction.rules.chinese.taking import Taking
from palimpsest.providers.extraction.rules.correcting import set_right
from palimpsest.providers.extraction.rules.recounting import recounted
from palimpsest.providers.extraction.rules.retiming import retimed
from palimpsest.providers.extraction.rules.revising import ONE_EXCHANGE
from palimpsest.providers.extraction.rules.righting import rightly_named, rightly_timed
from palimpsest.providers.extraction.rules.sentences import sentences
from palimpsest.providers.extraction.rules.spent import without_spent
from palimpsest.providers.extraction.rules.statements.conversation import Conversation, Teller
from palimpsest.providers.extraction.rules.statements.reading import Reading as MessageReading
from palimpsest.providers.extraction.rules.statements.reading import Understood
from palimpsest.providers.extraction.rules.weighing.pieces import Heard, heard
from palimpsest.providers.extraction.rules.weighing.weighing import weighed
from palimpsest.providers.extraction.rules.weighing.weights import Weights, learnt
from palimpsest.providers.extraction.times import SaidWhen
from palimpsest.providers.extraction.todos import all_finished

CHARACTERS_AT_ONCE = 1_000
"""Read before the event loop may do something else: about 10 ms."""

_SENTENCE_END = re.compile(r"[。！？!?\n]+|\.(?=\s)")


@dataclass
class Ruled:
    """What the rules make of a window, before it is weighed."""

    proposals: list[Proposal] = field(default_factory=list)
    finished: list[Finished] = field(default_factory=list)
    before: list[Proposal] = field(default_factory=list)
    """Told right before the fresh messages, in an earlier window."""
    said: list[Heard] = field(default_factory=list)
    """The fresh messages, long ones in parts."""


class LocalRules:
    """Statements in their own words, and where a rule fits with subject, attribute and value.

    What they propose, and what they leave, is weighed by what was learnt from dialogues.
    """

    name = NAME

    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights or learnt()

    async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
        ruled = await ruled_of(request)
        proposals = await weighed(
            ruled.proposals, ruled.said, self._weights, time_zone=request.time_zone
        )
        # What is added of the words themselves has the names and times that were told wrong.
        proposals = rightly_timed(
            rightly_named(proposals, request, ruled.before), request, ruled.before
        )
        told = without_spent(_once(proposals))
        return ExtractionAnswer(
            proposals=await with_mentions(told, request), finished=tuple(ruled.finished)
        )


async def ruled_of(request: ExtractionRequest) -> Ruled:
    """By the rules alone."""
    people = request.people
    agents_speak = any(message.role is Role.AGENT for message in request.messages)
    called = {name: name for name in request.agents}
    conversation = Conversation(
        names={*request.participants, *people}, team=len(request.participants) > 1
    )
    ruled = Ruled()
    first = next((each.number for each in request.messages if each.fresh), 0)
    taking = Taking(conversation)
    said: list[Message] = []
    for message in request.messages:
        if message.role is Role.TOOL:
            continue
        name = message.speaker if message.speaker in people else None
        others = people - {name} if name and not agents_speak else frozenset()
        teller = Teller(message.role, name, others)
        written = _said_itself(message, called)
        for piece in _pieces(written):
            told = _told_apart(piece, request.time_zone)
            understood = _understood(told, teller, conversation, request.time_zone)
            # What moves a plan may stand behind a window's end.
            is_before = message.role is Role.USER and first - ONE_EXCHANGE <= message.number < first
            reads = message.fresh or is_before
            found = read_by_rules(told, name, request.time_zone) if reads else []
            found = list(taking.told(found, told.text, said, teller))
            if message.fresh:
                beside = said[-1] if said else None
                ruled.said.append(heard(message, written.text, teller, understood, beside))
                add_told(
                    ruled.proposals,
                    understood,
                    found,
                    told,
                    name,
                    request.time_zone,
                    before=ruled.before,
                )
                ruled.finished += _finished(piece)
            elif is_before:
                add_told(ruled.before, understood, found, told, name, request.time_zone)
            if told.text != piece.text:
                ruled.proposals = [
                    in_own_words(each, written.text, message=message.number)
                    for each in ruled.proposals
                ]
            await asyncio.sleep(0)
        if message.fresh and message.role is Role.USER:
            ruled.proposals = retimed(
                ruled.proposals, message, said, before=ruled.before, time_zone=request.time_zone
            )
        said.append(message)
    named = rightly_named(ruled.proposals, request, ruled.before)
    await asyncio.sleep(0)
    right = set_right(named, request.messages)
    await asyncio.sleep(0)
    ruled.proposals = _once(recounted(right, request.messages, before=ruled.before))
    return ruled


def _said_itself(message: Message, agents: Mapping[str, str]) -> Message:
    """Whoever is spoken to is no part of what is said to them."""
    return message.model_copy(update={"text": without_addresses(message.text, agents)})


def _pieces(message: Message) -> Iterator[Message]:
    """Of a long message some sentences at a time; nearly all are one piece."""
    text, start = message.text, 0
    while len(text) - start > CHARACTERS_AT_ONCE:
        ends = _SENTENCE_END.search(text, start + CHARACTERS_AT_ONCE)
        end = ends.end() if ends else len(text)
        yield message.model_copy(update={"text": text[start:end]})
        start = end
    yield message if start == 0 else message.model_copy(update={"text": text[start:]})


def _told_apart(message: Message, time_zone: str) -> Message:
    """With each statement of a person's on its own; context is only understood."""
    if message.role is not Role.USER or not message.fresh:
        return message
    told = carried(message.text, SaidWhen(message.occurred_at, time_zone))
    return message.model_copy(update={"text": told})


def _understood(
    message: Message, teller: Teller, conversation: Conversation, time_zone: str
) -> Understood:
    """Of context messages too: what is said later may go on from them."""
    return MessageReading(message, teller, conversation, time_zone).understood()


def _finished(message: Message) -> Iterable[Finished]:
    if message.role is Role.USER:
        for sentence in sentences(message.text):
            yield from all_finished(sentence, message=message.number)


def _once(proposals: Sequence[Proposal]) -> list[Proposal]:
    """What was said several times is proposed once, with all its evidence, where it was last said.

    Between two mentions something else may have been said of the same attribute,
    and the last word counts.
    """
    merged: dict[tuple[str, str | None, str], Proposal] = {}
    for proposal in proposals:
        key = (proposal.kind, proposal.subject, proposal.content.casefold())
        if earlier := merged.pop(key, None):
            evidence = tuple(dict.fromkeys((*earlier.evidence, *proposal.evidence)))
            # A piece of what a rule took apart may come to the same words, without attribute and value.
            said = proposal if proposal.attribute or not earlier.attribute else earlier
            proposal = said.model_copy(update={"evidence": evidence})  # noqa: PLW2901
        merged[key] = proposal
    return list(merged.values())
