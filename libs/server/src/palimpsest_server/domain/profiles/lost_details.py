"""Find names and numbers that a new profile has lost although nothing contradicts them."""

import re
from collections.abc import Iterable

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NAME = re.compile(r"\b(?:[A-Z][\w+#'-]*|[a-z]+[A-Z]\w*)(?: (?:[A-Z][\w+#'-]*))*")
_SENTENCE_START = re.compile(r"(?:^|[.!?。！？\n]\s*)[\"'(“‘]?$")
_COMMON = frozenset(
    """
    The User A An He She They It In On At For And But His Her Their Its Since Before After Now
    Currently Previously Formerly Recently January February March April May June July August
    September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday I
    """.split()  # noqa: SIM905 - a list of words reads better as words
)


def find_names_and_numbers(text: str, known_names: Iterable[str] = ()) -> set[str]:
    """Return the names and numbers in a text.

    Latin names are recognised by their capitals, unless the word begins a sentence and is a common
    sentence opening. Chinese names are recognised only if they are known.
    """
    found = set(_NUMBER.findall(text))
    for match in _NAME.finditer(text):
        words = match.group().split(" ")
        starts = _SENTENCE_START.search(text, 0, match.start()) is not None
        while words and (
            words[0] in _COMMON or (starts and words[0].isalpha() and len(words) == 1)
        ):
            words = words[1:]
            starts = False
        if words:
            found.add(" ".join(words))
    return found | {name for name in known_names if len(name) > 1 and name in text}


def find_lost_details(
    before: str, after: str, *, known_names: Iterable[str] = (), contradicted: Iterable[str] = ()
) -> list[str]:
    """Return names and numbers of the old profile that the new one lacks.

    Args:
        before: the current profile.
        after: the profile that is to replace it.
        known_names: names of the subjects of memories.
        contradicted: statements that no longer hold, whose details may go.
    """
    gone = [each.casefold() for each in contradicted if each.strip()]
    kept, numbers = after.casefold(), set(_NUMBER.findall(after))
    return sorted(
        each
        for each in find_names_and_numbers(before, known_names)
        # A number must match as a whole: 2 is not in 2019.
        if (each not in numbers if _NUMBER.fullmatch(each) else each.casefold() not in kept)
        and not any(each.casefold() in one or one in each.casefold() for one in gone)
    )
