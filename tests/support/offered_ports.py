"""Ports that an error offers instead of a taken one."""

import re


def read_offered_port(words: str) -> int:
    """Return the port that the words offer: the next free one, which other programs decide too."""
    offered = re.search(r"PALIMPSEST_HTTP_PORT=(\d+)", words)
    assert offered is not None, words
    return int(offered[1])
