"""Which of the agents in a conversation a point concerns: by what was said, checked by code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palimpsest.model.kind_properties import Wording
from palimpsest.model.kinds import Kind, select_kinds
from palimpsest.model.turn import Role, Turn
from palimpsest_language.agent_addresses import (
    find_addressee,
    find_agent_addresses,
    is_about_speaker,
)

WISH_KINDS = frozenset(select_kinds(lambda kind: Wording.AGENT_WISH in kind.wording))
"""Of these, what is said to one agent and not about the speaker is about that agent alone:
how it should write, what it should call somebody."""


def map_agent_names(turns: Sequence[Turn], participants: Sequence[str] = ()) -> dict[str, str]:
    """Map the names of a conversation's agents to their ids: the id, and the speaker's name.

    Whoever takes part and speaks for no person is an agent, too.
    """
    people = {turn.speaker for turn in turns if turn.role is Role.USER}
    named = {participant: participant for participant in participants if participant not in people}
    for turn in turns:
        if turn.agent_id:
            named.setdefault(turn.agent_id, turn.agent_id)
    for turn in turns:
        if turn.role is Role.AGENT and turn.agent_id and turn.speaker:
            named[turn.speaker] = turn.agent_id
    return {name: agent_id for name, agent_id in named.items() if name.strip()}


@dataclass(frozen=True)
class Addressee:
    agent_id: str | None = None
    """The agent that it concerns before all others; None: nobody in particular."""
    everybody: bool = False
    """It was said to all of them."""


def resolve_addressee(
    kind: Kind,
    proposed: str | None,
    cited: Turn,
    quote: str,
    turns: Sequence[Turn],
    names: Mapping[str, str],
) -> Addressee:
    """Whom a point concerns.

    Args:
        kind: of the point.
        proposed: the name that the provider gave; one that nobody here has counts as none.
        cited: the turn that it rests on first.
        quote: the words in that turn.
        turns: of the window.
        names: `agents_of` it.
    """
    if proposed and (named := _named(proposed, names)):
        return Addressee(named)
    if cited.role is not Role.USER:
        return Addressee()
    if not find_agent_addresses(cited.text, names):
        addressed = _answered(cited, turns)
    else:
        address = find_addressee(cited.text, quote, names)
        if address is not None and address.agent_id is None:
            return Addressee(everybody=True)
        addressed = address.agent_id if address else None
    if kind in WISH_KINDS and is_about_speaker(quote, names):
        return Addressee()
    return Addressee(addressed)


def _named(proposed: str, names: Mapping[str, str]) -> str | None:
    wanted = proposed.strip().lstrip("@＠").casefold()
    return next((names[name] for name in names if name.casefold() == wanted), None)


def _answered(cited: Turn, turns: Sequence[Turn]) -> str | None:
    """The agent whose message this one replies to."""
    if cited.reply_to is None:
        return None
    return next(
        (
            turn.agent_id
            for turn in turns
            if turn.message_id == cited.reply_to and turn.role is Role.AGENT
        ),
        None,
    )
