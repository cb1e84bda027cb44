"""What is known of a user, in a terminal."""

import json
from typing import Any

import pytest

from tests.support.services.host.terminal import PROFILES, answered, ask

NOBODY_YET = {"zh": "新用户，尚无信息", "en": "New user, nothing is known yet"}


def test_an_account_is_shown_with_what_is_known_of_the_user_at_once(url: str) -> None:
    told = ask(url, "profile").output.splitlines()
    assert told == [
        "version 2, 2026-03-02 09:30 UTC, by local",
        "city: 杭州",
        "用户住在杭州。",
    ]
    assert answered(url, "profile") == json.loads(PROFILES[1].model_dump_json(exclude_none=True))


def test_what_it_said_before_is_shown_too(url: str) -> None:
    told = ask(url, "profile", "--versions", "5").output
    assert told.index("version 2") < told.index("用户住在杭州") < told.index("version 1")
    assert "用户住在上海" in told
    versions: Any = answered(url, "profile", "--versions", "1")["versions"]
    assert [version["version"] for version in versions] == [2]
    nobodys = ask(url, "profile", "--versions", "5", user="bo").output
    assert nobodys == "There is no version of it yet.\n"


@pytest.mark.parametrize("language", NOBODY_YET)
def test_of_a_stranger_that_is_said_in_the_language_asked_for(url: str, language: str) -> None:
    told = ask(url, "profile", "--language", language, user="bo").output
    assert told == f"{NOBODY_YET[language]}\n"
    assert ask(url, "profile", "--language", "fr").exit_code == 2
