"""By way of which proxy the services are reached, and whose certificates are trusted."""

import pytest
from httpx import URL

from palimpsest.client.proxies_and_certificates import find_proxy, load_trusted_certificates

NAMES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    ("environment", "url", "proxy"),
    [
        ({}, "http://memory.example:8000", None),
        ({"http_proxy": "http://p:1"}, "http://memory.example:8000", "http://p:1"),
        ({"http_proxy": "http://p:1"}, "https://memory.example", None),
        ({"https_proxy": "p:1"}, "https://memory.example", "http://p:1"),
        ({"all_proxy": "http://p:1"}, "https://memory.example", "http://p:1"),
        ({"http_proxy": "http://p:1", "no_proxy": "example"}, "http://a.example", None),
        ({"http_proxy": "http://p:1", "no_proxy": "a.b:8000"}, "http://a.b:8000", None),
        ({"http_proxy": "http://p:1", "no_proxy": "a.b:8000"}, "http://a.b:9", "http://p:1"),
        ({"http_proxy": "http://p:1", "no_proxy": "*"}, "http://a.b:9", None),
        ({"all_proxy": "socks5://p:1"}, "http://memory.example:8000", None),
    ],
)
def test_proxies_are_those_of_the_environment(
    environment: dict[str, str], url: str, proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert find_proxy(URL(url)) == proxy


def test_certificates_are_trusted_where_the_machine_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/dev/null")
    monkeypatch.setenv("SSL_CERT_DIR", "/nowhere")

    assert load_trusted_certificates().cert_store_stats()["x509_ca"] > 100
