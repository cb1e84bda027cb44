"""Recognize questions that have a word with a meaning of its own."""

import re

_CHINESE = frozenset("的地得了吗呢吧啊呀嘛啦哦噢喔嗯呃唉哎")
"""Particles and sighs: they tell how something is said, and here nothing is. Laughter is left out,
for people name their pets and their friends after it."""

_ENGLISH = frozenset("a an the of and or uh uhm um hm hmm er erm oh ah".split())  # noqa: SIM905

_WORD = re.compile(r"[a-z]+|[^\W_]")


def has_content_words(question: str) -> bool:
    """Return False for mere punctuation, in which models find likenesses, and mere particles."""
    return any(
        word not in _CHINESE and word not in _ENGLISH for word in _WORD.findall(question.casefold())
    )
