"""Splits a list of tasks told in one breath: each task is finished and forgotten by itself."""

import re
from collections.abc import Iterable, Iterator, Sequence

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import Kind
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposal_times.validity import derive_timing
from palimpsest_language.proposals import MessageQuote, Proposal
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times
from palimpsest_language.wording.statement_text import format_statement

_PHRASES = read_phrases("plans/listed_tasks")
MOST_CHARACTERS = 400
"""The longest statement that is split; a longer one is pasted."""

_LEAST_CHARACTERS = {True: 2, False: 5}
"""The least characters of a task, in Chinese or not: 买菜, "go out"."""
_AROUND = " ,，、;；.。:："
_NUMBER = re.compile(r"\s*;?\s*\d[.)]?\s*\Z|^(?:一是|先|\d[.)、] ?)")
_OWED_ZH = re.compile("需要|应该|必须|要|得|该")
_ALSO = re.compile(r"^(?P<who>the user|用户) ?(?:also|还|也) ?(?=\S)", re.IGNORECASE)


def split_listed_tasks(
    proposals: Iterable[Proposal], messages: Sequence[DialogueMessage], time_zone: str
) -> list[Proposal]:
    """Return the proposals with each task of a list by itself, and each task once."""
    told: list[Proposal] = []
    lists: list[MessageQuote] = []
    for proposal in proposals:
        tasks = list_tasks(proposal.content) if proposal.kind is Kind.ACTION_ITEM else []
        if len(tasks) < 2:
            told.append(proposal)
            continue
        said = messages[proposal.evidence[0].message - 1]
        spoken = UtteranceTime(said.occurred_at, time_zone)
        told += [_by_itself(proposal, task, spoken) for task in tasks]
        lists += proposal.evidence
    return [
        proposal for proposal in _each_once(told) if not _is_part_of_list(proposal, lists, messages)
    ]


def list_tasks(content: str) -> list[str]:
    """Return the tasks that a statement lists, each as a statement; none if it lists none."""
    if len(content) > MOST_CHARACTERS:
        return []
    opening = _PHRASES["opens_list"].search(content)
    if opening is None:
        return []
    rest = content[opening.end() :]
    joints = list(_PHRASES["joins_tasks"].finditer(rest))
    ends = [joint.start() for joint in joints] + [len(rest)]
    parts = [(opening, rest[: ends[0]])]
    parts += [(joint, rest[joint.end() : end]) for joint, end in zip(joints, ends[1:], strict=True)]
    chinese = has_chinese(content)
    tasks = [
        _statement(opening, joint["modal"], task, chinese=chinese)
        for joint, part in parts
        if len(task := _NUMBER.sub("", part).strip(_AROUND)) >= _LEAST_CHARACTERS[chinese]
    ]
    leans = any(
        _PHRASES["leans_back"].search(part) for part in (rest, *(part for _, part in parts))
    )
    return tasks if len(tasks) == len(parts) and not leans else []


def _statement(opening: re.Match[str], modal: str | None, task: str, *, chinese: bool) -> str:
    """Return a task behind the subject and the time that all of them share."""
    head, first = opening["head"], (opening["modal"] or "").strip()
    verb = (modal or "").strip()
    verb = first if verb in {"", "to"} else verb
    if chinese and not head and _OWED_ZH.fullmatch(verb):
        head = "用户"
    if verb and not verb.strip("吧，,"):
        verb = ""
    if not head and not verb:
        words = task
    elif verb in {"", ":", "："}:
        words = f"{head}{verb or ':'} {task}" if not chinese else f"{head}：{task}"
    else:
        words = f"{head}{verb}{task}" if chinese else f"{head.rstrip()} {verb} {task}"
    return format_statement(_ALSO.sub(lambda found: found["who"] + " " * (not chinese), words))


def _by_itself(proposal: Proposal, task: str, said: UtteranceTime) -> Proposal:
    """Return the proposal of one task, with the time that its own words name."""
    none = {"time": None, "occurred_at": None, "valid_from": None, "valid_until": None}
    alone = proposal.model_copy(update={**none, "content": task, "summary": None})
    if proposal.time is not None and proposal.time.words in task:
        shared = {name: getattr(proposal, name) for name in none}
        return alone.model_copy(update=shared)
    times = find_sentence_times(task, said)
    if not times:
        return alone
    found = derive_timing(alone.kind, None, times[0], sentence=task, said_at=said.at)
    return alone.model_copy(update=vars(found))


def _is_part_of_list(
    proposal: Proposal, lists: Sequence[MessageQuote], messages: Sequence[DialogueMessage]
) -> bool:
    """Tell whether a task repeats a part of a list: its words are mostly words of the list."""
    if proposal.kind is not Kind.ACTION_ITEM or len(proposal.evidence) != 1:
        return False
    (quote,) = proposal.evidence
    text = messages[quote.message - 1].text
    return any(
        quote.message == whole.message
        and quote != whole
        and 2 * _count_shared(text, quote.quote, whole.quote) > len(quote.quote)
        for whole in lists
    )


def _count_shared(text: str, one: str, other: str) -> int:
    """Return how many characters of a text two quotes share; 0 if one is not found."""
    begins = text.find(one), text.find(other)
    if -1 in begins:
        return 0
    ends = begins[0] + len(one), begins[1] + len(other)
    return max(min(ends) - max(begins), 0)


def _each_once(proposals: Iterable[Proposal]) -> Iterator[Proposal]:
    """Yield each task once: a list may be told as a whole and in parts."""
    known = set[tuple[str, int]]()
    for proposal in proposals:
        if proposal.kind is Kind.ACTION_ITEM:
            words = _ALSO.sub("", proposal.content).casefold()
            key = (
                words.removeprefix("the user ").removeprefix("用户"),
                proposal.evidence[0].message,
            )
            if key in known:
                continue
            known.add(key)
        yield proposal
