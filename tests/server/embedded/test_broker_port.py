"""Which port the broker takes, and what people are told of it."""

from pathlib import Path

import pytest

from palimpsest_server.embedded.broker_port import (
    BrokerPortFile,
    BrokerPortTaken,
    choose_broker_port,
)
from palimpsest_server.embedded.ports import suggest_port

ANY = 38569


def taken(*, asked: int | None = None, before: int | None = None, usual: int | None = 9092,
          by_others: frozenset[int] = frozenset()) -> tuple[int, str | None]:  # fmt: skip
    found = choose_broker_port(
        asked=asked,
        before=before,
        usual=usual,
        is_free=lambda port: port not in by_others,
        choose=lambda _: ANY,
    )
    return found.port, found.words


def test_it_is_the_usual_one_and_nothing_is_said() -> None:
    assert taken() == (9092, None)


def test_where_the_usual_one_is_taken_it_is_said_which_it_is() -> None:
    port, words = taken(by_others=frozenset({9092}))
    assert port == ANY
    assert words is not None
    assert words.startswith("port 9092 is taken; Kafka is on 127.0.0.1:38569")
    assert "PALIMPSEST_EMBEDDED_KAFKA_PORT" in words


def test_it_stays_where_it_was_and_says_so() -> None:
    port, words = taken(before=ANY)
    assert port == ANY
    assert words is not None
    assert "stays on 127.0.0.1:38569" in words
    assert taken(before=9092) == (9092, None)


def test_where_it_was_somebody_else_may_be_by_now() -> None:
    assert taken(before=38570, by_others=frozenset({38570})) == (9092, None)


def test_one_that_is_asked_for_is_taken_wherever_it_was_before() -> None:
    assert taken(asked=9192, before=ANY) == (9192, None)


def test_one_that_is_asked_for_and_taken_is_refused_with_what_to_do() -> None:
    with pytest.raises(BrokerPortTaken, match=r"9192.*PALIMPSEST_EMBEDDED_KAFKA_PORT=9193"):
        taken(asked=9192, by_others=frozenset({9192}))


def test_the_port_to_choose_instead_is_free_and_no_other_server_of_ours_has_it() -> None:
    with pytest.raises(BrokerPortTaken, match="PALIMPSEST_EMBEDDED_KAFKA_PORT=18113"):
        choose_broker_port(
            asked=18110,
            before=None,
            usual=9092,
            is_free=lambda port: port not in {18110, 18112},
            reserved={18111},
        )


@pytest.mark.parametrize(
    ("taken", "reserved", "busy", "suggested"),
    [
        (8000, set(), set(), 8001),
        (18110, {18111}, set(), 18112),
        (9091, {9092, 27117}, {9093}, 9094),
        (65_535, set(), {65_534}, 65_533),
        (8000, set(), set(range(1, 65_536)), 0),
    ],
)
def test_a_port_is_suggested(
    taken: int, reserved: set[int], busy: set[int], suggested: int
) -> None:
    found = suggest_port(taken, reserved=reserved, is_free=lambda port: port not in busy)
    assert found == suggested


@pytest.mark.parametrize(("asked", "usual"), [(0, 9092), (None, None)])
def test_any_is_any_and_the_same_again(asked: int | None, usual: int | None) -> None:
    assert taken(asked=asked, usual=usual) == (ANY, None)
    assert taken(asked=asked, usual=usual, before=38570) == (38570, None)


def test_where_it_was_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = BrokerPortFile(tmp_path / "ports.json")
    assert record.read() is None
    record.write(ANY)
    assert BrokerPortFile(tmp_path / "ports.json").read() == ANY


@pytest.mark.parametrize("content", ["", "[]", '{"broker": "x"}', "{"])
def test_a_record_that_cannot_be_read_says_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / "ports.json").write_text(content)
    assert BrokerPortFile(tmp_path / "ports.json").read() is None
