"""Count a text's tokens for a language model, offline and exactly.

The count uses the vocabulary of OpenAI's models (`o200k_base`); those of other vendors differ by about
a tenth. The library contains the vocabulary in its wheel, while tiktoken would download it at its
first use.
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
    """Return this process's counter; the vocabulary is read at the first call."""
    tokenizer = _load_native().tokenizer_for_encoding(VOCABULARY)

    def count(text: str) -> int:
        # Half a surrogate pair, of an emoji that was cut, counts as what the library replaces it with.
        return int(tokenizer.count(text.encode(errors="replace").decode()))

    return count


def _load_native() -> ModuleType:
    """Load the library's native part alone.

    Its Python part reads three vocabularies a second time, line by line, which takes more than half a
    second and 140 MB, and nothing here uses them. A test compares both parts.
    """
    library = importlib.util.find_spec(_LIBRARY)
    places = library.submodule_search_locations if library else None
    spec = PathFinder.find_spec(_NATIVE, places)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(_NATIVE, name=_NATIVE)
    native = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(native)
    return native
