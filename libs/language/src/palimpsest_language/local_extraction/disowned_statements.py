"""Ends statements that people say are true of somebody else, and proposes them of that person."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.disowned.message_denials import find_denied_message
from palimpsest_language.disowned.statement_denials import DeniedStatement, find_denied_statements
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.statements.people import find_mentioned_person
from palimpsest_language.statements.third_person import to_third_person_verb

ReadByRules = Callable[[ExtractionRequest], Awaitable[Sequence[Proposal]]]
"""Returns the proposals of the rules for a window."""

_USER = "user"
_OWN, _THEIRS = re.compile("^my ", re.IGNORECASE), "the user's "
_OWN_CHINESE = re.compile("^我的?")
_CLAUSE = re.compile(r"[^,，。.!！?？;；\n]+")


async def disown_statements(
    proposals: Sequence[Proposal],
    request: ExtractionRequest,
    own_words: Sequence[DialogueMessage],
    read: ReadByRules,
) -> list[Proposal]:
    """Return the proposals of a window after its denials in the senders' own words.

    A denied proposal of the same window is dropped. For an earlier one its end is proposed. If the
    owner is named, the same is proposed of the owner. With several people as users nothing is done.
    """
    kept = list(proposals)
    if request.people:
        return kept
    for message in own_words:
        if message.role is not Role.USER or not message.fresh:
            continue
        await asyncio.sleep(0)
        if denied := find_denied_message(message.text):
            kept = _without_quotes(kept, message, denied.words)
        for statement in find_denied_statements(message.text):
            owner = statement.owner or _find_person(message.text, statement)
            ended = [
                proposal
                for proposal in await read(_say(request, message, statement, None))
                if proposal.subject == _USER
            ]
            told = await read(_say(request, message, statement, owner)) if owner else []
            kept = _without_quotes(kept, message, statement.words)
            kept = [proposal for proposal in kept if not _is_denied(proposal, ended)]
            quote = MessageQuote(message=message.number, quote=statement.words)
            kept += _end(ended, statement, owner, quote)
            kept += [
                proposal.model_copy(update={"evidence": (quote,)})
                for proposal in told
                if proposal.subject != _USER
            ]
    return kept


def _say(
    request: ExtractionRequest,
    message: DialogueMessage,
    statement: DeniedStatement,
    owner: str | None,
) -> ExtractionRequest:
    """Return a window in which the sender states the same of themselves, or of the owner."""
    says = statement.says
    if has_chinese(says):
        text = f"{owner or '我'}{says}。"
    else:
        text = f"{_capitalize(owner)} {_in_third_person(says)}." if owner else f"I {says}."
    said = message.model_copy(update={"text": text, "number": 1, "speaker": None})
    return request.model_copy(update={"messages": (said,), "agents": ()})


def _end(
    ended: Sequence[Proposal], statement: DeniedStatement, owner: str | None, quote: MessageQuote
) -> Iterator[Proposal]:
    for proposal in ended:
        if proposal.attribute and proposal.value:
            yield proposal.model_copy(
                update={
                    "content": _deny(statement.says, owner),
                    "ended": True,
                    "evidence": (quote,),
                }
            )


def _deny(says: str, owner: str | None) -> str:
    if has_chinese(says):
        whose = f"，而是{_OWN_CHINESE.sub('用户的', owner)}" if owner else ""
        return f"{says}的不是用户{whose}"
    whose = f", but {_OWN.sub(_THEIRS, owner)}" if owner else ""
    return f"It is not the user who {_in_third_person(says)}{whose}"


def _in_third_person(says: str) -> str:
    verb, _, rest = says.partition(" ")
    return f"{to_third_person_verb(verb)} {rest}"


def _capitalize(words: str) -> str:
    return words[:1].upper() + words[1:]


def _find_person(text: str, statement: DeniedStatement) -> str | None:
    """Return the person that "he" stands for, named in the message before the denial."""
    before = text[: max(text.find(statement.words), 0)]
    for clause in reversed(_CLAUSE.findall(before)):
        chinese = has_chinese(clause)
        person = find_mentioned_person(clause.strip(), chinese=chinese)
        if person is not None and person.title:
            words = (f"我{person.title}" if chinese else f"my {person.title}", person.name or "")
            return "".join(words) if chinese else " ".join(words).strip()
        if person is not None:
            return person.name
    return None


def _is_denied(proposal: Proposal, ended: Sequence[Proposal]) -> bool:
    """Tell whether the proposal states of the user what is denied."""
    return proposal.subject == _USER and any(
        proposal.content == denied.content
        or (
            denied.value is not None
            and not proposal.ended
            and (proposal.attribute, proposal.value) == (denied.attribute, denied.value)
        )
        for denied in ended
    )


def _without_quotes(
    proposals: Sequence[Proposal], message: DialogueMessage, words: str
) -> list[Proposal]:
    """Return the proposals that rest neither on these words of a message nor on a part of them."""
    start = message.text.find(words)
    end = start + len(words)

    def overlaps(quote: MessageQuote) -> bool:
        place = message.text.find(quote.quote)
        return quote.message == message.number and place < end and place + len(quote.quote) > start

    return [proposal for proposal in proposals if not any(map(overlaps, proposal.evidence))]
