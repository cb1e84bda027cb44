"""Unredacted secrets: words that may be secret by name and looks, though no rule found them."""

from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("statements/unredacted_secrets")
_SECRET_NAMED = _PHRASES["secret_named"]
_SECRET_ITSELF = _PHRASES["secret_itself"]
_SECRET_TOLD = _PHRASES["secret_told"]
_LOOKS_SECRET = _PHRASES["looks_secret"]


def names_secret(text: str) -> bool:
    return _SECRET_NAMED.search(text) is not None


def looks_like_secret(text: str, *, named: bool) -> bool:
    """Tell whether a text looks like a secret, though no rule of redaction matched.

    `named`: the text or one beside it names a secret, without which few are told.
    """
    if _LOOKS_SECRET.search(text):
        return True
    return named and bool(_SECRET_TOLD.search(text) or _SECRET_ITSELF.search(text))
