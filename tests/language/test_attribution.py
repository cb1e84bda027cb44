"""What a statement is about that no rule takes apart: its topic, and the one value that it names.

The sentences are none of those that the simulated users say.
"""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.turn import Role
from palimpsest_language.attributes.attribute_names import is_single_valued
from palimpsest_language.attribution.attribute_finder import (
    MAX_STATEMENT_CHARACTERS,
    find_attribute_value,
)
from palimpsest_language.dialogue import DialogueMessage, ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposals import Proposal

HELD = [
    ("Home is Lyon these days", "city", "Lyon"),
    ("We've put down roots in Tallinn", "city", "Tallinn"),
    ("Left the agency to join Corvid Labs", "employer", "Corvid Labs"),
    ("Corvid Labs signs my paychecks", "employer", "Corvid Labs"),
    ("Got promoted to senior site engineer", "job", "senior site engineer"),
    ("I'm assistant manager at the depot now", "job", "assistant manager"),
    ("I traded my Ford for a Mini", "car", "Mini"),
    ("My Dacia Duster has a new set of tyres", "car", "Dacia Duster"),
    ("Moved my calls over to a Fairphone 5", "phone", "Fairphone 5"),
    ("Switched from HSBC to Monzo last month", "bank", "Monzo"),
    ("Triodos looks after all my savings", "bank", "Triodos"),
    ("I lift at Ironbridge Gym on Mondays", "gym", "Ironbridge Gym"),
    ("Marta and I are an item", "partner", "Marta"),
    ("Nothing beats Georgian food", "favorite_cuisine", "Georgian"),
    ("No longer vegan, back to eating keto", "diet", "keto"),
    ("I was all about Thai, these days Georgian is my favourite", "favorite_cuisine", "Georgian"),
    ("Ironbridge is where I lift", "gym", "Ironbridge"),
    ("My first week at Corvid Labs was calm", "employer", "Corvid Labs"),
    ("I've gone pescatarian since spring", "diet", "pescatarian"),
    ("Most of what I write is Kotlin", "preferred_language", "Kotlin"),
    ("搬到杭州了", "city", "杭州"),
    ("我在昆明租了房，先住下来", "city", "昆明"),
    ("从腾讯跳槽到字节了", "employer", "字节"),
    ("我给启明软件打工", "employer", "启明软件"),
    ("我升了高级质检员", "job", "高级质检员"),
    ("本来开丰田，我现在开的是蔚来ES6", "car", "蔚来ES6"),
    ("手机换成华为Mate60了", "phone", "华为Mate60"),
    ("工资卡是招行的", "bank", "招行"),
    ("办了铁山健身房的年卡", "gym", "铁山健身房"),
    ("我健身都在铁山运动中心", "gym", "铁山运动中心"),
    ("我跟雨桐在一起了", "partner", "雨桐"),
    ("最爱的还是川菜", "favorite_cuisine", "川菜"),
    ("我改吃生酮了", "diet", "生酮"),
    ("平时基本都写Kotlin，主力语言", "preferred_language", "Kotlin"),
]

NOTHING = [
    "If I were rich I'd drive a Tesla",
    "I'd love to drive a Volvo one day",
    "Do I look like I drive a Volvo?",
    "My brother drives a Tesla",
    "She banks with Monzo",
    "I don't bank with Chase anymore",
    "I rented a Kia over the weekend, nice car",
    "I might move my salary to Triodos",
    "I used to drive a Saab",
    "There's a vegan restaurant near my home",
    "I made vegan ice cream on Friday",
    "I like Thai food and Greek food",
    "My favourite cuisines are Thai and Greek",
    "I'm no writer",
    "My Honda and my Mini are both at the garage",
    "如果有钱我想买特斯拉",
    "我妈开丰田",
    "我打算换到招商银行",
    "我不开丰田",
    "阿辽跟小鹭在一起了",
    "公司楼下新开了一家素食餐厅",
    "三个吃素的同事",
    "我的特斯拉和丰田都在车库",
    "他是医生",
    "要是搬到成都就好了",
]


@pytest.mark.parametrize(("text", "attribute", "value"), HELD)
def test_what_it_is_about_is_plain(text: str, attribute: str, value: str) -> None:
    said = find_attribute_value(text)
    assert said is not None
    assert (said.attribute, said.value) == (attribute, value)


@pytest.mark.parametrize("text", NOTHING)
def test_what_is_supposed_denied_past_or_of_others_holds_nothing(text: str) -> None:
    assert find_attribute_value(text) is None


STATEMENTS = st.sampled_from([text for text, _, _ in HELD])
ENGLISH = st.sampled_from([text for text, _, _ in HELD if text.isascii()])
CHINESE = st.sampled_from([text for text, _, _ in HELD if not text.isascii()])


@given(ENGLISH, st.sampled_from(["If only: ", "Maybe ", "I wish ", "My sister says ", "Imagine: "]))
def test_what_is_supposed_in_english_never_holds(text: str, before: str) -> None:
    assert find_attribute_value(before + text) is None


@given(CHINESE, st.sampled_from(["如果", "要是", "我妈说", "听说", "我打算"]))
def test_what_is_supposed_in_chinese_never_holds(text: str, before: str) -> None:
    assert find_attribute_value(before + text) is None


@given(STATEMENTS, STATEMENTS, st.sampled_from([", ", "，", " and ", "。"]))
def test_only_an_attribute_with_one_value_and_a_value_that_is_said(
    one: str, other: str, between: str
) -> None:
    text = one + between + other
    said = find_attribute_value(text)
    if said is not None:
        assert is_single_valued(said.attribute)
        assert said.value in text


def test_whoever_says_much_at_once_is_left_as_they_said_it() -> None:
    assert (
        find_attribute_value("Home is Lyon these days" + " and so on" * MAX_STATEMENT_CHARACTERS)
        is None
    )


AGAIN = [
    ("Home is Lyon these days", "We've put down roots in Tallinn", "city"),
    ("My Dacia Duster has a new set of tyres", "Our new car is a Skoda", "car"),
    ("我的工资卡是招行的", "我的钱现在都放在建设银行", "bank"),
]


@pytest.mark.parametrize(("before", "after", "attribute"), AGAIN)
async def test_a_statement_in_ones_own_words_is_proposed_under_what_it_is_about(
    before: str, after: str, attribute: str
) -> None:
    earlier, later = await proposed(before), await proposed(after)
    assert (earlier.subject, earlier.attribute) == ("user", attribute)
    assert (later.subject, later.attribute) == ("user", attribute)
    assert earlier.value != later.value


async def test_what_is_liked_best_is_no_longer_one_of_many_that_are_liked() -> None:
    best, liked = await proposed("我最喜欢川菜"), await proposed("我喜欢川菜")
    assert (best.attribute, best.value) == ("favorite_cuisine", "川菜")
    assert (liked.attribute, liked.value) == ("likes", "川菜")


@pytest.mark.parametrize("role", [Role.AGENT, Role.TOOL])
async def test_what_an_agent_says_is_not_of_its_user(role: Role) -> None:
    proposals = await said("Home is Lyon these days", role)
    assert all(one.attribute is None for one in proposals)


async def proposed(text: str) -> Proposal:
    (only,) = await said(text, Role.USER)
    return only


async def said(text: str, role: Role) -> list[Proposal]:
    message = DialogueMessage(
        number=1,
        role=role,
        speaker=None,
        text=text,
        fresh=True,
        occurred_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
    )
    request = ExtractionRequest(
        user_id="anna", messages=(message,), participants=(), language=None, time_zone="UTC"
    )
    return list((await LocalExtractor().extract(request)).proposals)
