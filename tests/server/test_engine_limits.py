"""Every limit of the embedded servers is worked around somewhere, and no workaround names another."""

import re

import pytest

from palimpsest_server import engine_limits
from palimpsest_server.engine_limits import BrokerLimit, DatabaseLimit
from tests.support.paths import ROOT

REFERENCE = re.compile(r"\b(?:Broker|Database)Limit\.[A-Z_]+")


@pytest.fixture(scope="module")
def references() -> set[str]:
    found: set[str] = set()
    for folder in ("libs/server/src", "services"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name != f"{engine_limits.__name__.rpartition('.')[2]}.py":
                found |= set(REFERENCE.findall(path.read_text()))
    return found


def test_each_limit_is_worked_around_where_it_is_named(references: set[str]) -> None:
    limits = {f"{type(limit).__name__}.{limit.name}" for limit in (*BrokerLimit, *DatabaseLimit)}
    assert references == limits
