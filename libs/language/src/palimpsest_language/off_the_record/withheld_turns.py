"""Messages that a later one asks to forget, says that somebody else wrote, or calls a joke.

The answers to a message go with it: "congratulations on the twins" tells as much.
"""

import re
from collections.abc import Iterable, Sequence

from palimpsest.model.turn import Role, Turn
from palimpsest_language.disowned.message_denials import find_denied_message
from palimpsest_language.off_the_record.forgotten_topics import (
    find_forgotten_topic,
    is_on_topic,
    list_turns_on_topic,
    names_topic,
    reaches_far_back,
    says_nothing_else,
)
from palimpsest_language.off_the_record.requests import (
    WithholdingTarget,
    asks_not_to_remember,
    find_withholding_target,
)
from palimpsest_language.phrase_tables import read_phrases

MOST_MESSAGES_BETWEEN = 16
"""The most messages back that a request reaches."""

_FORGET_IT = read_phrases("off_the_record/request_phrases")["forget_it"]
_LATIN_WORD = re.compile(r"[a-z][a-z'’-]{3,}")
_PAIR = re.compile(r"(?=([\u3400-\u9fff]{2}))")
_NO_SUBJECT = frozenset(
    {
        "that", "this", "have", "been", "with", "will", "would", "about", "from", "what",
        "when", "they", "them", "their", "there", "your", "just", "really", "going", "because",
        "don't", "didn't", "said", "told", "remember", "into", "some", "were", "very", "also",
        "more", "like", "我们", "这个", "那个", "什么", "现在", "已经", "的事", "今天", "昨天",
        "怎么", "自己", "时候",
        "一个", "没有", "是我", "我的", "我是", "我在", "了我"
    }
)  # fmt: skip


class _Listening:
    """Reads a conversation in order."""

    def __init__(self) -> None:
        self.withheld: set[str] = set()
        self._said: dict[str | None, Turn] = {}
        """The last message of each speaker with content other than a request."""
        self._own: dict[str | None, list[Turn]] = {}
        """All messages of each speaker."""
        self._to_come: set[str | None] = set()
        """Speakers whose next message must not be remembered."""
        self._answers: dict[str, list[str]] = {}
        self._answered: Turn | None = None

    def hear(self, turn: Turn) -> None:
        if turn.role is Role.USER:
            self._somebody_speaks(turn)
        elif (asked := self._answered) is not None:
            self._answers[asked.id].append(turn.id)
            if asked.id in self.withheld or _asks_to_forget(asked.said):
                self.withheld.add(turn.id)

    def _somebody_speaks(self, turn: Turn) -> None:
        self._answered = turn
        self._answers[turn.id] = []
        reach = find_withholding_target(turn.said)
        before = self._said.get(turn.speaker)
        on_topic = self._find_on_forgotten_topic(turn)
        for said in on_topic:
            self._withhold(said)
        if says_nothing_else(turn.said):
            self._withhold(turn)
        means_it = reach.before or _forgets_it(turn, before)
        if before is not None and not on_topic and _means(reach, before, means_it=means_it):
            self._withhold(before)
        if denied := self._find_denied(turn):
            self._withhold(denied)
        if turn.withheld or (turn.speaker in self._to_come and not reach.alone):
            self._withhold(turn)
            self._to_come.discard(turn.speaker)
        if reach.after or (reach.before and before is None):
            self._to_come.add(turn.speaker)
        if not reach.alone and not _says_forget_it(turn.said):
            self._said[turn.speaker] = turn
        self._own.setdefault(turn.speaker, []).append(turn)

    def _find_on_forgotten_topic(self, turn: Turn) -> list[Turn]:
        """Return the speaker's messages on the topic that the turn asks to forget."""
        topic = find_forgotten_topic(turn.said)
        if topic is None:
            return []
        return [said for said in self._own.get(turn.speaker, []) if is_on_topic(said.said, topic)]

    def _find_denied(self, turn: Turn) -> Turn | None:
        """Return the speaker's message that the turn says somebody else wrote."""
        own = self._own.get(turn.speaker, [])
        denied = find_denied_message(turn.said) if own else None
        if (
            denied is None
            or denied.is_within
            or (denied.is_of_earlier_session and not denied.about)
        ):
            return None
        if not denied.about:
            return own[-1]
        return next((said for said in reversed(own) if _is_about(said, denied.about)), None)

    def _withhold(self, turn: Turn) -> None:
        self.withheld.update((turn.id, *self._answers[turn.id]))


def find_withheld_turn_ids(turns: Iterable[Turn]) -> frozenset[str]:
    """Return the ids of turns that another of these turns withholds, and of their answers.

    The turns are of one session, in order. "That" and "this" mean the nearest message before by the
    same speaker; if there is none yet, the next.
    """
    listening = _Listening()
    for turn in turns:
        listening.hear(turn)
    return frozenset(listening.withheld)


def find_far_reaching_topic(turn: Turn) -> str | None:
    """Return the topic of which the turn asks to forget everything ever said; None without one."""
    if turn.role is not Role.USER:
        return None
    says_what = find_withholding_target(turn.said).about
    return find_forgotten_topic(turn.said) if says_what or reaches_far_back(turn.said) else None


def find_disowned_topic(turn: Turn) -> str | None:
    """Return the topic of a message that somebody else wrote by this turn; None if not named."""
    denied = find_denied_message(turn.said) if turn.role is Role.USER else None
    return None if denied is None else denied.about or None


def mark_turns_on_topic(turns: Sequence[Turn], topic: str) -> list[Turn]:
    """Return people's earlier turns on a topic, with the answers, marked as withheld.

    The turns are those of one session, in order; marked turns are left out.
    """
    return [
        turn.model_copy(update={"withheld": True})
        for turn in list_turns_on_topic(turns, topic)
        if not turn.withheld
    ]


def asks_about_other_turns(turn: Turn) -> bool:
    """Tell whether a turn may withhold others than itself."""
    if turn.role is not Role.USER:
        return False
    denied = find_denied_message(turn.said)
    return _asks_to_forget(turn.said) or (denied is not None and not denied.is_within)


def mark_withheld_turns(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns to withhold that are not marked yet, marked."""
    ids = find_withheld_turn_ids(turns)
    return [
        turn.model_copy(update={"withheld": True})
        for turn in turns
        if turn.id in ids and not turn.withheld
    ]


def _asks_to_forget(text: str) -> bool:
    return (
        asks_not_to_remember(text)
        or _says_forget_it(text)
        or find_forgotten_topic(text) is not None
    )


def _says_forget_it(text: str) -> bool:
    return _FORGET_IT.search(text) is not None


def _forgets_it(turn: Turn, before: Turn | None) -> bool:
    """Tell whether a turn is “forget it” behind a statement; behind a question it is no request."""
    is_statement = before is not None and not before.said.rstrip().endswith(("?", "？"))
    return is_statement and _says_forget_it(turn.said)


def _means(reach: WithholdingTarget, before: Turn, *, means_it: bool) -> bool:
    if not reach.about:
        return means_it
    return not _subjects(reach.about).isdisjoint(_subjects(before.said))


def _is_about(said: Turn, topic: str) -> bool:
    return names_topic(said.said, topic) or not _subjects(topic).isdisjoint(_subjects(said.said))


def _subjects(text: str) -> frozenset[str]:
    lowered = text.lower()
    return frozenset({*_LATIN_WORD.findall(lowered), *_PAIR.findall(lowered)}) - _NO_SUBJECT
