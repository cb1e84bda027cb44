"""A day's acts as events, and what is to be waited for."""

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.events.conversations import MessageAdded, RememberRequested, SessionEnded
from palimpsest_lab.simulation.day_events import MESSAGES_OF_A_SESSION, build_day_events
from palimpsest_lab.simulation.user_actions import UserActionType
from palimpsest_lab.simulation.year_generator import generate_year
from palimpsest_server.domain.extraction_windows import minimum_window_messages
from palimpsest_server.runtime.settings import Settings
from tests.support.lab.simulation.people import ANN, BEN, act, on


def test_statements_are_requests_or_a_conversation_by_who_makes_them() -> None:
    stated = act(1, UserActionType.STATE, "city", "Leeds", person=ANN, text="I live in Leeds.")
    said = act(1, UserActionType.STATE, "city", "Leeds", person=BEN, text="I live in Leeds.")
    day = build_day_events([stated, said])
    request, message, ended = day.events
    assert isinstance(request, RememberRequested)
    assert (request.subject, request.attribute, request.value) == ("user", "city", "Leeds")
    assert (request.content, request.message_id) == ("I live in Leeds.", "ann-1")
    assert isinstance(message, MessageAdded)
    assert message.text == "I live in Leeds."
    assert isinstance(ended, SessionEnded)
    assert day.requests == ["ann-1"]
    assert day.conversations == ["ben"]


def test_what_is_over_is_said_to_be() -> None:
    (event,) = build_day_events([act(1, UserActionType.STOP, "likes", "oysters")]).events
    assert isinstance(event, RememberRequested)
    assert event.ended


def test_what_is_late_comes_out_of_a_conversation_of_its_own() -> None:
    today = act(1, UserActionType.STATE, "city", "Leeds", day=9, person=BEN)
    late = act(2, UserActionType.LATE, "city", "Austin", day=9, occurred_at=on(2), person=BEN)
    day = build_day_events([today, late])
    assert len({event.session_id for event in day.events}) == 2
    assert day.conversations == ["ben", "ben"]


def test_chat_and_commands_are_waited_for_by_nobody() -> None:
    day = build_day_events(
        [
            act(1, UserActionType.CHAT, person=BEN),
            act(2, UserActionType.FORGET, None, "x", person=BEN),
        ]
    )
    assert [event.type for event in day.events] == ["MessageAdded", "SessionEnded"]
    assert not day.conversations
    assert not day.requests


def test_no_conversation_fills_a_window_before_its_end() -> None:
    assert minimum_window_messages(Settings().extraction_window_rounds) > MESSAGES_OF_A_SESSION


@given(st.integers(), st.integers(1, 60))
def test_every_conversation_ends_and_is_waited_for_once(seed: int, messages: int) -> None:
    day = build_day_events(generate_year(seed=seed, users=3, messages=messages, days=1).acts)
    said = [event for event in day.events if isinstance(event, MessageAdded)]
    ended = [event.session_id for event in day.events if isinstance(event, SessionEnded)]
    assert len(said) + len(day.requests) == messages
    assert len(set(ended)) == len(ended)
    assert {event.session_id for event in said} == set(ended)
    assert len(day.conversations) <= len(ended)
