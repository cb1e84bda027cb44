"""What a message tells, put to what was told before it: plans are moved, answers written to what they answer."""

from collections.abc import Sequence

from palimpsest.domain.turn import Role
from palimpsest.providers.extraction.dialogue import Message
from palimpsest.providers.extraction.proposals_found import Citation, Proposal
from palimpsest.providers.extraction.rules.completing import reminding, with_more, with_time
from palimpsest.providers.extraction.rules.joining import joined
from palimpsest.providers.extraction.rules.reading import Reading, Speaker, readings
from palimpsest.providers.extraction.rules.revising import (
    is_of_one_time,
    moves_to,
    put_off,
    puts_off,
    revised,
)
from palimpsest.providers.extraction.rules.sentences import sentences
from palimpsest.providers.extraction.rules.statements.answers import adds_to_what_was_told
from palimpsest.providers.extraction.rules.statements.reading import Stated, Understood
from palimpsest.providers.extraction.rules.withdrawing import given_up
from palimpsest.providers.extraction.times import SaidWhen


def read_by_rules(message: Message, name: str | None, time_zone: str) -> list[Reading]:
    said = SaidWhen(message.occurred_at, time_zone)
    speaker = Speaker(message.role, name)
    return [
        reading
        for sentence in sentences(message.text)
        for reading in readings(sentence, speaker, message=message.number, said=said)
    ]


def add_told(
    found: list[Proposal],
    understood: Understood,
    ruled: Sequence[Reading],
    message: Message,
    name: str | None,
    time_zone: str,
    *,
    before: Sequence[Proposal] = (),
) -> None:
    """What a message tells, put to what was told: a plan that it moves, or something new.

    `before` was told in an earlier window, right before the fresh messages: what moves that is
    told anew with it.
    """
    said = SaidWhen(message.occurred_at, time_zone)
    for plan in list(given_up(found, understood.judged, message=message.number)):
        found.remove(plan)
    cores = [_core(each) for each in understood.stated]
    answer = _answer(found, understood, message, said)
    if answer is None:
        _add_aside(found, understood, message)
    speaker = Speaker(message.role, name).subject if message.role is Role.USER else None
    for place, proposal in enumerate(joined(understood, ruled, speaker=speaker)):
        if answer is not None and all(each == answer for each in proposal.evidence):
            continue
        core = cores[place] if place < len(cores) else ""
        change = revised(found, proposal, core=core, said=said) or reminding(
            found, proposal, core=core, said=said
        )
        if change is None and (moved := revised(before, proposal, core=core, said=said)):
            change = None, moved[1]
        standing, after = change if change is not None else (None, proposal)
        if standing is None:
            found.append(put_off(after, core, said) if puts_off(core) else after)
            continue
        found[found.index(standing)] = after
        for other in [each for each in found if is_of_one_time(each, standing)]:
            if along := revised([other], proposal, core=core, said=said):
                found[found.index(other)] = along[1]


def _answer(
    found: list[Proposal], understood: Understood, message: Message, said: SaidWhen
) -> Citation | None:
    """When a plan is, written to the plan; None where that was not asked, or there is none."""
    when = understood.when
    if when is None or when.time is None:
        return None
    citation = Citation(message=message.number, quote=when.clause.text)
    change = with_time(found, when.time, citation, said)
    if change is None:
        return None
    found[found.index(change[0])] = change[1]
    return citation


def _core(stated: Stated) -> str:
    """Its first words, or those that move a plan: "Scrap Thursday, it's Monday now"."""
    parts = stated.statement.parts
    moving = next((part for part in parts if part.time and moves_to(part.core) is not None), None)
    if moving is None:
        sentence = parts[0].clause.sentence
        if puts_off(sentence):
            return sentence
    return (moving or parts[0]).core


def _add_aside(found: list[Proposal], understood: Understood, message: Message) -> None:
    """An answer about what was told just before, written to that."""
    aside = understood.aside
    if aside is None or not adds_to_what_was_told(aside.core):
        return
    citation = Citation(message=message.number, quote=aside.clause.text)
    if change := with_more(found, citation):
        found[found.index(change[0])] = change[1]
