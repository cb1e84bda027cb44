"""What asks for a fact, and what asks for advice in the same words."""

import pytest

from palimpsest_language.topics.fact_questions import asks_for_a_fact


@pytest.mark.parametrize(
    "question",
    ["When does the train leave?", "And who cooked?", "How many kids are there?",
     "What's the name of the dentist?", "Which restaurant did we go to?", "Did I take my pills?",
     "What am I allergic to?", "Do you remember what the plan was?", "我对什么过敏", "谁做的饭",
     "牙医叫什么", "医院几点开门", "護照什麼時候到期", "狗多大了"],
)  # fmt: skip
def test_it_asks_for_a_fact(question: str) -> None:
    assert asks_for_a_fact(question)


@pytest.mark.parametrize(
    "question",
    ["Would Nate enjoy the trip?", "What might Ines study?", "Which recipe did Omar recommend?",
     "What inspired Greta's painting?", "Based on his plans, where could Leo travel?"],
)  # fmt: skip
def test_what_is_asked_about_somebody_by_name_is_a_fact(question: str) -> None:
    assert asks_for_a_fact(question)


@pytest.mark.parametrize(
    "question",
    ["What could I give Nate?", "Would Ines like it if we went to the zoo?", "What might Dad like?",
     "Can you find a film for Greta?", "Plan a trip to Rome", "Gift ideas for Omar?",
     "What could be cooked on Friday?", "What would be nice for Christmas?"],
)  # fmt: skip
def test_but_not_what_is_asked_for_oneself(question: str) -> None:
    assert not asks_for_a_fact(question)


@pytest.mark.parametrize(
    "question",
    ["What should I cook?", "What is a good gift for a boy of nine?", "When could we fly?",
     "Who should I tell at the hospital?", "Is it safe to run with a bad knee?", "Suggest a film",
     "Write me a plan", "I'm hungry", "What do I need for the trip?", "什么时候去合适", "做点什么菜好",
     "给孩子买多少钱的礼物合适", "帮我订在哪家酒店", "写封邮件"],
)  # fmt: skip
def test_it_asks_for_more(question: str) -> None:
    assert not asks_for_a_fact(question)
