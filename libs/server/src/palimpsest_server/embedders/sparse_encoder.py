"""Sparse vectors of words: the half of BM25 that depends on the text alone.

The other half, the rarity of a word among a user's memories, is counted by the store during the
search, so that no vector has to be rewritten as memories grow.
"""

import math
import re
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from itertools import pairwise

import mmh3
import snowballstemmer

from palimpsest.model.vectors import SparseVector
from palimpsest_language.vocabulary import stop_words
from palimpsest_language.vocabulary.synonyms import build_synonyms
from palimpsest_server.domain.ranking.term_overlap import TermRarities

with warnings.catch_warnings():
    # Its patterns have escapes that Python warns of when it first compiles them.
    warnings.simplefilter("ignore")
    import jieba

K1 = 1.2
"""Saturation of repeated words: BM25's usual value. From .6 to 2 hardly any answer changes
(LoCoMo's development part), because messages and memories repeat few words."""

B = 0.4
"""Penalty for long texts. BM25's usual .75 finds a point less of the evidence in that set
(64.9 % within ten, against 66.0): a long message says more and does not repeat itself."""

UNKNOWN_RARITY, SHORT_RARITY, SHORT_TERM = 12.0, 9.0, 3
"""Rarity in nats of terms missing in the Chinese dictionary; lower for short terms such as `3` or `ai`."""

EQUAL_WEIGHT = 0.9
"""Weight of a synonym of a question's word. Any weight below 1 would do, because it only distinguishes
synonyms from the question's own words."""

AVERAGE_TOKENS = 24.0
"""Text length for normalisation. Fixed, so that a weight does not depend on other texts: a message
of a conversation has about 20 tokens, with its date and speaker."""

CHINESE_FROM_CHARACTERS = 3
"""Names in English texts have mostly two Chinese characters, and hardly any Chinese text has so few."""

_COMMON_CHARACTERS = range(0x4E00, 0xA000)
"""The Unicode block of nearly all Chinese characters."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_UNSPACED = f"{_HAN}\u3040-\u30ff\u31f0-\u31ff\u0e00-\u0e7f"
_PIECES = re.compile(
    r"(?P<number>\d+(?:[.,:]\d+)*+)(?P<unit>[年月日号]|[a-z]{1,3}(?![^\W_]))?"
    rf"|(?P<han>[{_HAN}]+)"
    rf"|(?P<unspaced>[{_UNSPACED}]+)"
    rf"|(?P<word>[^\W_{_UNSPACED}]+(?:'[^\W\d_{_UNSPACED}]+)?)"
)
_CHINESE = re.compile(f"[{_HAN}]")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_PLAIN_WORD = re.compile(r"[a-z']+")
_STEMMER = snowballstemmer.stemmer("english")


def fold_text(text: str) -> str:
    """Fold variants of a text into one form: width, compatibility, case, apostrophes."""
    return unicodedata.normalize("NFKC", text).lower().replace("’", "'")


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word))


@cache
def _equals() -> Mapping[str, tuple[str, ...]]:
    return build_synonyms(lambda word: _stem(word) if _PLAIN_WORD.fullmatch(word) else word)


def select_own_terms(question: SparseVector) -> SparseVector:
    """Return the question's own words, without synonyms."""
    own = [
        (index, value)
        for index, value in zip(question.indices, question.values, strict=True)
        if value >= 1.0
    ]
    return SparseVector(
        indices=tuple(index for index, _ in own), values=tuple(value for _, value in own)
    )


def parse_frequencies(dictionary: str) -> tuple[dict[str, int], int]:
    """Return the frequency of each word, 0 for mere prefixes, and the sum of all frequencies.

    The result equals that of the library, in two thirds of its time, which every process waits for.
    """
    fields = dictionary.split()
    words, counts = fields[0::3], list(map(int, fields[1::3]))
    beginnings = (word[:end] for word in words for end in range(1, len(word)))
    found = dict.fromkeys(beginnings, 0)
    found.update(zip(words, counts, strict=True))
    return found, sum(counts)


@cache
def get_sparse_encoder() -> "SparseEncoder":
    """Return this process's encoder; reading the Chinese dictionary takes a second and 80 MB."""
    return SparseEncoder()


class SparseEncoder:
    """Converts texts to term weights."""

    def __init__(self) -> None:
        # A segmenter of our own, filled from the packaged dictionary. The
        # library's global segmenter would load a cache from the shared temporary
        # folder, where any user could have placed one.
        self._chinese = jieba.Tokenizer()
        with self._chinese.get_dict_file() as dictionary:
            self._chinese.FREQ, self._chinese.total = parse_frequencies(dictionary.read().decode())
        self._chinese.initialized = True

    def document(self, text: str) -> SparseVector:
        """Return BM25's term-frequency weights, without the rarity of the words."""
        counts = Counter(_tokens(text, han=self._han_of_document))
        norm = K1 * (1 - B + B * counts.total() / AVERAGE_TOKENS)
        return _hashed({term: n * (K1 + 1) / (n + norm) for term, n in counts.items()})

    def query(self, text: str) -> SparseVector:
        """Return weight 1 for each different term, and a little less for each synonym."""
        weights = dict.fromkeys(_tokens(text, han=self._words), 1.0)
        for other in [other for term in weights for other in _equals().get(term, ())]:
            weights.setdefault(other, EQUAL_WEIGHT)
        return _hashed(weights)

    def rarities(self, text: str) -> TermRarities:
        """Return the rarity of a question's terms in the language, by the dictionary, in nats."""
        words: dict[int, float] = {}
        characters: dict[int, float] = {}
        for term in _tokens(text, han=self._words):
            if not _CHINESE.search(term):
                rarity = UNKNOWN_RARITY if len(term) > SHORT_TERM else SHORT_RARITY
                words[_hash(term)], characters[_hash(term)] = rarity, UNKNOWN_RARITY
                continue
            words[_hash(term)] = self._rarity(term)
            for one in term:
                if one not in stop_words.CHINESE and _CHINESE.match(one):
                    characters[_hash(one)] = self._rarity(one)
        return TermRarities(words, characters)

    def is_chinese(self, terms: Collection[int]) -> bool:
        """Return whether a text with these terms is Chinese.

        A Chinese text has more Chinese characters than a name.
        """
        return sum(term in self._characters for term in terms) >= CHINESE_FROM_CHARACTERS

    @cached_property
    def _characters(self) -> frozenset[int]:
        return frozenset(_hash(chr(code)) for code in _COMMON_CHARACTERS)

    def _rarity(self, word: str) -> float:
        chinese = self._chinese
        return math.log(chinese.total / ((chinese.FREQ.get(word) or 0) + 1))

    def words(self, text: str) -> Iterator[str]:
        """Yield the folded words of a text in order, without very common words."""
        for piece in _PIECES.finditer(fold_text(text)):
            if piece.lastgroup == "han":
                for word in self._chinese.cut(piece["han"], HMM=False):
                    if word not in stop_words.CHINESE:
                        yield word
            elif piece.lastgroup == "word" and piece["word"] not in stop_words.ENGLISH:
                yield piece["word"]

    def _words(self, run: str) -> Iterator[str]:
        """Yield dictionary words and the parts of long ones; unknown words are split into characters."""
        for word in self._chinese.cut_for_search(run, HMM=False):
            if word not in stop_words.CHINESE:
                yield word

    def _han_of_document(self, run: str) -> Iterator[str]:
        """Yield words, pairs of characters and single characters.

        Word boundaries depend on the neighbouring characters, so a question may be split
        otherwise than its memory. The document 小狗 must contain the term 狗, in case
        a question has it. The reverse would not work: the characters of a split question
        would match unrelated documents everywhere.
        """
        yield from (word for word in self._words(run) if len(word) > 1)
        characters = [one if one not in stop_words.CHINESE else None for one in run]
        yield from (character for character in characters if character)
        yield from (a + b for a, b in pairwise(characters) if a and b)


def _tokens(text: str, *, han: Callable[[str], Iterator[str]]) -> Iterator[str]:
    """Yield the terms of a text, in order, with repetitions."""
    for piece in _PIECES.finditer(fold_text(text)):
        match piece.lastgroup:
            case "number" | "unit":
                yield from _number(piece["number"], piece["unit"])
            case "han":
                yield from han(piece["han"])
            case "unspaced":
                yield from _pairs(piece["unspaced"])
            case _:
                yield from _word(piece["word"])


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    yield from map("".join, pairwise(run))


def _number(number: str, unit: str | None) -> Iterator[str]:
    """Yield `07`, `7th` and `7` as one term; `7日`, which equals `7号`, yields another term too."""
    plain = number.replace(",", "").lstrip("0") or "0"
    yield plain
    if unit is not None and unit not in _ORDINALS:
        yield plain + ("日" if unit == "号" else unit)


def _word(word: str) -> Iterator[str]:
    if word.split("'", maxsplit=1)[0] in stop_words.ENGLISH:
        return
    yield _stem(word) if _PLAIN_WORD.fullmatch(word) else word


def _hash(term: str) -> int:
    return int(mmh3.hash(term, signed=False))


def _hashed(weights: dict[str, float]) -> SparseVector:
    """Hash terms by unsigned 32-bit murmur3; terms that share a hash are one term."""
    by_index: dict[int, float] = {}
    for term, weight in weights.items():
        index = _hash(term)
        by_index[index] = by_index.get(index, 0.0) + weight
    indices = sorted(by_index)
    return SparseVector(indices=tuple(indices), values=tuple(by_index[index] for index in indices))
