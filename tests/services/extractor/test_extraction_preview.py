"""Extraction as a dry run: what would be remembered, from which words, and why not the rest."""

from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.api.extraction_preview import ExtractionPreview, LeftOutReason, PreviewRequest
from palimpsest.model.errors import NotStorable
from palimpsest.model.user import UserState
from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposals import ExtractionAnswer, MessageQuote, Proposal
from palimpsest_language.redaction.policy import (
    DEFAULT_POLICY,
    PrivacyPolicy,
    SecretHandling,
    SecretKind,
)
from services.extractor.extraction_preview import ExtractionPreviewer

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Users:
    async def of(self, user_ids: Any) -> dict[str, UserState]:
        return {user_id: UserState(epoch=2) for user_id in user_ids}


async def preview(
    *messages: Any, provider: Any = None, privacy: PrivacyPolicy = DEFAULT_POLICY
) -> ExtractionPreview:
    said = [{"text": message} if isinstance(message, str) else message for message in messages]
    request = PreviewRequest.model_validate({"user_id": "ann", "messages": said})
    previewer = ExtractionPreviewer(provider or LocalExtractor(), Users(), privacy, lambda: NOW)
    return await previewer.preview(request)


def reasons(found: ExtractionPreview) -> dict[str, LeftOutReason]:
    return {left_out_words.words: left_out_words.reason for left_out_words in found.left_out}


async def test_memories_name_their_words_and_all_other_words_the_reason() -> None:
    found = await preview(
        "I moved to Oslo last week. Where is the station? Thanks!",
        {"role": "assistant", "text": "Oslo is lovely in spring."},
        {"role": "tool", "text": '{"temperature": 3}'},
    )
    (memory,) = found.memories
    assert "Oslo" in memory.content
    assert [(piece.message_id, piece.quote) for piece in memory.evidence] == [
        ("1", memory.evidence[0].quote)
    ]
    assert memory.scope.user_id == "ann"
    assert reasons(found) == {
        "Where is the station?": LeftOutReason.QUESTION,
        "Thanks!": LeftOutReason.CHIT_CHAT,
        "Oslo is lovely in spring.": LeftOutReason.AGENT,
        '{"temperature": 3}': LeftOutReason.TOOL,
    }
    assert found.provider == "local"


async def test_in_chinese_too() -> None:
    found = await preview("我对花生过敏。你觉得呢？")
    assert [candidate.evidence[0].message_id for candidate in found.memories] == ["1"]
    assert reasons(found) == {"你觉得呢？": LeftOutReason.QUESTION}


async def test_what_is_off_the_record_is_left_out_as_a_whole() -> None:
    found = await preview("I am allergic to peanuts. Don't remember that.")
    assert found.memories == ()
    assert set(reasons(found).values()) == {LeftOutReason.OFF_THE_RECORD}


async def test_secrets_are_taken_out_or_refused_as_the_policy_says() -> None:
    card = "My card is 4111 1111 1111 1111."
    assert "4111" not in (await preview(card)).model_dump_json()
    blocking = PrivacyPolicy.of({SecretKind.CARD: SecretHandling.BLOCK})
    with pytest.raises(NotStorable):
        await preview(card, privacy=blocking)


async def test_a_proposal_that_does_not_hold_is_told_with_its_flaw() -> None:
    class Inventing:
        name = "vendor/model"

        async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
            (message,) = request.messages
            quote = MessageQuote(message=message.number, quote="I like tea")
            return ExtractionAnswer(
                proposals=(
                    Proposal(
                        kind="preference", content="The user has 7 teapots", evidence=(quote,)
                    ),
                )
            )

    found = await preview("I like tea.", provider=Inventing())
    assert found.memories == ()
    (left,) = found.left_out
    assert (left.reason, left.flaw) == (LeftOutReason.UNSOUND, "invented_number")
    assert found.provider == "vendor/model"
