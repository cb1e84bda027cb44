"""What a theme is made of."""

from typing import NamedTuple


class Topic(NamedTuple):
    name: str
    asked: str
    """The words by which English questions show it, each in its forms; `_` is a space."""
    asked_in_chinese: str
    """What stands anywhere in Chinese ones that show it, of at most four characters."""
    words: str
    """Of memories that bound an answer, in both languages."""
    told: tuple[str, ...]
    """Such memories, invented: of their meanings together a model makes a direction."""
    faint: bool = False
    """Whether its words are said beside whatever else is asked: it counts where no other is shown."""
