"""Count a text's tokens for a language model: offline, and not estimated.

Of today's vocabularies the one that OpenAI's models use (`o200k_base`) is
counted by; others differ by a tenth or so. The library brings the vocabulary
in its wheel, where tiktoken would download it at its first use.
"""

import importlib.util
from functools import cache
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Protocol

VOCABULARY = "o200k_base"

_LIBRARY = "bpe_openai"
_NATIVE = f"{_LIBRARY}._bindings"


class TokenCounter(Protocol):
    def __call__(self, text: str) -> int: ...


@cache
def get_token_counter() -> TokenCounter:
    """The one of this process: the vocabulary is read when it is first asked for."""
    tokenizer = _load_native().tokenizer_for_encoding(VOCABULARY)

    def count(text: str) -> int:
        # Half a character, of an emoji that was cut, counts as what the library makes of it.
        return int(tokenizer.count(text.encode(errors="replace").decode()))

    return count


def _load_native() -> ModuleType:
    """Load the library's native part alone.

    Its Python reads three vocabularies a second time, line by line, which takes more than half a
    second and 140 MB, and nothing here asks for them. A test compares the two.
    """
    library = importlib.util.find_spec(_LIBRARY)
    places = library.submodule_search_locations if library else None
    spec = PathFinder.find_spec(_NATIVE, places)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(_NATIVE, name=_NATIVE)
    native = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(native)
    return native
