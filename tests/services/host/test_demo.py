"""What the demo expects to be remembered of its bundled conversation."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from palimpsest.model.memory import Status
from palimpsest_server.runtime.settings import Mode, Settings
from services.host.commands.demo import advise_after_failure
from services.host.demo.conversation import load_bundled_conversation
from services.host.embedded_mode import EMBEDDED_OVERRIDES
from tests.support.language.statements.saying import proposed


async def test_local_rules_propose_what_the_demo_expects() -> None:
    conversation = load_bundled_conversation()
    found = [
        proposal.content
        for session in conversation.sessions
        for proposal in await proposed(
            *(
                f"{line.agent}: {line.text}" if line.agent else line.text
                for line in session.messages
            ),
            participants=session.agents,
        )
    ]
    lacking = [
        expected.words
        for expected in conversation.memories
        if not any(expected.words in content for content in found)
    ]
    assert lacking == []
    assert {expected.status for expected in conversation.memories} == {
        Status.ACTIVE,
        Status.SUPERSEDED,
    }


def of_the_demo() -> Settings:
    own = Settings(
        _env_file=None,
        mode=Mode.EMBEDDED,
        data_directory=Path("demo"),
        http_port=0,
        log_level="ERROR",
    )
    addresses = {"kafka_bootstrap_servers": "kafka:1", "mongodb_url": SecretStr("mongodb://m")}
    return own.model_copy(update=EMBEDDED_OVERRIDES | addresses)


def test_who_set_something_is_told_what_a_failed_demo_may_come_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PALIMPSEST_EXTRACTION_MODEL", "openai/m-1")
    monkeypatch.setenv("PALIMPSEST_LAYOUT", "per_agent")
    assert advise_after_failure(of_the_demo()).endswith(
        "try again without PALIMPSEST_EXTRACTION_MODEL."
    )


def test_who_set_nothing_is_told_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"PALIMPSEST_{name}".upper(), raising=False)
    assert "try again" in advise_after_failure(of_the_demo())
    assert "`palimpsest doctor`" in advise_after_failure(of_the_demo())
