"""Match a completion report to the todo that it means.

Closing the wrong todo is worse than leaving a completed one open. So no todo is closed if the words
fit none, or several equally.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import lru_cache
from itertools import pairwise

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.todo import Todo, TodoCompletion, TodoState
from palimpsest_language.wording.normalization import extract_gist

LEAST_SHARED = 0.5
"""Share of the report's naming words that the todo must have."""

REMINDED_LATELY = timedelta(hours=12)

_LIGHT_WORDS = """
    it that this them those these all everything with for at on in by from up out off and or your our their his her its
    now just already finally today done yesterday tonight morning afternoon evening night week weekend month ago last earlier
"""
_EMPTY_WORDS = frozenset(_LIGHT_WORDS.split()) | frozenset(
    "把给跟和去来将要完好了过已经都这那个事情件些用户下一"
)
_EMPTY = frozenset(stem for word in _EMPTY_WORDS for stem in (word, extract_gist(word)))
"""The words and their stems: morning is morn."""

_WAS_THERE = re.compile(
    r"\b(?:came|come|been(?! (?:\w+ed|sent|paid|done|bought|made|taken|given|written|put|sold)\b)"
    r"|here|turned up|showed up|stopped by|dropped by|visited)\b"
    r"|(?:(?<![取拿领收买订约抢借寄送交租办拍挂回下上过转])[来到]|上门)[修看弄换装打]?过?了",
    re.IGNORECASE,
)
"""A person arrived. 取到了 and “been sent” tell of things."""
_SENDS_FOR = re.compile(
    r"\b(?:ring|call|phone|text|message|contact|book|get|arrange|schedule|find|hire|ask|email|chase|wait for|let)\b"
    r"|叫|约|请|找|联系|电话|预约|等",
    re.IGNORECASE,
)
"""“The plumber came” completes the todo to call him, not the one to pay him."""
_PAST = re.compile(r"\b([A-Za-z]{3,})ed\b")
"""Past forms: called is call, moved is move, whichever form the todo has."""
_TO_WHOM = re.compile(
    r"(?:给|跟|和|向|替|找|问|通知|联系)(?P<who>[\u3400-\u9fff]{1,5}?)"
    r"(?=[打发寄送买交还回拿说讲谈聊提订转约付缴汇借带留写做看要]|通[过完]?[电话]|$)"
)
_OF_THE_SPEAKER = re.compile(r"我们?的?|用户的?|自己的?|老(?=[爸妈婆公])")
_TO_A_PLACE = re.compile(r"(?<=\w) to (?:the )?[A-Z].*|[去到飞](?!的)[^的，。]{1,6}的(?=.*票)")
_TWICE = re.compile(r"([\u3400-\u9fff])\1")
_POINTS_AT_SOMEBODY = re.compile(r"[他她它]们?|对方|人家|那边|这边")


def find_completed_todo(completion: TodoCompletion, todos: Sequence[Todo]) -> Todo | None:
    """Return the open todo that a report means; None if it cannot be told.

    The todo is found by the words that name it. Without such words it is found by the message it answers. Without
    that it is the last todo noted in the same conversation, or one of which the user was reminded within half a day.
    """
    standing = [
        todo
        for todo in todos
        if todo.state is TodoState.OPEN and todo.created_at <= completion.said_at
    ]
    if completion.about and _WAS_THERE.search(completion.quote.partition(completion.about)[2]):
        standing = [todo for todo in standing if _SENDS_FOR.search(todo.content)]
    if completion.about and _words(completion.about):
        named = _best(completion.about, standing, completion)
        return named or _without_place(completion.about, standing, completion)
    if completion.answering:
        named = _best(completion.answering, standing, completion, share_of_todo=True)
        if named is not None:
            return named
    here = [todo for todo in standing if _is_said_in(completion, todo)]
    if here:
        return _latest(here)
    reminded = [todo for todo in standing if _was_reminded_lately(completion, todo)]
    return reminded[0] if len(reminded) == 1 else None


def _without_place(about: str, standing: Sequence[Todo], completion: TodoCompletion) -> Todo | None:
    """Return a todo without a place: flights to New Delhi complete “book flights” if it names no other place."""
    what = _TO_A_PLACE.sub("", about)
    if what == about:
        return None
    anywhere = [todo for todo in standing if not _TO_A_PLACE.search(todo.content)]
    return _best(what, anywhere, completion)


def _best(
    named: str, todos: Sequence[Todo], completion: TodoCompletion, *, share_of_todo: bool = False
) -> Todo | None:
    shares = [
        (_shared(named, todo.content, of_todo=share_of_todo), todo)
        for todo in todos
        if not _is_for_somebody_else(named, todo.content)
    ]
    most = max((share for share, _ in shares), default=0.0)
    if most < LEAST_SHARED:
        return None
    best = [todo for share, todo in shares if share == most]
    here = [todo for todo in best if _is_said_in(completion, todo)]
    return _latest(_nearest(completion.quote, here or best))


def _nearest(quote: str, todos: Sequence[Todo]) -> Sequence[Todo]:
    """Return the todos nearest to the quote.

    Of “call mum” and “buy mum a card”, the one that was done.
    """
    said = _PAST.sub(r"\1 \1e \1ed", quote)
    shares = [(_shared(said, todo.content, of_todo=False), todo) for todo in todos]
    most = max(share for share, _ in shares)
    return [todo for share, todo in shares if share == most]


def _is_for_somebody_else(named: str, content: str) -> bool:
    """Return whether the report is about another person: 给李医生打过电话了 does not complete 给王医生打电话."""
    who = _to_whom(named)
    return bool(who) and who not in _plain_name(content)


@lru_cache(maxsize=1024)
def _to_whom(named: str) -> str:
    match = _TO_WHOM.search(named)
    return "" if match is None else _plain_name(match["who"])


def _plain_name(words: str) -> str:
    """Return one form for 我妈, 老妈 and 妈妈; empty for a person who is only pointed at."""
    pointing = _POINTS_AT_SOMEBODY.sub("", words)
    return _TWICE.sub(r"\1", _OF_THE_SPEAKER.sub("", pointing))


def _latest(todos: Sequence[Todo]) -> Todo | None:
    """Return the todo noted last; None if several were noted at once."""
    last = max(todo.created_at for todo in todos)
    latest = [todo for todo in todos if todo.created_at == last]
    return latest[0] if len(latest) == 1 else None


def _is_said_in(completion: TodoCompletion, todo: Todo) -> bool:
    return completion.session_id is not None and todo.session_id == completion.session_id


def _was_reminded_lately(completion: TodoCompletion, todo: Todo) -> bool:
    at = todo.reminded_at
    return at is not None and timedelta() <= completion.said_at - at <= REMINDED_LATELY


def _shared(named: str, content: str, *, of_todo: bool) -> float:
    """Return the share of the naming words that the todo has, or the share of the todo that they have."""
    whole, part = (content, named) if of_todo else (named, content)
    words = _words(whole)
    return len(words & _everything_in(part)) / len(words) if words else 0.0


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    """Return stems of Latin words, and pairs of Chinese characters, because one alone says too little."""
    tokens = _tokens(text)
    chinese = [token for token in tokens if has_chinese(token)]
    latin = [token for token in tokens if not has_chinese(token)]
    return frozenset(latin) | frozenset(_pairs(tokens) if len(chinese) > 1 else chinese)


@lru_cache(maxsize=4096)
def _everything_in(text: str) -> frozenset[str]:
    return _words(text) | frozenset(_tokens(text))


def _tokens(text: str) -> list[str]:
    return [token for token in extract_gist(text).split() if token not in _EMPTY]


def _pairs(tokens: Sequence[str]) -> Iterable[str]:
    for first, second in pairwise(tokens):
        if has_chinese(first) and has_chinese(second):
            yield first + second
