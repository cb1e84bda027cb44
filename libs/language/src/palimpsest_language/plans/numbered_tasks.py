"""Finds the task that is named by its place in a list told before: "drop the second one"."""

from collections.abc import Iterable, Sequence

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.plans.announced_lists import find_announced_list
from palimpsest_language.plans.listed_tasks import list_tasks
from palimpsest_language.proposals import CompletionClaim, MessageQuote

_IS_OVER = read_phrases("plans/numbered_tasks")["is_over"]
_ORDINALS = (
    ("first", "1", "one", "一"),
    ("second", "2", "two", "二"),
    ("third", "3", "three", "三"),
    ("fourth", "4", "four", "四"),
    ("fifth", "5", "five", "五"),
)


def names_task_by_place(sentence: str) -> bool:
    """Tell whether a sentence says that a task of a list is over, named by its place alone."""
    return _IS_OVER.search(sentence.strip()) is not None


def find_numbered_claim(
    sentence: str, earlier: Sequence[str], *, message: int
) -> CompletionClaim | None:
    """Return the claim of a sentence about a task of the last list in the earlier texts."""
    match = _IS_OVER.search(sentence.strip())
    tasks = _last_list(reversed(earlier)) if match else []
    task = _at_place(match["place"].casefold(), tasks) if match else None
    if task is None:
        return None
    return CompletionClaim(about=task, evidence=MessageQuote(message=message, quote=sentence))


def _last_list(texts: Iterable[str]) -> list[str]:
    return next((tasks for text in texts if len(tasks := _list_all(text)) > 1), [])


def _list_all(text: str) -> list[str]:
    if (announced := find_announced_list(text)) is not None:
        return [task.statement for task in announced.tasks]
    return list_tasks(" ".join(text.split()))


def _at_place(place: str, tasks: Sequence[str]) -> str | None:
    if place.startswith(("last", "最后")):
        return tasks[-1] if tasks else None
    named = (at for at, forms in enumerate(_ORDINALS) if any(form in place for form in forms))
    at = next(named, len(tasks))
    return tasks[at] if at < len(tasks) else None
