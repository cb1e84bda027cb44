"""Golden dialogues as people whose conversations follow one another."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from palimpsest_lab.cost.conversation_users import read_conversation_users

GOLDEN = Path("tests/golden/extraction")
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_each_file_is_a_user_whose_conversations_follow_one_another() -> None:
    talkers = read_conversation_users([GOLDEN / "zh_open.jsonl", GOLDEN / "en_open.jsonl"], limit=3)
    assert [talker.user_id for talker in talkers] == ["zh_open", "en_open"]
    for talker in talkers:
        assert len(talker.talks) == 3
        begun = [talk.messages[0].occurred_at for talk in talker.talks]
        assert begun == sorted(begun, key=lambda each: each or NOON - timedelta(days=9_999))
