"""One contract for all vendors, through their own clients and real HTTP."""

from collections.abc import AsyncIterator
from datetime import timedelta
from email.utils import format_datetime

import pytest

from palimpsest.model.clock import Clock
from palimpsest.model.errors import PalimpsestError, PermanentError, TransientError
from palimpsest_server.models.answer_parser import parse_answer
from palimpsest_server.models.language_model import FinishReason, LanguageModel
from palimpsest_server.models.model_errors import (
    ModelNotAuthorised,
    ModelServerError,
    ModelTimedOut,
    ModelUnreachable,
    NoSuchModel,
    PromptRefused,
    QuotaExhausted,
    RateLimited,
    UnreadableResponse,
)
from palimpsest_server.models.openai_compatible import AnswerFormat, OpenAICompatible
from palimpsest_server.models.vendors import Vendor, VendorConnections, create_language_model
from tests.support.models.model_server import (
    Asked,
    Fails,
    ModelServer,
    Says,
    Sends,
    answers,
    tokens,
)
from tests.support.server.models.answering import KEY, PARIS, QUESTION, Capital, model_at, reaching


@pytest.fixture(params=list(Vendor))
async def model(
    request: pytest.FixtureRequest, server: ModelServer, clock: Clock
) -> AsyncIterator[LanguageModel]:
    model = model_at(server, request.param, clock)
    yield model
    await model.close()


async def test_an_answer_comes_in_the_shape_asked_for_with_its_tokens(
    model: LanguageModel, server: ModelServer
) -> None:
    server.script.append(answers(PARIS))
    completion = await model.complete(QUESTION, maximum_output_tokens=100)
    assert parse_answer(completion, Capital) == Capital.model_validate(PARIS)
    assert completion.ending is FinishReason.COMPLETE
    [asked] = server.asked
    assert completion.usage.input_tokens == tokens(asked.text)
    assert completion.usage.output_tokens == tokens(completion.text)
    cached = 0 if model.vendor == "compatible" else tokens(asked.text) // 2
    assert completion.usage.cached_input_tokens == cached


async def test_the_request_carries_model_question_shape_and_limit(
    model: LanguageModel, server: ModelServer
) -> None:
    server.script.append(answers(PARIS))
    await model.complete(QUESTION, maximum_output_tokens=77)
    [asked] = server.asked
    assert asked.body["model"] == "m-1"
    assert 77 in asked.body.values()
    assert "You know the world." in str(asked.body)
    assert asked.last == "What is the capital of France?"
    assert "inhabitants" in str(asked.body)
    assert KEY in (asked.key or "") or model.vendor == "compatible"


async def test_an_exchange_goes_on_with_what_was_answered(
    model: LanguageModel, server: ModelServer
) -> None:
    server.script.append(answers(PARIS))
    again = QUESTION.followed_by("Lyon?", "No JSON there.")
    await model.complete(again, maximum_output_tokens=100)
    [asked] = server.asked
    said = asked.body.get("messages") or asked.body["input"]
    assert [each["role"] for each in said][-3:] == ["user", "assistant", "user"]
    assert asked.last == "No JSON there."


@pytest.mark.parametrize("ending", [FinishReason.CUT_SHORT, FinishReason.REFUSED])
async def test_how_an_answer_ended_is_told(
    model: LanguageModel, server: ModelServer, ending: FinishReason
) -> None:
    server.script.append(Says('{"city": "Par', ending=ending.value))
    completion = await model.complete(QUESTION, maximum_output_tokens=100)
    assert completion.ending is ending
    assert completion.usage.input_tokens > 0


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, PromptRefused),
        (413, PromptRefused),
        (422, PromptRefused),
        (401, ModelNotAuthorised),
        (403, ModelNotAuthorised),
        (404, NoSuchModel),
        (408, ModelServerError),
        (429, RateLimited),
        (500, ModelServerError),
        (502, ModelServerError),
        (503, ModelServerError),
        (529, RateLimited),
    ],
)
async def test_each_status_has_its_error_and_is_tried_once(
    model: LanguageModel, server: ModelServer, status: int, error: type[PalimpsestError]
) -> None:
    server.otherwise = lambda _: Fails(status)
    with pytest.raises(error) as caught:
        await model.complete(QUESTION, maximum_output_tokens=100)
    assert type(caught.value) is error
    shapes = len(AnswerFormat) if error is PromptRefused and model.vendor == "compatible" else 1
    assert len(server.asked) == shapes


@pytest.mark.parametrize("status", [429, 503, 529])
async def test_a_server_says_when_to_come_back(
    model: LanguageModel, server: ModelServer, clock: Clock, status: int
) -> None:
    date = format_datetime(clock() + timedelta(seconds=90), usegmt=True)
    for header, seconds in (("7", 7.0), ("2.5", 2.5), (date, 90.0)):
        server.script.append(Fails(status, {"retry-after": header}))
        with pytest.raises(RateLimited) as caught:
            await model.complete(QUESTION, maximum_output_tokens=100)
        assert caught.value.retry_after_seconds == seconds


async def test_a_wait_that_cannot_be_read_is_replaced_by_ours(
    model: LanguageModel, server: ModelServer
) -> None:
    server.script.append(Fails(429, {"retry-after": "soon"}))
    with pytest.raises(RateLimited) as caught:
        await model.complete(QUESTION, maximum_output_tokens=100)
    assert caught.value.retry_after_seconds == 20.0


async def test_an_account_with_nothing_left_is_told_from_haste(
    server: ModelServer, clock: Clock
) -> None:
    model = model_at(server, Vendor.OPENAI, clock)
    server.script.append(Fails(429, body={"error": {"code": "insufficient_quota"}}))
    with pytest.raises(QuotaExhausted):
        await model.complete(QUESTION, maximum_output_tokens=100)
    await model.close()


@pytest.mark.parametrize(
    "body",
    [
        Sends(b'{"id": "x", "output": [{"type": "mess'),
        Sends(b"<html>Bad gateway</html>", "text/html"),
        Sends(b"{}"),
        Sends(b"[]"),
        Sends(b"null"),
    ],
)
async def test_a_body_of_another_kind_is_the_servers_failure(
    model: LanguageModel, server: ModelServer, body: Sends
) -> None:
    server.script.append(body)
    with pytest.raises(UnreadableResponse):
        await model.complete(QUESTION, maximum_output_tokens=100)


@pytest.mark.parametrize("vendor", list(Vendor))
async def test_a_slow_answer_is_not_waited_for_longer_than_allowed(
    server: ModelServer, clock: Clock, vendor: Vendor
) -> None:
    model = model_at(server, vendor, clock, timeout_seconds=0.05)
    server.script.append(Says("{}", after_seconds=0.3))
    with pytest.raises(ModelTimedOut):
        await model.complete(QUESTION, maximum_output_tokens=100)
    await model.close()


@pytest.mark.parametrize("vendor", list(Vendor))
async def test_a_server_that_is_not_there(
    server: ModelServer, clock: Clock, vendor: Vendor
) -> None:
    server.url = "http://127.0.0.1:9"
    model = model_at(server, vendor, clock)
    with pytest.raises(ModelUnreachable):
        await model.complete(QUESTION, maximum_output_tokens=100)
    await model.close()


async def test_no_error_repeats_key_or_question(model: LanguageModel, server: ModelServer) -> None:
    server.script.append(Fails(400, body={"error": {"message": "France? " + KEY}}))
    server.otherwise = lambda _: Fails(401, body={"error": {"message": "France? " + KEY}})
    with pytest.raises((TransientError, PermanentError)) as caught:
        await model.complete(QUESTION, maximum_output_tokens=100)
    assert "France" not in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("refused", "remembered"),
    [
        (set(), AnswerFormat.JSON_SCHEMA),
        ({"json_schema"}, AnswerFormat.JSON_OBJECT),
        ({"json_schema", "json_object"}, AnswerFormat.WORDS),
    ],
)
async def test_what_a_server_does_not_know_is_not_asked_of_it_again(
    server: ModelServer, clock: Clock, refused: set[str], remembered: AnswerFormat
) -> None:
    model = model_at(server, Vendor.COMPATIBLE, clock)
    assert isinstance(model, OpenAICompatible)
    server.refused_formats = refused
    server.otherwise = lambda _: answers(PARIS)
    for _ in range(2):
        completion = await model.complete(QUESTION, maximum_output_tokens=100)
        assert parse_answer(completion, Capital).city == "Paris"
    assert model.shaping is remembered
    assert len(server.asked) == 2 + len(refused)
    in_words = "inhabitants" in server.asked[-1].text
    assert in_words == (remembered is not AnswerFormat.JSON_SCHEMA)
    await model.close()


async def test_a_model_that_was_not_held_to_the_schema_is_told_it_in_words(
    server: ModelServer, clock: Clock
) -> None:
    def heedless(asked: Asked) -> Says:
        knows = "inhabitants" in asked.text
        return answers(PARIS) if knows else Says("The capital is Paris.")

    model = model_at(server, Vendor.COMPATIBLE, clock)
    server.otherwise = heedless
    said = [
        (await model.complete(QUESTION, maximum_output_tokens=100)).text.startswith("{")
        for _ in range(3)
    ]
    assert said == [False, True, True]
    # It may heed it one day, or another model there does.
    assert {each.body["response_format"]["type"] for each in server.asked} == {"json_schema"}
    await model.close()


async def test_a_prompt_refused_in_any_shape_teaches_nothing_about_the_server(
    server: ModelServer, clock: Clock
) -> None:
    model = model_at(server, Vendor.COMPATIBLE, clock)
    assert isinstance(model, OpenAICompatible)
    server.otherwise = lambda _: Fails(400)
    with pytest.raises(PromptRefused):
        await model.complete(QUESTION, maximum_output_tokens=100)
    assert model.shaping is AnswerFormat.JSON_SCHEMA
    await model.close()


@pytest.mark.parametrize("name", ["gpt", "openai/", "nobody/gpt", "local/x", ""])
def test_a_name_without_known_vendor_is_refused(name: str, clock: Clock) -> None:
    with pytest.raises(PermanentError, match="no language model"):
        create_language_model(name, VendorConnections(timeout_seconds=1), clock=clock)


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("openai/m", "PALIMPSEST_OPENAI_API_KEY"),
        ("anthropic/m", "PALIMPSEST_ANTHROPIC_API_KEY"),
        ("compatible/m", "PALIMPSEST_COMPATIBLE_BASE_URL"),
    ],
)
def test_what_is_missing_is_named(name: str, missing: str, clock: Clock) -> None:
    with pytest.raises(PermanentError, match=missing):
        create_language_model(name, VendorConnections(timeout_seconds=1), clock=clock)


async def test_a_models_own_name_may_hold_slashes(server: ModelServer, clock: Clock) -> None:
    model = create_language_model("compatible/Qwen/Qwen3-8B", reaching(server), clock=clock)
    assert model.name == "Qwen/Qwen3-8B"
    await model.close()
