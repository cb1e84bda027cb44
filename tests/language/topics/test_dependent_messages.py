"""Messages that hang on another of the same talk: answers to it, and what goes on about it."""

from palimpsest.model.turn import Role, Turn
from palimpsest_language.topics.dependent_messages import find_dependent_turns
from tests.support.turns import turn


def talk(*lines: tuple[str, str]) -> list[Turn]:
    """Each line by its speaker: `me`, a name, or `agent`."""
    return [
        turn(
            number,
            text=text,
            role=Role.AGENT if speaker == "agent" else Role.USER,
            speaker=None if speaker in {"me", "agent"} else speaker,
        )
        for number, (speaker, text) in enumerate(lines, start=1)
    ]


def dependent(turns: list[Turn], *on_topic: int) -> tuple[list[int], list[int]]:
    found = find_dependent_turns(turns, {turns[number - 1].id for number in on_topic})
    numbers = {turn.id: number for number, turn in enumerate(turns, start=1)}
    answering = sorted(numbers[identity] for identity in found.answering)
    return answering, sorted(numbers[identity] for identity in found.following)


def test_reasons_and_worries_hang_on_what_they_are_about() -> None:
    turns = talk(
        ("me", "我最近在考虑换工作"),
        ("agent", "为什么呢？"),
        ("me", "主要是压力太大了"),
        ("me", "担心收入下降"),
        ("agent", "可以先存点钱"),
        ("me", "对了，周末要去爬山"),
        ("agent", "玩得开心"),
        ("me", "因为天气好"),
    )
    assert dependent(turns, 1) == ([2, 3, 4, 5], [6])


def test_so_it_is_in_english() -> None:
    turns = talk(
        ("me", "I like green tea."),
        ("agent", "Good choice."),
        ("me", "I am thinking of changing jobs."),
        ("agent", "What is wrong with this one?"),
        ("me", "Mostly the pressure."),
        ("me", "But it would mean less money."),
        ("agent", "Then save some first."),
        ("me", "My sister is coming on Friday."),
        ("agent", "Lovely."),
    )
    assert dependent(turns, 3) == ([4, 5, 6, 7], [8])


def test_somebody_else_goes_on_about_their_own() -> None:
    turns = talk(
        ("Ann", "I am thinking of changing jobs."),
        ("Bo", "Because of the rent I moved."),
        ("Ann", "It's late."),
    )
    assert dependent(turns, 1) == ([], [2])


def test_nothing_hangs_on_what_is_not_there() -> None:
    turns = talk(("me", "Mostly the pressure."), ("agent", "I see."))
    assert dependent(turns) == ([], [])
