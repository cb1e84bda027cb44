"""Seed phrases of wallets: 12 to 24 words of one BIP-39 list, in English or Chinese."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256

from mnemonic import Mnemonic

from palimpsest_language.redaction.secret_rules import has_words_before

_BETWEEN = r"(?:[\s,，、]{1,3}+(?:[0-9]{1,2}+[.)、:]?\s{0,2}+)?)"
_ENGLISH_WORD = r"[a-z]{3,8}+(?![a-z])"
_CHINESE_WORD = r"[\u3400-\u9fff]"
_PROSE_OR_PHRASE = {
    "english": re.compile(
        rf"(?<![a-z]){_ENGLISH_WORD}(?:{_BETWEEN}{_ENGLISH_WORD}){{11,}}+", re.IGNORECASE
    ),
    "chinese_simplified": re.compile(
        rf"{_CHINESE_WORD}(?:{_BETWEEN}{_CHINESE_WORD}){{11,}}+", re.IGNORECASE
    ),
}
"""Twelve short words with no mark between them: the lists have none of less than three letters."""
_WORD = re.compile(rf"[a-z]+|{_CHINESE_WORD}", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<![0-9])1[.)、:]?\s{0,2}$")
_LENGTHS = (24, 21, 18, 15, 12)
_BITS_OF_A_WORD = 11
_MOST_AROUND = 2
"""The most words of the list that may stand by chance on either side of a phrase."""
_ANNOUNCED = re.compile(
    (
        r"\bseed\b|mnemonic|\brecovery\b|\bbackup\b|secret phrase|\bwallet\b|助记词|恢复"
        r"(?:词|短语)|种子|钱包"
    ),
    re.IGNORECASE,
)

_Span = tuple[int, int]


def find_seed_phrases(text: str) -> Iterator[_Span]:
    """Start and end of each; the numbers before the words belong to it."""
    for language, pattern in _PROSE_OR_PHRASE.items():
        for match in pattern.finditer(text):
            for run in _runs(text, match, _words(language)):
                yield from _within(text, run, _words(language))


@cache
def _words(language: str) -> Mapping[str, int]:
    """Return the list of a language, with the number of each word."""
    return {word: number for number, word in enumerate(Mnemonic(language).wordlist)}


def _runs(text: str, match: re.Match[str], words: Mapping[str, int]) -> Iterator[Sequence[_Span]]:
    """Yield runs of listed words that are long enough for a phrase."""
    run: list[_Span] = []
    for word in _WORD.finditer(text, match.start(), match.end()):
        if word.group().lower() in words:
            run.append(word.span())
            continue
        if len(run) >= _LENGTHS[-1]:
            yield run
        run = []
    if len(run) >= _LENGTHS[-1]:
        yield run


def _within(text: str, run: Sequence[_Span], words: Mapping[str, int]) -> Iterator[_Span]:
    """Yield the words with a phrase's check sum; without one, all words behind an announcement."""
    phrase = next((phrase for phrase in _phrases(run) if _checks(text, phrase, words)), None)
    if phrase is None and has_words_before(_ANNOUNCED, text, run[0][0]):
        phrase = run
    if phrase is not None:
        numbered = _NUMBERED.search(text, max(0, phrase[0][0] - 6), phrase[0][0])
        yield numbered.start() if numbered else phrase[0][0], phrase[-1][1]


def _phrases(run: Sequence[_Span]) -> Iterator[Sequence[_Span]]:
    for length in _LENGTHS:
        if length <= len(run) <= length + _MOST_AROUND:
            for first in range(len(run) - length + 1):
                yield run[first : first + length]


def _checks(text: str, phrase: Sequence[_Span], words: Mapping[str, int]) -> bool:
    """Check BIP-39: the last bits begin the others' SHA-256; by chance 1 in 16 passes."""
    value = 0
    for start, end in phrase:
        value = value << _BITS_OF_A_WORD | words[text[start:end].lower()]
    bits = len(phrase) // 3
    entropy = (value >> bits).to_bytes(bits * 4)
    return value & ((1 << bits) - 1) == sha256(entropy).digest()[0] >> (8 - bits)
