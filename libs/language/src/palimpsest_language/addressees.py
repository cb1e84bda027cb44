"""Resolves which agent of a conversation a proposal concerns, from the words that were said."""

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
"""Kinds of wishes. A wish said to one agent, and not about the speaker, concerns that agent alone:
how it should write, what it should call somebody.
"""


def map_agent_names(turns: Sequence[Turn], participants: Sequence[str] = ()) -> dict[str, str]:
    """Map the names of a conversation's agents to their ids: the id itself, and the speaker's name.

    A participant who is no speaker with the role of user is an agent, too.
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
    """The agent that it concerns more than others; None for no agent in particular."""
    everybody: bool = False
    """True if it was said to all agents."""


def resolve_addressee(
    kind: Kind,
    proposed: str | None,
    cited: Turn,
    quote: str,
    turns: Sequence[Turn],
    names: Mapping[str, str],
) -> Addressee:
    """Resolve the agent that a proposal concerns.

    Args:
        kind: the kind of the proposal.
        proposed: the name that the provider gave; an unknown name counts as none.
        cited: the first turn of its evidence.
        quote: the quoted words in that turn.
        turns: the turns of the window.
        names: the agents by name, from `map_agent_names`.
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
    """Return the agent whose message this one replies to; None without one."""
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
