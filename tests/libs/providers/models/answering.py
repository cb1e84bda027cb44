"""Models of all vendors at the fake server, and something small to ask them."""

from pydantic import BaseModel, SecretStr

from palimpsest.domain.clock import Clock
from palimpsest.providers.models.language_model import LanguageModel, Party, Prompt, Said
from palimpsest.providers.models.vendors import Access, Reaching, Vendor, language_model_named
from tests.fakes.model_server import ModelServer

KEY = "sk-very-secret"


class Capital(BaseModel):
    city: str
    inhabitants: int | None
    sights: list[str]


PARIS = {"city": "Paris", "inhabitants": None, "sights": ["Louvre"]}

QUESTION = Prompt(
    instructions="You know the world.",
    said=(Said(by=Party.US, text="What is the capital of France?"),),
    answer=Capital,
)


def reaching(server: ModelServer, *, timeout_seconds: float = 5.0) -> Reaching:
    key = SecretStr(KEY)
    return Reaching(
        access={
            Vendor.OPENAI: Access(key=key, base_url=f"{server.url}/v1"),
            Vendor.ANTHROPIC: Access(key=key, base_url=server.url),
            Vendor.COMPATIBLE: Access(base_url=f"{server.url}/v1"),
        },
        timeout_seconds=timeout_seconds,
    )


def model_at(
    server: ModelServer, vendor: Vendor, clock: Clock, *, timeout_seconds: float = 5.0
) -> LanguageModel:
    return language_model_named(
        f"{vendor}/m-1", reaching(server, timeout_seconds=timeout_seconds), clock=clock
    )
