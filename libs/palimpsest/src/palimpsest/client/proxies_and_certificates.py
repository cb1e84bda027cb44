"""Trusted certificates and proxies for connections over HTTP."""

import ssl
from urllib.request import getproxies, proxy_bypass

import certifi
from httpx import URL


def load_trusted_certificates() -> ssl.SSLContext:
    """The machine's certificates and those that browsers trust: some machines have none."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def find_proxy(url: URL) -> str | None:
    """Return the proxy that the environment or the machine sets for `url`.

    The environment says so by `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`.
    """
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    port = url.port or (443 if url.scheme == "https" else 80)
    if proxy is None or proxy_bypass(f"{url.host}:{port}"):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"
