"""Names of kinds, statuses and attributes of memories in a visitor's language."""

from collections.abc import Callable
from dataclasses import dataclass

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.user import Language
from services.page.translations import load_words

LOCAL_PROVIDER = "local"
"""The name that the API gives to rules, which ask no model."""


@dataclass(frozen=True)
class KindWords:
    """Names of kinds. A kind without words of its own bears the title of its section."""

    language: Language
    word: Callable[[str], str]

    @property
    def all_kinds(self) -> tuple[Kind, ...]:
        return tuple(Kind)

    @property
    def all_statuses(self) -> tuple[Status, ...]:
        """Statuses that a person meets; purged memories are gone."""
        return tuple(status for status in Status if status is not Status.PURGED)

    def name(self, kind: Kind) -> str:
        named = load_words(self.language).get(f"kinds.{kind.value}")
        return named or kind.properties.section.in_language(self.language)

    def attribute(self, attribute: str) -> str:
        """Return the name of an attribute; rarer ones have no words and are shown as they are."""
        named = load_words(self.language).get(f"attributes.{attribute}")
        return named or attribute.replace("_", " ")

    def name_of(self, kind: str) -> str:
        """Return the name of a kind by its value, as rows of charts have it."""
        return self.name(Kind(kind))

    def status_of(self, status: str) -> str:
        return self.status(Status(status))

    def task_of(self, task: str) -> str:
        """Return the name of a task of language models; the task itself if it has none."""
        return load_words(self.language).get(f"ledger.task_{task}", task)

    def failure_of(self, failure: str) -> str:
        """Return why a call of a language model failed; a rare reason has no words and is shown as it is."""
        named = load_words(self.language).get(f"ledger.failure_{failure}")
        return named or failure.replace("_", " ")

    def provider(self, provider: str) -> str:
        """Return the name of who understood or wrote something: our rules, or a model as it is called."""
        return self.word("page.local_rules") if provider == LOCAL_PROVIDER else provider

    def status(self, status: Status) -> str:
        return self.word(f"kinds.status_{status.value}")
