"""Which questions ask for an attribute, and which only sound as if they did."""

import pytest

from palimpsest_language.attributes.attribute_names import canonical_attribute
from palimpsest_language.question_intents.attribute_questions import (
    RELATION_ATTRIBUTES,
    AttributeQuestion,
    find_attribute_question,
)
from palimpsest_language.rule_tables import read_rules

ASKED = [
    ("Which town was I raised in?", "hometown"),
    ("How do I make my living?", "job"),
    ("What pays my bills?", "job"),
    ("What kind of work do I do?", "job"),
    ("Which company pays me?", "employer"),
    ("Which hand do I use?", "handedness"),
    ("Am I a lefty?", "handedness"),
    ("How tall am I?", "height"),
    ("What's my blood group?", "blood_type"),
    ("Which is my date of birth?", "birthday"),
    ("How many kids do we have?", "children"),
    ("What's my wife called?", "wife"),
    ("How do I spend my evenings?", "hobbies"),
    ("Is there anything I mustn't eat?", "allergies"),
    ("我从小在哪座城市长大？", "hometown"),
    ("我祖籍哪里？", "hometown"),
    ("我靠什么养家？", "job"),
    ("我就职于哪家公司？", "employer"),
    ("我家安在哪儿？", "city"),
    ("我的惯用手是哪一只？", "handedness"),
    ("我用哪只手写字？", "handedness"),
    ("我是什么血型？", "blood_type"),
    ("我身高多少", "height"),
    ("我哪天过生日？", "birthday"),
    ("我有几个孩子？", "children"),
    ("我闲下来喜欢干什么？", "hobbies"),
    ("我的笔名是什么？", "preferred_name"),
    ("什么东西我碰了会过敏？", "allergies"),
    ("Where do I live?", "city"),
    ("whats my job", "job"),
    ("what cant i eat", "allergies"),
    ("what kind of food do i hate", "dislikes"),
    ("what blood pressure medicine am i on", "medication"),
    ("am i single", "marital_status"),
    ("where do I live now", "city"),
    ("Where does she live now?", "city"),
    ("Do you remember where I live?", "city"),
    ("Which city do I live in?", "city"),
    ("Where is my home?", "city"),
    ("Where am I from?", "hometown"),
    ("Where did I grow up?", "hometown"),
    ("Where do I work these days?", "employer"),
    ("who does he work for", "employer"),
    ("What's my company called?", "employer"),
    ("What do I do for a living?", "job"),
    ("What is her job title?", "job"),
    ("What’s my name?", "name"),
    ("Who am I?", "name"),
    ("What should you call me?", "name"),
    ("When is my birthday again?", "birthday"),
    ("How old am I?", "birthday"),
    ("What am I allergic to?", "allergies"),
    ("What can't I eat?", "allergies"),
    ("What medicines am I allergic to?", "allergies"),
    ("What did I do for a living?", "career"),
    ("What was my job before?", "career"),
    ("What food do I hate?", "dislikes"),
    ("what can't I stand?", "dislikes"),
    ("Which vegetables do I not like?", "dislikes"),
    ("What medicine am I on?", "medication"),
    ("what pills do I take now?", "medication"),
    ("Am I on any medication?", "medication"),
    ("What shift am I on?", "shift"),
    ("How do I get to work?", "commute"),
    ("how long does it take me to get to work?", "commute"),
    ("What year was I born?", "birthday"),
    ("Do you know my name?", "name"),
    ("Am I single?", "marital_status"),
    ("Do I have a partner?", "marital_status"),
    ("Who am I dating?", "marital_status"),
    ("what's my girlfriend's name?", "marital_status"),
    ("Do I have any food allergies?", "allergies"),
    ("Am I vegetarian?", "allergies"),
    ("Which languages do I speak?", "languages"),
    ("What programming language do I prefer?", "preferred_language"),
    ("Do I have any pets?", "pets"),
    ("What are my hobbies?", "hobbies"),
    ("Where did I go to university?", "school"),
    ("What car do I drive?", "car"),
    ("Is he married?", "marital_status"),
    ("我住在哪里？", "city"),
    ("她现在住在哪里？", "city"),
    ("你还记得我住哪儿吗？", "city"),
    ("我家在哪个城市", "city"),
    ("我搬到哪里了？", "city"),
    ("我是哪里人", "hometown"),
    ("我老家在哪？", "hometown"),
    ("他在哪里上班？", "employer"),
    ("我在哪家公司工作来着", "employer"),
    ("我的公司叫什么名字？", "employer"),
    ("我是做什么工作的？", "job"),
    ("用户的职业是什么", "job"),
    ("我叫什么名字？", "name"),
    ("我是谁？", "name"),
    ("你该怎么称呼我？", "preferred_name"),
    ("我的生日是几月几号？", "birthday"),
    ("我今年多大了？", "birthday"),
    ("我对什么过敏？", "allergies"),
    ("我不能吃什么？", "allergies"),
    ("我有什么忌口吗", "allergies"),
    ("我是干啥的", "job"),
    ("我靠什么吃饭", "job"),
    ("我在哪上班", "employer"),
    ("我会什么乐器", "skills"),
    ("我有什么特长", "skills"),
    ("我有什么病", "health_conditions"),
    ("我有什么慢性病吗", "health_conditions"),
    ("我身体怎么样", "health_conditions"),
    ("我在吃什么药", "medication"),
    ("我有对象吗", "marital_status"),
    ("我女朋友叫什么名字", "marital_status"),
    ("我会说哪些语言？", "languages"),
    ("我用什么编程语言？", "preferred_language"),
    ("我养了什么宠物？", "pets"),
    ("我有什么爱好？", "hobbies"),
    ("我是哪所大学毕业的？", "school"),
    ("我结婚了吗？", "marital_status"),
]


@pytest.mark.parametrize(("question", "attribute"), ASKED)
def test_an_attribute_is_asked_for(question: str, attribute: str) -> None:
    asked = find_attribute_question(question)
    assert asked is not None
    assert (asked.subject, asked.attributes[0]) == ("user", attribute)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Where does Caroline live?", AttributeQuestion("Caroline", ("city",))),
        ("where does angus live", AttributeQuestion("angus", ("city",))),
        ("who is devin", AttributeQuestion("devin", RELATION_ATTRIBUTES)),
        ("who's Devin?", AttributeQuestion("Devin", RELATION_ATTRIBUTES)),
        ("小王是谁", AttributeQuestion("小王", RELATION_ATTRIBUTES)),
        ("What's Tom's job?", AttributeQuestion("Tom", ("job",))),
        ("How old is Mia?", AttributeQuestion("Mia", ("birthday", "age"))),
    ],
)
def test_of_somebody_by_name(question: str, asked: AttributeQuestion) -> None:
    assert find_attribute_question(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "Where did I live before?",
        "Where do you live?",
        "Where do I live my best life according to my diary?",
        "Where is my bicycle?",
        "What should I do?",
        "What's my dog's name?",
        "Who do I work with?",
        "When is my mother's birthday?",
        "What do I do on Mondays?",
        "What did I do on Monday?",
        "What food do I need for the party?",
        "What medicine should Theo get for a cough?",
        "Do I have a partner in this project?",
        "I live in Rome",
        "What can I eat in Rome?",
        "我以前住在哪里？",
        "你住在哪里？",
        "我的狗叫什么？",
        "我妈妈的生日是哪天？",
        "我把钥匙放在哪里了？",
        "我跟谁一起上班？",
        "我住在上海",
        "她在哪里停的车？",
        "我周一做什么？",
        "我有什么病要看",
        "我该怎么介绍我女朋友",
        "我下周做什么工作汇报",
        "",
        "?",
    ],
)
def test_none_is(question: str) -> None:
    assert find_attribute_question(question) is None


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_attributes_go_by_the_names_under_which_they_are_kept(language: str) -> None:
    for row in read_rules(f"question_intents/{language}_attribute_questions"):
        for attribute in row.columns["attributes"]:
            assert canonical_attribute(attribute) == attribute
