"""Turns words of a speaker into a statement about them."""

import re

_THIRD_PERSON = tuple(
    (re.compile(rf"\b{first}\b", flags), third)
    for first, third, flags in (
        (r"I(?:'m|’m| am)", "they are", 0),
        (r"I(?:'ve|’ve)", "they have", 0),
        (r"I(?:'ll|’ll)", "they will", 0),
        (r"I(?:'d|’d)", "they would", 0),
        (r"I was", "they were", 0),
        (r"I", "they", 0),
        (r"my", "their", re.IGNORECASE),
        (r"mine", "theirs", re.IGNORECASE),
        (r"myself", "themselves", re.IGNORECASE),
        (r"me", "them", re.IGNORECASE),
        (r"your", "the agent's", re.IGNORECASE),
    )
)

_HAN_THEN_LATIN = re.compile(r"([\u4e00-\u9fff])(?!(?<=[阿小老大])[A-Z](?![A-Za-z]))([A-Za-z])")
"""阿K and 小D are names, and one word."""
_LATIN_THEN_HAN = re.compile(r"([A-Za-z+#])([\u4e00-\u9fff])")

_TRAILING_ENGLISH = re.compile(
    r"(?:\s+|^)(?:now|anymore|any more|these days|nowadays|so much|a lot|very much|too|though|"
    r"actually|right now|as well|lately|instead|at the moment|currently|please|again|btw|lol)$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"\s+(?:[-–—]\s|and (?:it|it's|it’s|I|I'm|I’m|we|they|he|she)\b).*$", re.IGNORECASE | re.DOTALL
)
"""Words that follow the statement itself."""

_TRAILING_CHINESE = re.compile(r"(?:了|啦|呀|啊|哦|喔|呢|吧|哈|嘛|噢|来着|的说)+$")
_AROUND = " \t\n,.;:!?，。；：！？、~～\"'“”‘’「」『』*`…-—–"


def to_third_person(words: str) -> str:
    """English words of a speaker, said about them: "call my mother" - "call their mother"."""
    for pattern, third in _THIRD_PERSON:
        words = pattern.sub(third, words)
    return words


def to_third_person_chinese(words: str) -> str:
    """Do the same in Chinese: 我的 and 我 become 自己的 and 自己, 我们 stays."""
    return re.sub(r"(?:(?<!自)|(?<=来自))我(?!们)", "自己", words)


def tidy_english(words: str) -> str:
    """Return a clause without marks around it and without filler words at its end."""
    words = _ASIDE.sub("", words.strip(_AROUND))
    while shorter := _TRAILING_ENGLISH.sub("", words).strip(_AROUND):
        if shorter == words:
            break
        words = shorter
    return words


def tidy_chinese(words: str) -> str:
    return _TRAILING_CHINESE.sub("", words.strip(_AROUND)).strip(_AROUND)


def format_statement(statement: str) -> str:
    """Return the text with a capital, and with one space between Chinese and Latin words."""
    single = " ".join(statement.split())
    spaced = _LATIN_THEN_HAN.sub(r"\1 \2", _HAN_THEN_LATIN.sub(r"\1 \2", single))
    return spaced[:1].upper() + spaced[1:]
