"""Models of all vendors at the fake server, and something small to ask them."""

from pydantic import BaseModel, SecretStr

from palimpsest.model.clock import Clock
from palimpsest_server.models.language_model import (
    LanguageModel,
    Prompt,
    PromptMessage,
    PromptRole,
)
from palimpsest_server.models.vendors import (
    Vendor,
    VendorAccess,
    VendorConnections,
    create_language_model,
)
from tests.support.models.model_server import ModelServer

KEY = "sk-very-secret"


class Capital(BaseModel):
    city: str
    inhabitants: int | None
    sights: list[str]


PARIS = {"city": "Paris", "inhabitants": None, "sights": ["Louvre"]}

QUESTION = Prompt(
    instructions="You know the world.",
    said=(PromptMessage(by=PromptRole.US, text="What is the capital of France?"),),
    answer=Capital,
)


def reaching(server: ModelServer, *, timeout_seconds: float = 5.0) -> VendorConnections:
    key = SecretStr(KEY)
    return VendorConnections(
        access={
            Vendor.OPENAI: VendorAccess(key=key, base_url=f"{server.url}/v1"),
            Vendor.ANTHROPIC: VendorAccess(key=key, base_url=server.url),
            Vendor.COMPATIBLE: VendorAccess(base_url=f"{server.url}/v1"),
        },
        timeout_seconds=timeout_seconds,
    )


def model_at(
    server: ModelServer, vendor: Vendor, clock: Clock, *, timeout_seconds: float = 5.0
) -> LanguageModel:
    return create_language_model(
        f"{vendor}/m-1", reaching(server, timeout_seconds=timeout_seconds), clock=clock
    )
