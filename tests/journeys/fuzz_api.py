"""Cases for every operation of the API, made from its own description: none may end in a 500.

`make fuzz` runs it. Some cases keep to the description, others break it in one place.
"""

import os
from collections import Counter
from collections.abc import Iterator
from math import ceil
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from tests.support.journeys.running import RunningPalimpsest

CASES = int(os.environ.get("CASES", "2000"))
SEED = int(os.environ.get("SEED", "1"))

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(3_600)]


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as opened:
        opened.trust_env = False
        yield opened


def load_operations(url: str, session: requests.Session) -> list[Any]:
    """Read the operations of the running instance; one that is described wrongly raises.

    Streams of events are left out, for they do not end.
    """
    document = session.get(f"{url}/openapi.json", timeout=30).json()
    document["paths"].pop("/v1/events/stream")
    # A configuration of its own: none of a file that lies about is looked for.
    description = schemathesis.openapi.from_dict(document, config=schemathesis.Config())
    results: list[Any] = list(description.get_all_operations())
    return [result.ok() for result in results]


def build_strategies(operation: Any) -> list[st.SearchStrategy[Any]]:
    strategies = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]
    if operation.get_parameter("user_id", "query"):
        # With an odd user a request is refused before its other parameters are looked at.
        strategies.append(operation.as_strategy(query={"user_id": "ann"}))
    return strategies


class Answers:
    """Counts the answers by status, and keeps one request for each that is not documented."""

    def __init__(self, url: str, session: requests.Session) -> None:
        self._url = url
        self._session = session
        self.statuses: Counter[int] = Counter()
        self.unclear: dict[str, str] = {}

    def ask(self, case: Any) -> None:
        status = case.call(base_url=self._url, session=self._session, timeout=60).status_code
        self.statuses[status] += 1
        if status == 500 or str(status) not in map(str, case.operation.responses.status_codes):
            request = case.as_curl_command()[:600]
            self.unclear.setdefault(f"{case.operation.label}: {status}", request)


async def test_no_request_ends_in_a_500_or_in_a_status_that_is_not_documented(
    own_palimpsest: RunningPalimpsest, session: requests.Session
) -> None:
    await own_palimpsest.start()
    url = own_palimpsest.instance.http_url
    operations = load_operations(url, session)
    steady = settings(
        max_examples=ceil(CASES / len(operations)),
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )
    answers = Answers(url, session)
    for operation in operations:
        seed(SEED)(steady(given(st.one_of(build_strategies(operation)))(answers.ask)))()
    print(f"{answers.statuses.total()} cases of {len(operations)} operations: {answers.statuses}")  # noqa: T201 - for who runs it
    assert answers.unclear == {}
