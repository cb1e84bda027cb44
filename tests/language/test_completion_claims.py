"""What people say they have done, and what only sounds like it."""

from datetime import UTC, datetime

import pytest

from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo, TodoCompletion
from palimpsest.model.turn import Role
from palimpsest_language.completion_claims import find_completion_claim, find_completion_claims
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.domain.todos.completion_match import find_completed_todo

NOTHING = "nothing"
ONLY_THAT = None


def found(text: str) -> str | None:
    heard = find_completion_claim(text, message=1)
    return heard.about if heard else NOTHING


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("搞定了", ONLY_THAT),
        ("好的，搞定了！", ONLY_THAT),
        ("已经做完了。", ONLY_THAT),
        ("终于办好啦", ONLY_THAT),
        ("机票搞定了", "机票"),
        ("机票我已经订好了", "机票"),
        ("报告写完了。", "报告"),
        ("我把报告交了", "报告"),
        ("把房租付了", "房租"),
        ("房租已经交了", "房租"),
        ("季度报告交了。", "季度报告"),
        ("我已经提交了季度报告", "季度报告"),
        ("thats done", ONLY_THAT),
        ("renewed the certificate this morning", "the certificate this morning"),
        ("got mam a voucher, so thats sorted", "got mam a voucher"),
        ("i havent paid the rent", NOTHING),
        ("Done!", ONLY_THAT),
        ("OK, all done.", ONLY_THAT),
        ("I'm finished.", ONLY_THAT),
        ("Got it done", ONLY_THAT),
        ("I've already done that", ONLY_THAT),
        ("done with the tickets", "the tickets"),
        ("I am done with the tax return.", "the tax return"),
        ("I just booked the flight to Oslo.", "the flight to Oslo"),
        ("I've finally paid the rent", "the rent"),
        ("The report is finally finished", "The report"),
        ("Tickets: done", "Tickets"),
        ("car insurance done btw", "car insurance"),
        ("买菜不用再记了", "买菜"),
        ("已经给妈妈打过电话了", "给妈妈打过电话"),
        ("已经给妈妈打过电话了，别提醒了", "给妈妈打过电话"),
        ("给妈妈打了电话", "给妈妈打了电话"),
        ("修锅炉的师傅来过了", "修锅炉的师傅"),
        ("The boiler man came this morning, all fixed.", "The boiler man"),
        ("跟老板说过了", "跟老板说过"),
        ("妈妈的电话我打过了", "妈妈的电话"),
        ("电话打完了", "电话"),
        ("电话打了，一切都好", "电话"),
        ("已经交过房租了", "房租"),
        ("房租交过了", "房租"),
        ("吃过药了", "药"),
        ("药已经吃了", "药"),
        ("衣服都洗好了", "衣服"),
        ("早就订好酒店了", "酒店"),
        ("快递寄出去了", "快递"),
        ("我已经复查过了", "复查过"),
        ("作业总算写完了", "作业"),
        ("搞定了，谢谢", ONLY_THAT),
        ("I already called mom", "mom"),
        ("already fed the cat", "the cat"),
        ("I finished calling mom", "calling mom"),
        ("done packing", "packing"),
        ("I walked the dog already", "the dog"),
        ("I did the dishes", "the dishes"),
        ("I got the report done", "the report"),
        ("The taxes are out of the way", "The taxes"),
        ("I already did", ONLY_THAT),
    ],
)
def test_it_is_heard(text: str, about: str | None) -> None:
    assert found(text) == about


@pytest.mark.parametrize(
    "text",
    [
        "还没搞定",
        "没做完。",
        "快做完了",
        "马上就搞定了",
        "等报告写完了再说",
        "如果搞定了告诉我",
        "不能完成了",
        "I'm not done yet.",
        "I haven't finished the report.",
        "I'll be done soon.",
        "When the report is finished, send it.",
        "Are you done?",
        "I need to get it done",
        "Almost done.",
        "我喜欢喝咖啡",
        "I like the new office.",
        "I already know",
        "I already have a dog",
        "我去过日本了",
        "我已经不去健身房了",
        "周六去摆摊好了",
        "你到时候提醒我把猫粮收了",
        "今天去了趟银行，碰到老同学，聊了半天，票也买完了，回来都九点了",
    ],
)
def test_what_only_sounds_like_it_is_not(text: str) -> None:
    assert found(text) == NOTHING


@pytest.mark.parametrize(
    ("role", "fresh", "heard"),
    [(Role.USER, True, 1), (Role.AGENT, True, 0), (Role.USER, False, 0)],
)
async def test_only_people_say_so_and_only_what_is_new(role: Role, fresh: bool, heard: int) -> None:
    message = DialogueMessage(
        number=1,
        role=role,
        speaker=None,
        text="票都订好了吗？搞定了",
        fresh=fresh,
        occurred_at=datetime(2026, 3, 4, tzinfo=UTC),
    )
    request = ExtractionRequest(
        user_id="ann", messages=(message,), participants=(), language=None, time_zone="UTC"
    )
    answer = await LocalExtractor().extract(request)
    assert [each.evidence.quote for each in answer.finished] == ["搞定了"] * heard


@pytest.mark.parametrize(
    ("asked_for", "done"),
    [
        ("Remind me to call mom tomorrow at 8", "I already called mom"),
        ("Remind me to call mom tomorrow at 8", "I'm done calling my mom"),
        ("提醒我明天早上八点给妈妈打电话", "已经给妈妈打过电话了"),
        ("提醒我明天早上八点给妈妈打电话", "电话打完了"),
    ],
)
async def test_what_was_asked_for_is_what_is_said_to_be_done(asked_for: str, done: str) -> None:
    at = datetime(2026, 3, 4, tzinfo=UTC)
    messages = tuple(
        DialogueMessage(number=n, role=role, speaker=None, text=text, fresh=True, occurred_at=at)
        for n, (role, text) in enumerate(
            [(Role.USER, asked_for), (Role.AGENT, "OK"), (Role.USER, done)], start=1
        )
    )
    request = ExtractionRequest(
        user_id="ann", messages=messages, participants=(), language=None, time_zone="UTC"
    )
    answer = await LocalExtractor().extract(request)
    [heard] = answer.finished
    todo = Todo(
        id="t",
        scope=Scope(user_id="ann"),
        content=answer.proposals[0].content,
        created_at=at,
        epoch=0,
    )
    said = TodoCompletion(quote=heard.evidence.quote, about=heard.about, said_at=at)
    assert find_completed_todo(said, [todo]) == todo


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Renewed my passport, also booked the flights.", ["my passport", "the flights"]),
        ("Got the visa and also booked the flights.", ["the flights"]),
        ("I paid the rent and I called the dentist", ["the rent", "the dentist"]),
        ("I have to renew my passport, also booked the flights?", []),
        ("取暖费交了，1860，比去年贵", ["取暖费"]),
    ],
)
def test_all_that_a_sentence_says_is_done_is_heard(text: str, about: list[str]) -> None:
    heard = list(find_completion_claims(text, message=1))
    assert [each.about for each in heard] == about
    assert all(each.evidence.quote == text for each in heard)
