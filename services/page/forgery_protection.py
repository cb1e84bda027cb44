"""Protection from requests that other pages make a visitor's browser send (CSRF).

Each form carries a token that is derived from the visitor's cookie. Other pages know neither. Browsers
also tell from which page a request comes, and requests of foreign pages are refused by that alone.
"""

import hashlib
import hmac
import secrets

from starlette.datastructures import Headers

FORM_FIELD = "csrf_token"
HEADER = "x-csrf-token"

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITES = frozenset({"same-origin", "none"})


class ForgeryProtection:
    """Derives tokens from cookies by a secret of this process."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)

    def derive_token(self, visitor_id: str) -> str:
        return hmac.new(self._secret, visitor_id.encode(), hashlib.sha256).hexdigest()

    def accepts(self, visitor_id: str | None, shown: str | None) -> bool:
        """Return whether the shown token belongs to the visitor."""
        if visitor_id is None or shown is None:
            return False
        return hmac.compare_digest(self.derive_token(visitor_id).encode(), shown.encode())


def changes_something(method: str) -> bool:
    """Return whether requests of this method may have an effect, and so need a token."""
    return method not in _SAFE_METHODS


def comes_from_foreign_page(method: str, headers: Headers) -> bool:
    """Return whether the browser says that another page sent this request.

    Following a link from elsewhere to this page is no such request.
    """
    site = headers.get("sec-fetch-site")
    if site is None or site in _OWN_SITES:
        return False
    return changes_something(method) or headers.get("sec-fetch-mode") != "navigate"
