"""The provider without a model: rules over the clauses of a window, in Chinese and English."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.agent_addresses import strip_agent_addresses
from palimpsest_language.attributes.place_values import drop_impossible_place
from palimpsest_language.audiences import strip_audience
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.completion_claims import (
    drop_repeated_claims,
    find_completion_claims,
    is_called_off,
)
from palimpsest_language.corrections.denied_values import apply_denied_value
from palimpsest_language.corrections.pipeline import (
    CorrectionPipeline,
    drop_consumed_corrections,
)
from palimpsest_language.corrections.slips import strip_slips
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.disowned.message_denials import leave_jest_out
from palimpsest_language.facts.chinese.medicine_subjects import MedicineSubjects
from palimpsest_language.local_extraction import LOCAL_PROVIDER_NAME
from palimpsest_language.local_extraction.compound_sentences import (
    restore_quotes,
    split_into_statements,
)
from palimpsest_language.local_extraction.disowned_statements import disown_statements
from palimpsest_language.local_extraction.message_proposals import (
    add_message_proposals,
    find_message_facts,
)
from palimpsest_language.local_extraction.pasted_talks import cite_message, list_pasted_talks
from palimpsest_language.local_extraction.proposal_labels import label_proposal
from palimpsest_language.local_extraction.reading_limit import ReadingLimit
from palimpsest_language.local_extraction.relatives_work import label_relatives_work
from palimpsest_language.local_extraction.reported_speech import (
    attribute_to_speaker,
    build_talk,
    find_reported_speech,
    rests_on,
)
from palimpsest_language.local_extraction.write_out_message import write_out
from palimpsest_language.message_spans.mark_spans import Spans, mark_spans
from palimpsest_language.message_spans.own_messages import reduce_to_own_words
from palimpsest_language.plans.chinese import find_moved_occasion
from palimpsest_language.plans.listed_tasks import split_listed_tasks
from palimpsest_language.plans.numbered_tasks import find_numbered_claim, names_task_by_place
from palimpsest_language.plans.plan_moves import EXCHANGE_MESSAGES
from palimpsest_language.proposal_times.mentioned_times import add_mentioned_times
from palimpsest_language.proposal_times.momentary import expire_momentary
from palimpsest_language.proposals import CompletionClaim, ExtractionAnswer, Proposal
from palimpsest_language.repeated_proposals import merge_repeated_proposals
from palimpsest_language.rule_tables import is_enabled, note_match
from palimpsest_language.scoring.fragments import ParsedMessage, parse_message
from palimpsest_language.scoring.scorer import score_proposals
from palimpsest_language.scoring.weights import StatementWeights, load_shipped_weights
from palimpsest_language.statements.conversation_state import ConversationState, MessageSpeaker
from palimpsest_language.statements.informal_english import quote_as_typed, restore_in_messages
from palimpsest_language.statements.message_reader import MessageReader as MessageReading
from palimpsest_language.statements.message_reader import MessageUnderstanding
from palimpsest_language.statements.opening_words import (
    strip_requests_to_remember,
    strip_words_to_agent,
)
from palimpsest_language.statements.passing_parts import leave_passing_out
from palimpsest_language.statements.referents import is_undecided, is_worth_keeping
from palimpsest_language.statements.sarcasm import drop_sarcastic_praise
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from palimpsest_language.value_changes.retold_values import apply_retold_value
from palimpsest_language.value_changes.stated_values import note_stated_values

CHARACTERS_PER_STEP = 1_000
"""Characters read before the event loop gets a turn: about 10 ms."""

_COMPOUND_SENTENCES = "local_extraction.compound_sentences"
_SCORING = "scoring"
_SENTENCE_END = re.compile(r"[。！？!?\n]+|\.(?=\s)")


@dataclass
class RuleFindings:
    """The findings of the rules in a window, before scoring."""

    corrections: CorrectionPipeline
    """Corrections by the messages of what was told before them."""
    marked: Sequence[Spans]
    """The spans of each message."""
    own_words: Sequence[DialogueMessage]
    """The messages with their senders' own words alone."""
    proposals: list[Proposal] = field(default_factory=list)
    finished: list[CompletionClaim] = field(default_factory=list)
    before: list[Proposal] = field(default_factory=list)
    """Proposals from an earlier window, right before the fresh messages."""
    said: list[ParsedMessage] = field(default_factory=list)
    """The fresh messages, long ones in parts."""
    unread_characters: int = 0
    """Characters left unread when a message's time was over."""


class LocalExtractor:
    """Extracts statements in the speaker's words, with subject and attribute if a rule matches.

    Weights learnt from dialogues score the proposals, and the words that the rules leave.
    """

    name = LOCAL_PROVIDER_NAME

    def __init__(self, weights: StatementWeights | None = None) -> None:
        self._weights = weights or load_shipped_weights()

    async def extract(
        self, request: ExtractionRequest, limit: ReadingLimit | None = None
    ) -> ExtractionAnswer:
        """Extract from a window, except for text beyond the limit of a message."""
        typed = {message.number: message.text for message in request.messages}
        restored = restore_in_messages(request.messages)
        answer = await self._extract(request.model_copy(update={"messages": restored}), limit)
        return quote_as_typed(answer, typed)

    async def _extract(
        self, request: ExtractionRequest, limit: ReadingLimit | None
    ) -> ExtractionAnswer:
        ruled = await apply_rules(request, limit)
        proposals = ruled.proposals
        if is_enabled(_SCORING):
            note_match(_SCORING)
            proposals = await score_proposals(
                ruled.proposals, ruled.said, self._weights, time_zone=request.time_zone
            )
        # Proposals that the scorer adds may hold names and times that were corrected.
        told = drop_consumed_corrections(
            merge_repeated_proposals(ruled.corrections.correct_added(proposals))
        )
        told = await disown_statements(told, request, ruled.own_words, _propose_by_rules)
        told = split_listed_tasks(told, request.messages, request.time_zone)
        told = [*told, *await _read_pasted_talks(request, ruled.marked)]
        told = await _read_reported_speech(told, request)
        told = [
            drop_impossible_place(apply_denied_value(apply_retold_value(_without_slip(proposal))))
            for proposal in told
        ]
        told = [
            _leave_undecided(proposal)
            for proposal in told
            if is_worth_keeping(proposal.content) and not _only_calls_off(proposal)
        ]
        own = {
            message.number: message.text
            for message in request.messages
            if message.role is Role.USER
        }
        told = drop_sarcastic_praise(told, own)
        whole = _without_second_halves(told)
        timed = expire_momentary(await add_mentioned_times(whole, request), request)
        return ExtractionAnswer(
            proposals=tuple(
                label_proposal(label_relatives_work(_tell_since(proposal)))
                for proposal in note_stated_values(timed)
            ),
            finished=tuple(ruled.finished),
            unread_characters=ruled.unread_characters,
        )


def _without_second_halves(told: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals without those of nobody that only end another: "…and a tortoise"."""
    contents = [proposal.content.casefold() for proposal in told]
    return [
        proposal
        for proposal, content in zip(told, contents, strict=True)
        if proposal.subject is not None
        or proposal.attribute is not None
        or not any(other.endswith(f" and {content}") for other in contents)
    ]


def _without_slip(proposal: Proposal) -> Proposal:
    """Return the proposal without "typo", "by the way" and "so think about that"."""
    content = strip_words_to_agent(strip_slips(proposal.content))
    if content == proposal.content:
        return proposal
    return proposal.model_copy(update={"content": content, "summary": None})


def _tell_since(proposal: Proposal) -> Proposal:
    """Return a value with the day since which it is told to hold, if its rule left that out."""
    words = proposal.time.words if proposal.time is not None else ""
    if proposal.attribute is None or not words.startswith("since ") or words in proposal.content:
        return proposal
    return proposal.model_copy(update={"content": f"{proposal.content}, {words}"})


def _only_calls_off(proposal: Proposal) -> bool:
    """Tell whether it only says that a todo is none any more, which is no memory but its end."""
    may_be = proposal.kind in (Kind.ACTION_ITEM, Kind.DECISION, Kind.PREFERENCE)
    return all(
        names_task_by_place(quote.quote) or (may_be and is_called_off(quote.quote))
        for quote in proposal.evidence
    )


def _leave_undecided(proposal: Proposal) -> Proposal:
    """Return “haven't decided yet” as what goes on, and a plan's new day as an event."""
    if proposal.kind is not Kind.DECISION:
        return proposal
    if proposal.time is not None and find_moved_occasion(proposal.content) is not None:
        return proposal.model_copy(update={"kind": Kind.EVENT})
    if not is_undecided(proposal.content):
        return proposal
    return proposal.model_copy(update={"kind": Kind.CONTEXT})


async def _propose_by_rules(request: ExtractionRequest) -> list[Proposal]:
    return (await apply_rules(request)).proposals


async def _read_pasted_talks(request: ExtractionRequest, marked: Sequence[Spans]) -> list[Proposal]:
    """Read the statements of people in pasted talks, by the rules alone."""
    proposals: list[Proposal] = []
    for number, talk in list_pasted_talks(request, marked):
        ruled = await apply_rules(talk)
        proposals += cite_message(ruled.proposals, number, talk)
    return proposals


async def _read_reported_speech(told: list[Proposal], request: ExtractionRequest) -> list[Proposal]:
    """Read what people close to the user are quoted with, by the rules alone."""
    for speech in find_reported_speech(request.messages):
        ruled = await apply_rules(build_talk(speech, request))
        stated = list(attribute_to_speaker(ruled.proposals, speech))
        if stated:
            told = [proposal for proposal in told if not rests_on(proposal, speech)] + stated
    return told


async def apply_rules(
    request: ExtractionRequest, limit: ReadingLimit | None = None
) -> RuleFindings:
    """Extract by the rules alone."""
    people = request.people
    agents_speak = any(message.role is Role.AGENT for message in request.messages)
    called = {name: name for name in request.agents}
    conversation = ConversationState(
        names={*request.participants, *people}, team=len(request.participants) > 1
    )
    marked = mark_spans(request.messages)
    own_words = reduce_to_own_words(request.messages, marked)
    ruled = RuleFindings(CorrectionPipeline(request.time_zone), marked, own_words)
    first = next((message.number for message in request.messages if message.fresh), 0)
    taking = MedicineSubjects(conversation)
    said: list[DialogueMessage] = []
    answered: list[str] = []
    await asyncio.sleep(0)
    for message in own_words:
        if message.role is Role.TOOL:
            continue
        name = message.speaker if message.speaker in people else None
        others = people - {name} if name and not agents_speak else frozenset()
        agent = message.speaker if message.role is Role.AGENT and conversation.team else None
        teller = MessageSpeaker(message.role, name, others, agent)
        written = _said_itself(message, called)
        read = write_out(message, written.text, said, answered)
        if read.is_answer:
            conversation.question = None
        await asyncio.sleep(0)
        over = None if limit is None else limit.begin()
        for piece in _pieces(written.model_copy(update={"text": read.text})):
            if over is not None and over():
                ruled.unread_characters += len(piece.text)
                continue
            told = _told_apart(piece, request.time_zone)
            understood = _understood(told, teller, conversation, request.time_zone)
            # The cue that moves a plan may stand behind the end of a window.
            is_before = (
                message.role is Role.USER and first - EXCHANGE_MESSAGES <= message.number < first
            )
            reads = message.fresh or is_before
            matches = find_message_facts(told, name, request.time_zone) if reads else []
            matches = list(taking.told(matches, told.text, said, teller))
            if message.fresh:
                beside = said[-1] if said else None
                ruled.said.append(parse_message(message, written.text, teller, understood, beside))
                add_message_proposals(
                    ruled.proposals,
                    understood,
                    matches,
                    told,
                    name,
                    request.time_zone,
                    before=ruled.before,
                )
                ruled.finished += _finished(piece, said)
            elif is_before:
                add_message_proposals(
                    ruled.before, understood, matches, told, name, request.time_zone
                )
            if told.text != piece.text or read.replaced:
                ruled.proposals = [
                    restore_quotes(proposal, written.text, message=message.number, read=read)
                    for proposal in ruled.proposals
                ]
            await asyncio.sleep(0)
        ruled.proposals = await ruled.corrections.correct(
            ruled.proposals, message, said, before=ruled.before
        )
        said.append(message)
        if message.role is Role.USER:
            answered.append(read.text)
    ruled.proposals = merge_repeated_proposals(ruled.proposals)
    return ruled


def _said_itself(message: DialogueMessage, agents: Mapping[str, str]) -> DialogueMessage:
    """Return the message without addressee, audience, request to remember and retracted jest."""
    text = strip_agent_addresses(message.text, agents)
    if message.role is Role.USER:
        text = strip_requests_to_remember(strip_audience(leave_jest_out(text)))
        text = leave_passing_out(text)
    return message.model_copy(update={"text": text})


def _pieces(message: DialogueMessage) -> Iterator[DialogueMessage]:
    """Yield a long message some sentences at a time; nearly all are one piece."""
    text, start = message.text, 0
    while len(text) - start > CHARACTERS_PER_STEP:
        ends = _SENTENCE_END.search(text, start + CHARACTERS_PER_STEP)
        end = ends.end() if ends else len(text)
        yield message.model_copy(update={"text": text[start:end]})
        start = end
    yield message if start == 0 else message.model_copy(update={"text": text[start:]})


def _told_apart(message: DialogueMessage, time_zone: str) -> DialogueMessage:
    """Return the message with each statement of a person on a line; context stays unchanged."""
    if message.role is not Role.USER or not message.fresh or not is_enabled(_COMPOUND_SENTENCES):
        return message
    told = split_into_statements(message.text, UtteranceTime(message.occurred_at, time_zone))
    if told != message.text:
        note_match(_COMPOUND_SENTENCES)
    return message.model_copy(update={"text": told})


def _understood(
    message: DialogueMessage,
    teller: MessageSpeaker,
    conversation: ConversationState,
    time_zone: str,
) -> MessageUnderstanding:
    """Understand all messages, context included, because later messages may refer to them."""
    return MessageReading(message, teller, conversation, time_zone).understood()


def _finished(
    message: DialogueMessage, said: Sequence[DialogueMessage]
) -> Iterable[CompletionClaim]:
    if message.role is Role.USER:
        yield from drop_repeated_claims(
            claim
            for sentence in split_declarative_sentences(message.text)
            for claim in _claims(sentence, message.number, said)
        )


def _claims(
    sentence: str, message: int, said: Sequence[DialogueMessage]
) -> Iterable[CompletionClaim]:
    """Return the claims of a sentence; a task named by its place is looked for in `said`."""
    if not names_task_by_place(sentence):
        return find_completion_claims(sentence, message=message)
    numbered = find_numbered_claim(sentence, [earlier.text for earlier in said], message=message)
    return [] if numbered is None else [numbered]
