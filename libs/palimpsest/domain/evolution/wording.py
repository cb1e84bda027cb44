"""What two wordings have in common, and the differences that no similarity may hide."""

import re
import unicodedata

_NOT_A_WORD = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_NAME_IN_A_SENTENCE = re.compile(r"(?<=[a-z0-9,;] )[A-Z][\w'’-]+|\b[A-Z]{2,}\b")
_NEGATIONS = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|stopped|quit)\b"
    r"|n['’]t\b|[不没沒無无非莫勿别別未]"
)
_NUMBER_WORDS = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty"
    r"|fifty|hundred|thousand|once|twice|first|second|third)\b|[零一二两兩三四五六七八九十百千万萬]"
)
_OPPOSITES = (
    ("love", "hate"),
    ("like", "dislike"),
    ("likes", "dislikes"),
    ("loves", "hates"),
    ("enjoy", "avoid"),
    ("prefer", "avoid"),
    ("always", "rarely"),
    ("before", "after"),
    ("more", "less"),
    ("allow", "forbid"),
    ("start", "stop"),
    ("started", "finished"),
    ("喜欢", "讨厌"),
    ("爱", "恨"),
    ("多", "少"),
    ("早", "晚"),
    ("之前", "之后"),
    ("开始", "结束"),
)


def normalised(text: str) -> str:
    """The text by which the same words are known: no case, width, accents' form or punctuation."""
    return _NOT_A_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def states_the_same(one: str, other: str) -> bool:
    """Whether nothing that similarity overlooks tells these apart: numbers, names, yes and no."""
    return _distinguishing(one) == _distinguishing(other) and not _opposed(one, other)


def _distinguishing(text: str) -> tuple[object, ...]:
    plain = unicodedata.normalize("NFKC", text)
    folded = plain.casefold()
    return (
        sorted(_NUMBER.findall(folded)),
        sorted(_NUMBER_WORDS.findall(folded)),
        len(_NEGATIONS.findall(folded)) % 2,
        {name.casefold() for name in _NAME_IN_A_SENTENCE.findall(plain)},
    )


def _opposed(one: str, other: str) -> bool:
    return any(
        (_says(one, left) and _says(other, right)) or (_says(one, right) and _says(other, left))
        for left, right in _OPPOSITES
    )


def _says(text: str, word: str) -> bool:
    folded = unicodedata.normalize("NFKC", text).casefold()
    if not word.isascii():
        return word in folded
    return re.search(rf"\b{word}\b", folded) is not None
