"""How the services are reached: which certificates are trusted, and by way of which proxy."""

import ssl
from urllib.request import getproxies, proxy_bypass

import certifi
from yarl import URL


def trusted() -> ssl.SSLContext:
    """The machine's certificates and those that browsers trust: some machines have none."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def proxy_for(url: URL) -> str | None:
    """By `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, or as the machine is set up.

    Looked up once, for aiohttp would do so before each request, and send what `.netrc`
    says of the host as well.
    """
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if proxy is None or proxy_bypass(f"{url.host}:{url.port}"):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"
