"""BM25 by a library's defaults, beside which recall is measured.

Development dependencies do the work (`bm25s`, with jieba's words); no service needs them.
"""

from collections.abc import Sequence
from importlib.util import find_spec

from palimpsest.model.errors import PermanentError
from palimpsest_lab.datasets.locomo import DialogueTurn, LocomoDialogue


class BenchmarkLibraryMissing(PermanentError):
    """A library that only benchmarks use is not installed."""

    reason = "library_missing"


def rank_with_bm25(dialogue: LocomoDialogue, depth: int) -> dict[str, list[str]]:
    """The ids of the `depth` best turns for each question's text, best first.

    A turn is its session's date, its speaker and its text; words are jieba's default cut.

    Raises:
        LibraryMissing: bm25s is not installed.
    """
    if find_spec("bm25s") is None:
        raise BenchmarkLibraryMissing("`--beside-bm25` needs bm25s: uv sync --group dev")
    import bm25s  # noqa: PLC0415 - only where it is compared with

    index = bm25s.BM25()
    index.index(
        [split_into_words(format_dated_turn(turn)) for turn in dialogue.turns], show_progress=False
    )
    rankings: dict[str, list[str]] = {}
    for question in dialogue.questions:
        found, _ = index.retrieve(
            [split_into_words(question.text)],
            k=min(depth, len(dialogue.turns)),
            show_progress=False,
        )
        rankings[question.text] = [dialogue.turns[int(number)].id for number in found[0]]
    return rankings


def format_dated_turn(turn: DialogueTurn) -> str:
    on = turn.occurred_at
    said = f"{turn.speaker}：{turn.text} {turn.caption or ''}".strip()
    return f"{on.year}年{on.month}月{on.day}日 {said}"


def split_into_words(text: str) -> Sequence[str]:
    import jieba  # noqa: PLC0415 - its dictionary takes a second to read

    return [word for word in jieba.lcut(text.lower()) if word.strip()]
