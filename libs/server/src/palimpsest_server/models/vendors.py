"""Models by `vendor/name`, as written in the settings."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from pydantic import SecretStr

from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.models.language_model import LanguageModel

if TYPE_CHECKING:
    import openai


OPENAI_URL = "https://api.openai.com/v1"
ANTHROPIC_URL = "https://api.anthropic.com"


class Vendor(StrEnum):
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    COMPATIBLE = "compatible"
    """Any server that speaks OpenAI's chat completions."""


OPENAI_PROTOCOL_VENDORS = frozenset({Vendor.OPENAI, Vendor.COMPATIBLE})
"""Vendors whose models, embeddings included, are reached by OpenAI's client."""


@dataclass(frozen=True, kw_only=True)
class VendorAccess:
    """The access to a vendor: address, key and client."""

    key: SecretStr | None = None
    base_url: str | None = None
    """None for the vendor's own address."""


@dataclass(frozen=True, kw_only=True)
class VendorConnections:
    access: dict[Vendor, VendorAccess] = field(default_factory=dict)
    timeout_seconds: float


def create_language_model(name: str, reaching: VendorConnections, *, clock: Clock) -> LanguageModel:
    """Create the model called `vendor/name`, without connecting.

    Only the ledger retries: the clients' own retries are off.

    Raises:
        PermanentError: the vendor is unknown, or its key or address is missing.
    """
    vendor, model = split_model_name(name)
    access = get_vendor_access(name, reaching)
    match vendor:
        case Vendor.ANTHROPIC:
            return _anthropic(model, access, reaching.timeout_seconds, clock)
        case Vendor.OPENAI | Vendor.COMPATIBLE:
            return _openai(model, vendor, access, reaching.timeout_seconds, clock)


def get_vendor_access(name: str, reaching: VendorConnections) -> VendorAccess:
    """Return the access to the vendor of this model.

    Raises:
        PermanentError: its key or address is missing.
    """
    vendor, _ = split_model_name(name)
    access = reaching.access.get(vendor, VendorAccess())
    if vendor is Vendor.COMPATIBLE:
        if access.base_url is None:
            raise PermanentError(
                f"the model {name} needs an address: PALIMPSEST_COMPATIBLE_BASE_URL"
            )
    elif access.key is None:
        raise PermanentError(f"the model {name} needs PALIMPSEST_{vendor.upper()}_API_KEY")
    return access


def split_model_name(name: str) -> tuple[Vendor, str]:
    """Split a name such as `openai/…` into vendor and model; a model's own name may contain slashes.

    Raises:
        PermanentError: the vendor is unknown, or the model's name is missing.
    """
    vendor, _, model = name.partition("/")
    if vendor not in set(Vendor) or not model:
        known = ", ".join(f"{each}/…" for each in Vendor)
        raise PermanentError(f"no language model is called {name!r}; known are local, {known}")
    return Vendor(vendor), model


def create_openai_client(access: VendorAccess, timeout_seconds: float) -> "openai.AsyncOpenAI":
    import openai  # noqa: PLC0415 - takes a second, and only those who use it

    return openai.AsyncOpenAI(
        # Local servers need no key, but the client requires one.
        api_key=access.key.get_secret_value() if access.key else "none",
        # Set explicitly, because the client's environment variables are meant for other programs.
        base_url=access.base_url or OPENAI_URL,
        timeout=timeout_seconds,
        max_retries=0,
    )


def _openai(
    model: str, vendor: Vendor, access: VendorAccess, timeout_seconds: float, clock: Clock
) -> LanguageModel:
    from palimpsest_server.models.openai_compatible import OpenAICompatible  # noqa: PLC0415
    from palimpsest_server.models.openai_responses import OpenAIResponses  # noqa: PLC0415

    client = create_openai_client(access, timeout_seconds)
    # The clients load modules at their first use, which would block the event loop.
    _ = client.responses, client.chat.completions, client.default_headers, client.platform_headers()
    if vendor is Vendor.OPENAI:
        return OpenAIResponses(model, client, clock=clock)
    return OpenAICompatible(model, client, clock=clock)


def _anthropic(
    model: str, access: VendorAccess, timeout_seconds: float, clock: Clock
) -> LanguageModel:
    import anthropic  # noqa: PLC0415 - takes a second, and only those who use it

    from palimpsest_server.models.anthropic_messages import AnthropicMessages  # noqa: PLC0415

    client = anthropic.AsyncAnthropic(
        api_key=access.key.get_secret_value() if access.key else None,
        base_url=access.base_url or ANTHROPIC_URL,
        timeout=timeout_seconds,
        max_retries=0,
    )
    _ = client.messages, client.default_headers, client.platform_headers()
    return AnthropicMessages(model, client, clock=clock)
