"""Plans that are moved: "make it Thursday", 改到周四. What was planned is kept, with its new time."""

import re
from collections.abc import Sequence

from palimpsest.domain.kinds import Kind
from palimpsest.providers.extraction.provider import Proposal
from palimpsest.providers.extraction.times import SaidWhen, moved
from palimpsest.providers.extraction.timing import timing

_MOVES = re.compile(
    r"\b(?:make|move|push|change|shift|bump) (?:it|that|this)\b|\b(?:moved|pushed|rescheduled|postponed|changed|bumped|delayed|brought forward)(?: (?:back|forward|up))?(?: from [\w: ]{1,12}?)? (?:to|until|till)\b|\b(?:is|it'?s|that'?s) now (?:on|at|in)?\b|\b(?:is|it'?s|that'?s)(?= (?:on |at |in )?(?:the )?[\w: ]{1,24} now\b)"
    r"|(?:改|推|推迟|延|延期|提前|顺延|挪|调|调整|改期)(?:成|到|至)(?!了?(?:再|更))|改(?=(?:[下这本]个?)?(?:周|星期|礼拜)[一二三四五六日天末]|[明后]天|大后天|[今明后]晚|明早|[下这]个?月|\d{1,2}[点号月:：/]|[一二三四五六七八九十]{1,3}[点号月])",
    re.IGNORECASE,
)
_PLANNED = frozenset({Kind.EVENT, Kind.ACTION_ITEM, Kind.GOAL, Kind.DECISION})
_WORD = re.compile(r"[A-Za-z][\w’'-]{3,}|[\u3400-\u9fff]{2}")


def moves_to(text: str) -> int | None:
    """Where the words begin that say when it is now; None where nothing is moved."""
    match = _MOVES.search(text)
    return match.end() if match else None


def revised(
    plans: Sequence[Proposal], change: Proposal, *, core: str, said: SaidWhen
) -> tuple[Proposal, Proposal] | None:
    """The plan that is moved, as it was and as it is now; None where there is none to be moved.

    It is the last one that shares a word with what is said of it, or else the last.
    """
    if change.time is None or moves_to(core) is None:
        return None
    standing = [each for each in plans if each.kind in _PLANNED and each.time is not None]
    named = [each for each in standing if _share_words(each.content, core)]
    if not standing:
        return None
    plan = (named or standing)[-1]
    if plan.time is None:
        return None
    time = moved(plan.time, change.time, said)
    found = timing(plan.kind, plan.attribute, time, sentence=core, said_at=said.at)
    separator = "；" if re.search(r"[\u3400-\u9fff]", plan.content) else "; "
    return plan, plan.model_copy(
        update={
            **vars(found),
            "content": f"{plan.content}{separator}{core}",
            "evidence": (*plan.evidence, *change.evidence),
        }
    )


def _share_words(content: str, core: str) -> bool:
    return bool(_words(content) & _words(core))


def _words(text: str) -> frozenset[str]:
    latin = {word.casefold() for word in re.findall(r"[A-Za-z][\w’'-]{3,}", text)}
    chinese = re.findall(r"(?=([\u3400-\u9fff]{2}))", text)
    return frozenset(latin - _EMPTY) | frozenset(set(chinese) - _EMPTY)


_EMPTY_WORDS = """
    make that this have with from time moved 改到 时间 提醒 用户 我们
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
