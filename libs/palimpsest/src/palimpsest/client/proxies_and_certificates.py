"""Trusted certificates and proxies for connections over HTTP."""

import logging
import ssl
from urllib.request import getproxies, proxy_bypass

import certifi
from httpx import URL

_log = logging.getLogger(__name__)


def load_trusted_certificates() -> ssl.SSLContext:
    """Load the machine's certificates and those that browsers trust, because some machines have none."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def find_proxy(url: URL) -> str | None:
    """Return the proxy that the environment or the machine sets for `url`.

    The environment says so by `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`. A proxy that
    does not speak HTTP, such as `socks5://`, is not used, and a warning says so.
    """
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    port = url.port or (443 if url.scheme == "https" else 80)
    if proxy is None or proxy_bypass(f"{url.host}:{port}"):
        return None
    scheme, found, _ = proxy.partition("://")
    if found and scheme.lower() not in {"http", "https"}:
        _log.warning("the proxy for %s is not used: it speaks %s, not HTTP", url.host, scheme)
        return None
    return proxy if found else f"http://{proxy}"
