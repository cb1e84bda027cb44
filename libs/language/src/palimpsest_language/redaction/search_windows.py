"""Parts of a text that are worth a search, so that slow patterns see no more."""

from collections.abc import Iterable, Iterator


def merge_windows(
    places: Iterable[tuple[int, int]], *, before: int, behind: int
) -> Iterator[tuple[int, int]]:
    """Widen places, given in order, and join those that overlap.

    `before` and `behind` are characters. An end may lie behind the end of the text.
    """
    window: tuple[int, int] | None = None
    for start, end in places:
        first, last = max(0, start - before), end + behind
        if window is None:
            window = first, last
        elif first > window[1]:
            yield window
            window = first, last
        else:
            window = window[0], max(window[1], last)
    if window is not None:
        yield window
