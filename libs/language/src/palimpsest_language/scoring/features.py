"""Features of a candidate: its words, the words around it, and the findings of the rules.

Each is a text, hashed to a row of the weights: English words and pairs of them, Chinese characters
and up to three in a row. Those of other messages are marked.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from zlib import crc32

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.proposals import Proposal
from palimpsest_language.scoring.candidate_proposals import CandidateProposal
from palimpsest_language.scoring.fragments import Fragment, ParsedMessage

FEATURE_ROWS = 1 << 16
"""The rows of the weights. Half as many cost a hundredth of the area under the curve; twice as many
gain nothing.
"""

_WORD_WEIGHT = 2.0
_SIGN_WEIGHT = 0.5
_LONGEST_TEXT = 300
_LONGEST_BESIDE = 40
_LONGEST_BEFORE = 60
_TEXTS_OF_A_WINDOW = 128
"""Texts of which n-grams are kept: several candidates have the same words, or words beside them."""

_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|\d+|[^\w\s]", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_DIGIT = re.compile(r"\d")
_CAPITAL = re.compile(r"[A-Z]")
_SPACE = re.compile(r"\s+")
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s*|\n")


@dataclass(frozen=True)
class HashedFeatures:
    """Rows of the weights, with the count of each."""

    rows: tuple[int, ...]
    amounts: tuple[float, ...]


def extract_features(proposal: CandidateProposal) -> HashedFeatures:
    """Extract features; the same words in the same place give the same rows on any machine."""
    rows: list[int] = []
    amounts: list[float] = []
    for block, distinct in _blocks(proposal).items():
        if not distinct:
            continue
        amount = _SIGN_WEIGHT if block == "s" else _WORD_WEIGHT / sqrt(len(distinct))
        start = crc32(f"{block}:".encode())
        rows += [crc32(feature, start) % FEATURE_ROWS for feature in distinct]
        amounts += [amount] * len(distinct)
    return HashedFeatures(tuple(rows), tuple(amounts))


def _blocks(proposal: CandidateProposal) -> Mapping[str, tuple[bytes, ...]]:
    """Return the distinct features of each block, in their order."""
    text = proposal.text[:_LONGEST_TEXT]
    chinese = has_chinese(text) or bool(proposal.pieces and proposal.pieces[0].judged.chinese)
    signs = list(_signs_of_possible(proposal, chinese=chinese))
    blocks = {"t": _grams(text, 3, chinese=chinese)}
    if proposal.parsed is None or not proposal.pieces:
        return {**blocks, "s": _encode(signs)}
    first, last, said = proposal.pieces[0], proposal.pieces[-1], proposal.parsed
    before = said.before.text if said.before else ""
    return {
        **blocks,
        f"r{said.teller.role.value}": _grams(text, 2, chinese=chinese),
        "b": _grams(first.before[-_LONGEST_BESIDE:], 2, chinese=chinese),
        "a": _grams(last.after[:_LONGEST_BESIDE], 2, chinese=chinese),
        "p": _grams(_last_sentence(before)[-_LONGEST_BEFORE:], 2, chinese=chinese),
        "s": _encode([*signs, *_signs_of_piece(first, said, chinese=chinese)]),
    }


def _encode(features: Iterable[str]) -> tuple[bytes, ...]:
    return tuple([feature.encode() for feature in dict.fromkeys(features)])


def _grams(text: str, longest: int, *, chinese: bool) -> tuple[bytes, ...]:
    """Return the n-grams with the beginning and the end of the text; of English at most pairs."""
    return _chinese_grams(text, longest) if chinese else _english_grams(text)


@lru_cache(maxsize=_TEXTS_OF_A_WINDOW)
def _chinese_grams(text: str, longest: int) -> tuple[bytes, ...]:
    plain = f"^{_NUMBER.sub('0', _SPACE.sub(' ', text.lower()))}$"
    return _encode(
        plain[start : start + length]
        for length in range(1, longest + 1)
        for start in range(len(plain) - length + 1)
    )


@lru_cache(maxsize=_TEXTS_OF_A_WINDOW)
def _english_grams(text: str) -> tuple[bytes, ...]:
    grams: list[str] = []
    before = "^"
    for found in (*_WORD.findall(text), "$"):
        word = "0" if found.isdigit() else found.lower().replace("’", "'")
        grams += [word, f"{before} {word}"]
        before = word
    return _encode(grams)


def _last_sentence(text: str) -> str:
    found = [part for part in _SENTENCES.split(text.strip()) if part and part.strip()]
    return found[-1] if found else ""


def _signs_of_possible(proposal: CandidateProposal, *, chinese: bool) -> Iterator[str]:
    length = len(proposal.text[:_LONGEST_TEXT]) // (5 if chinese else 15)
    yield f"way={proposal.origin}"
    yield f"way={proposal.origin},{chinese}"
    yield f"pieces={min(len(proposal.pieces), 5)}"
    yield f"length={min(length, 12)}"
    if proposal.proposal is not None:
        yield from _signs_of_proposal(proposal.proposal, proposal, chinese=chinese)


def _signs_of_proposal(
    proposal: Proposal, candidate_proposal: CandidateProposal, *, chinese: bool
) -> Iterator[str]:
    subject = proposal.subject if proposal.subject in (None, "user") else "other"
    yield f"kind={proposal.kind}"
    yield f"kind={proposal.kind},{candidate_proposal.origin}"
    yield f"kind={proposal.kind},{chinese}"
    yield f"subject={subject}"
    yield f"attribute={proposal.attribute}"
    yield f"evidence={min(len(proposal.evidence), 4)}"
    yield f"ended={proposal.ended}"
    yield f"timed={proposal.time is not None}"


def _signs_of_piece(piece: Fragment, said: ParsedMessage, *, chinese: bool) -> Iterator[str]:
    judged, role = piece.judged, said.teller.role
    asked = (
        bool(said.before) and said.before is not None and said.before.text.rstrip()[-1:] in "?？"
    )
    stated = piece.stated.proposal.kind if piece.stated else None
    place = min(piece.place, 6)
    signs = (
        f"role={role}",
        f"worth={judged.worth.value}",
        f"judged={judged.kind}",
        f"person={judged.person is not None}",
        f"pronoun={judged.pronoun}",
        f"time={judged.time.granularity if judged.time else None}",
        f"coming={judged.coming}",
        f"supposed={judged.supposed}",
        f"withheld={judged.withheld}",
        f"asks={judged.clause.asks}",
        f"speaker={judged.about_speaker}",
        f"stated={stated}",
        f"parts={min(len(piece.stated.statement.parts), 4) if piece.stated else 0}",
        f"of={min(piece.of_clause, 4)}",
        f"in={min(piece.in_clause, 3)}",
        f"place={place}",
        f"long={min(len(piece.text) // (3 if chinese else 10), 9)}",
        f"digit={_DIGIT.search(piece.text) is not None}",
        f"capital={_CAPITAL.search(piece.text, 1) is not None}",
        f"message={min(len(said.written) // 30, 8)}",
        f"before={said.before.role if said.before else None}",
        f"asked={asked}",
        f"among people={bool(said.teller.listeners)}",
        f"named={said.teller.name is not None}",
    )
    yield from signs
    yield from (f"{chinese},{sign}" for sign in signs)
    yield f"{judged.worth.value},{judged.kind},{role}"
    yield f"{role},parts={signs[12]}"
    yield f"{role},stated={stated}"
    yield f"{asked},{place}"
