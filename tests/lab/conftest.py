"""Instances that are measured, without the time that it takes to load them."""

from collections.abc import Iterator

import pytest

from tests.support.lab.forked_instances import forked_instances


@pytest.fixture(scope="package", autouse=True)
def instances_are_forked() -> Iterator[None]:
    with forked_instances():
        yield
