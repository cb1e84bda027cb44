"""Aversions: who does not eat, drink, watch or play something avoids it, whatever the words.

"我最爱吃辣" ends "我不吃辣": who likes a thing no longer avoids it. In the other direction both
hold: who does not drink a thing any more, or only today, may still like it. The statement must say
nothing else: a thing left out on some days, in some places or with something else is not avoided.
Who *cannot* eat something has a reason that no liking ends.
"""

import re
from functools import lru_cache

from palimpsest.model.kind_properties import Wording
from palimpsest.model.memory import MemoryOrCandidateT

_CHINESE = re.compile(
    r"(?:从来|从|一直|一向|向来|平时|现在|都|几乎|基本上?|真的|绝对|完全|根本|其实|是)*"
    r"不(?:怎么|太|大|爱|喜欢|想)?(?P<verb>[吃喝看听玩])"
    r"(?P<thing>[\u4e00-\u9fffA-Za-z][\u4e00-\u9fffA-Za-z ]{0,11}?)的?"
)
_NO_THING = re.compile(
    r"^(?:[了着过饭懂见清起到够完下进好多少早晚这那它他她什一]|东西|得|不|亏|苦|闷|醉|[早午晚]饭"
    r"|出来|眼色)|[和或跟与把被在时前后了就都也]"
)
"""Words that name no thing: a manner or a time, an idiom, or more than one thing."""

_ENGLISH = re.compile(
    r"(?:(?:really|just|usually|generally|simply|absolutely|actually) )*"
    r"(?:do(?:es)?(?:n't| not)|never|won't)(?: (?:really|ever|usually|like to))* "
    r"(?P<verb>eats?|drinks?|watch(?:es)?|plays?|listens? to) "
    r"(?P<thing>[a-z][a-z'-]*(?: [a-z'-]+){0,2})"
)
_NOT_ALL = re.compile(
    r"\b(?:much|more|less|enough|well|out|here|there|late|early|alone|together|anything|it|that"
    r"|this|them|"
    r"alot|lot|often|anymore|any|too|so|and|or|but|if|when|while|after|before|during|until|unless"
    r"|on|in|at|"
    r"with|without|for|from|to|by|as|because|today|tonight|tomorrow|lunch|dinner|yet|now|games "
    r"with|"
    r"breakfast|around|along|up|down|a)\b"
)
_DOING = {"watch": "watching", "play": "playing", "listen": "listening to"}
_TAKEN = frozenset({"吃", "喝", "eat", "drink"})


def mark_aversion(plain: MemoryOrCandidateT) -> MemoryOrCandidateT:
    """Return the memory, with the attribute `avoids` if it states an aversion."""
    if plain.attribute is not None or not plain.kind.has(Wording.AVERSION):
        return plain
    thing = find_avoided_thing(plain.content, plain.subject or "")
    if thing is None:
        return plain
    return plain.model_copy(update={"attribute": "avoids", "value": thing})


@lru_cache(maxsize=4096)
def find_avoided_thing(content: str, subject: str = "") -> str | None:
    """Return the thing that the content says is not eaten, drunk, watched or played; None without.

    `subject` is the subject of the statement, if it is not the user.
    """
    said = _without_subject(content.strip().rstrip("。.!！ ").replace("’", "'"), subject)
    if said is None:
        return None
    if (match := _CHINESE.fullmatch(said)) is not None:
        verb, thing = match["verb"], match["thing"].strip()
        if _NO_THING.search(thing):
            return None
        return thing if verb in _TAKEN else verb + thing
    if (match := _ENGLISH.fullmatch(said.casefold())) is not None:
        verb, thing = _plain(match["verb"]), match["thing"]
        if _NOT_ALL.search(thing):
            return None
        return thing if verb in _TAKEN else f"{_DOING[verb]} {thing}"
    return None


def _without_subject(said: str, subject: str) -> str | None:
    own = "" if subject in ("", "user") else f"{re.escape(subject)}|"
    begun = re.match(rf"(?:{own}the user\b|user\b|用户|本人|我|i\b)\s*", said, re.IGNORECASE)
    return None if begun is None else said[begun.end() :]


def _plain(verb: str) -> str:
    return re.sub(r"(?:(?<=ch)es|s)$", "", verb.removesuffix(" to"))
