import pytest

from palimpsest_language.question_intents.todo_questions import asks_for_todos
from tests.support.processor_limit import ended_after


@pytest.mark.parametrize(
    "question",
    [
        "is there anything I still have to do?",
        "Is there anything left to do?",
        "anything else I need to do?",
        "What do I still have to do?",
        "What else do I need to get done today?",
        "so, what have I still got to do",
        "What's left to do?",
        "What's still outstanding?",
        "What's on my to-do list?",
        "What are my open todos?",
        "Show me my tasks, please",
        "Can you tell me what I still have to do?",
        "Which tasks are still open?",
        "Do I have any open tasks?",
        "What haven't I done yet?",
        "Are there any todos left?",
        "my to-do list",
        "我还有哪些事没办",
        "我还有哪些事没办？",
        "我的待办有哪些",
        "我的待办事项有哪些？",
        "还有什么事要做吗",
        "我还有什么没做完的？",
        "我还要做什么？",
        "接下来我还得办哪些事",
        "看看我的待办清单",
        "我有什么待办",
        "还有没有什么事没做",
        "哪些事我还没做完",
        "我没完成的任务有哪些",
        "未完成的事情有哪些",
        "我现在还剩哪些事没办呢",
        "帮我看看我还有什么任务没完成",
        "我是不是还有事没办",
    ],
)
def test_what_is_still_to_be_done_is_asked_for(question: str) -> None:
    assert asks_for_todos(question)


@pytest.mark.parametrize(
    "question",
    [
        "What do I do?",
        "What do I do for a living?",
        "What should I do?",
        "What should I do about my back?",
        "What do I have to do to renew my passport?",
        "What is left to do for the wedding?",
        "Is there anything I should know?",
        "Is there anything left to eat?",
        "What's on my shopping list?",
        "What did I do yesterday?",
        "What have I done?",
        "What does Ana still have to do?",
        "Do I have any siblings?",
        "I still have to do the dishes",
        "我是做什么工作的",
        "我昨天做了什么",
        "我还有哪些朋友",
        "装修还有哪些事没办",
        "我妈还有哪些事没办",
        "我还有哪些事没告诉你",
        "我还要做饭",
        "我要做什么菜",
        "我还有事",
        "还有什么",
        "待办是什么意思",
        "我的工作是什么",
        "我有什么爱好",
    ],
)
def test_other_questions_are_not_taken_for_it(question: str) -> None:
    assert not asks_for_todos(question)


@pytest.mark.parametrize("text", ["still have to do " * 7, "还有哪些事没办" * 17, "看看" * 60])
def test_what_is_long_is_judged_at_once(text: str) -> None:
    # In minutes, if it could be read in many ways.
    with ended_after(1.0):
        asks_for_todos(text)
