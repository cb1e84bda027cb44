"""Two versions of a profile, compared sentence by sentence."""

from datetime import UTC, datetime

from palimpsest.model.profile import Profile, build_empty_profile
from palimpsest.model.user import Language
from palimpsest_server.domain.profiles.profile_difference import compare_profiles, split_profile

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def profile(version: int, narrative: str, **basic_info: str) -> Profile:
    empty = build_empty_profile("ann", Language.ENGLISH, epoch=0, now=NOW)
    fields = {"version": version, "narrative": narrative, "basic_info": basic_info}
    return empty.model_copy(update=fields)


def test_sentences_that_stay_come_and_go_are_told_apart() -> None:
    before = profile(1, "Ann lives in Oslo. She likes tea.\n\nShe is 3.5 m away.", city="Oslo")
    after = profile(2, "Ann lives in Bergen. She likes tea.\n\nShe is 3.5 m away.", city="Bergen")
    found = compare_profiles(before, after)
    assert [
        (sentence_change.change, sentence_change.sentence) for sentence_change in found.sentences
    ] == [
        ("removed", "Ann lives in Oslo."),
        ("added", "Ann lives in Bergen."),
        ("same", "She likes tea."),
        ("same", "She is 3.5 m away."),
    ]
    assert found.basic_info == {"city": ("Oslo", "Bergen")}
    assert (found.before, found.after) == (1, 2)


def test_chinese_sentences_need_no_space_between_them() -> None:
    assert split_profile(profile(1, "用户住在杭州。喜欢喝茶！你呢？")) == [
        "用户住在杭州。",
        "喜欢喝茶！",
        "你呢？",
    ]
