"""Which agent some words are said to, where several may be listening.

    @coder please always use tabs
    tutor, stop correcting every typo
    告诉小助手以后叫我老王

Names are the agents' own; nobody else is found. An address holds for what is said after it,
until another one; "both of you" and 大家 speak to everybody again.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

MAXIMUM_AGENT_NAMES = 64
"""The most names that are searched in one text: no conversation has so many agents."""

_OPENING = (
    r"(?:(?:oh|ok|okay|hey|hi|hello|and|also|then|so|well|please|yes|no|嗨|嘿|喂|那|还有|另外"
    r"|好的?|嗯|请)"
    r"[\s,，]{0,4}){0,3}"
)
_CLAUSE = r"(?:^|(?<=[.!?。！？\n;；,，~～]))\s{0,4}"
_MARK = r"\s{0,4}[,，:：]\s{0,4}"
# Counted, for a message of nothing but line breaks begins a clause with each of them.
_EVERYBODY = re.compile(
    r"\b(?:both|all|the two) of you\b|\b(?:everyone|everybody|you all)\b|大家|各位|你们|所有人",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(
    r"(?:I|I['’](?:m|ve|d|ll)|my|mine|we|we['’](?:re|ve|d|ll)|our|ours)\b|我|咱|俺|本人",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。！？\n]")
_BEFORE_THE_WORDS = re.compile(rf"[\s,，:：.。!！~～-]*{_OPENING}", re.IGNORECASE)


@dataclass(frozen=True)
class AgentAddress:
    """Words that say who is spoken to, in characters, end exclusive."""

    start: int
    end: int
    agent_id: str | None
    """The agent; None for everybody."""
    apart: bool
    """True if the statement begins behind the address. It does not in "ask coder to …"."""


def find_agent_addresses(text: str, names: Mapping[str, str]) -> list[AgentAddress]:
    """Find all addresses in a text, in order; `names` maps the names of agents to their ids."""
    return list(_addresses(text, tuple(sorted(names.items())))) if names else []


@lru_cache(maxsize=64)
def _addresses(text: str, named: tuple[tuple[str, str], ...]) -> tuple[AgentAddress, ...]:
    """Find the addresses of a text; cached, because every statement in the text asks for them."""
    ids = {name.casefold(): agent_id for name, agent_id in named}
    known = sorted((name for name, _ in named), key=lambda name: (-len(name), name))
    pattern = _pattern(tuple(known[:MAXIMUM_AGENT_NAMES]))
    found = [
        AgentAddress(
            start=match.start(),
            end=match.end(),
            agent_id=ids.get(_named(match).casefold()),
            apart=match.lastgroup != "asked",
        )
        for match in pattern.finditer(text)
    ]
    found += [
        AgentAddress(start=match.start(), end=match.end(), agent_id=None, apart=False)
        for match in _EVERYBODY.finditer(text)
    ]
    return tuple(sorted(found, key=lambda address: address.start))


def find_addressee(text: str, words: str, names: Mapping[str, str]) -> AgentAddress | None:
    """Return the address that these words of a text belong to; None if they address nobody."""
    found = find_agent_addresses(text, names)
    # Not in a folded text: folding changes positions, since a folded ß is two letters.
    quoted = re.search(re.escape(words), text, re.IGNORECASE)
    end = quoted.end() if quoted else len(text)
    before = [address for address in found if address.start < end]
    if before:
        return before[-1]
    # "Always use tabs, @coder": a name behind the words, in the same sentence.
    after = found[0] if found else None
    if after is None or _SENTENCE_END.search(text, max(end - 1, 0), after.start):
        return None
    return after


def strip_agent_addresses(text: str, names: Mapping[str, str]) -> str:
    """Return the text with a line break for each address that is apart from the statement."""
    kept: list[str] = []
    position = 0
    for address in find_agent_addresses(text, names):
        if address.apart and address.start >= position:
            kept.append(text[position : address.start])
            position = address.end
    return "\n".join([*kept, text[position:]]) if kept else text


def is_about_speaker(words: str, names: Mapping[str, str]) -> bool:
    """Tell whether these words begin with the speaker.

    "I learn best with songs" does, "call me Al" does not. A wish that does not, and that is said to
    an agent, is about that agent.
    """
    statement = strip_agent_addresses(words, names).strip().rpartition("\n")[2]
    opening = _BEFORE_THE_WORDS.match(statement)
    return _FIRST_PERSON.match(statement, opening.end() if opening else 0) is not None


def _named(match: re.Match[str]) -> str:
    return next(name for name in match.group("mention", "called", "told", "said", "asked") if name)


@lru_cache(maxsize=256)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    one = "|".join(_whole(name) for name in names)
    tell = r"(?:please\s+)?(?:tell|let)\s+"
    chinese = r"(?:请|麻烦你?|帮我|你)?"
    return re.compile(
        rf"(?<![A-Za-z0-9._])[@＠](?P<mention>{one})(?:{_MARK}|\s{{0,4}})"
        rf"|{_CLAUSE}{_OPENING}(?P<called>{one}){_MARK}"
        rf"|{_CLAUSE}(?:{tell}(?P<told>{one})\s+(?:know\s+)?(?:to|that)\s+)"
        rf"|{_CLAUSE}{chinese}(?:告诉|通知|跟|对|和)\s*(?P<said>{one})\s*(?:说|讲|一声)?(?:"
        rf"{_MARK}|\s{{0,4}})"
        rf"|{_CLAUSE}(?:(?:please\s+)?(?:ask|remind|have)\s+|{chinese}(?:让|叫|请|提醒)\s*)"
        rf"(?P<asked>{one})",
        re.IGNORECASE,
    )


def _whole(name: str) -> str:
    """A Latin name is not found within a longer word."""
    before = r"(?<![A-Za-z0-9_])" if name[:1].isascii() else ""
    after = r"(?![A-Za-z0-9_])" if name[-1:].isascii() else ""
    return f"{before}{re.escape(name)}{after}"
