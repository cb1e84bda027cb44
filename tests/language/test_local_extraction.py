"""What the local rules find in single sentences, and what they leave alone."""

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.clauses.sentences import split_declarative_sentences
from palimpsest_language.facts.fact_matcher import SentenceSpeaker, read_facts
from palimpsest_language.proposals import Proposal

USER = SentenceSpeaker(Role.USER, None)
AGENT = SentenceSpeaker(Role.AGENT, None)

PREFERENCE, FACT, PERSON, GOAL = Kind.PREFERENCE, Kind.FACT, Kind.PERSON, Kind.GOAL
EVENT, DECISION, CONCLUSION, LESSON = Kind.EVENT, Kind.DECISION, Kind.CONCLUSION, Kind.LESSON
ACTION_ITEM, FEEDBACK, CONTEXT = Kind.ACTION_ITEM, Kind.FEEDBACK, Kind.CONTEXT


def proposals(text: str, speaker: SentenceSpeaker = USER) -> list[Proposal]:
    return [
        found
        for each in split_declarative_sentences(text)
        for found in read_facts(each, speaker, message=1)
    ]


ENGLISH = [
    ("My name is Alice.", FACT, "name", "Alice", "The user's name is Alice"),
    ("Hi, I'm Tom and I need some help.", FACT, "name", "Tom", "The user's name is Tom"),
    ("I work at Google.", FACT, "employer", "Google", "The user works at Google"),
    ("I work at Tencent and love it.", FACT, "employer", "Tencent", "The user works at Tencent"),
    ("I work for Marks and Spencer.", FACT, "employer", "Marks and Spencer", "The user works at Marks and Spencer"),
    ("I work for a small startup in Berlin.", FACT, "employer", "a small startup", "The user works at a small startup"),
    ("I just joined OpenSky Labs!", FACT, "employer", "OpenSky Labs", "The user works at OpenSky Labs"),
    ("I left Google last month.", FACT, "employer", "Google", "The user no longer works at Google"),
    ("I'm a software engineer.", FACT, "job", "software engineer", "The user is a software engineer"),
    ("I work as an accountant.", FACT, "job", "accountant", "The user is an accountant"),
    ("I live in Berlin with my family.", FACT, "city", "Berlin", "The user lives in Berlin"),
    ("I moved to Berlin", FACT, "city", "Berlin", "The user moved to Berlin"),
    ("We've recently moved from Paris to New York.", FACT, "city", "New York", "The user moved to New York"),
    ("I'm originally from Madrid, by the way.", FACT, "hometown", "Madrid", "The user is from Madrid"),
    ("My birthday is on March 14.", FACT, "birthday", "March 14", "The user's birthday is March 14"),
    ("I'm 32 years old.", FACT, "age", "32", "The user is 32 years old"),
    ("I have a dog named Luna.", FACT, "pets", "Luna", "The user has a dog named Luna"),
    ("My cat's name is Miso.", FACT, "pets", "Miso", "The user has a cat named Miso"),
    ("We have two cats.", FACT, "pets", "two cats", "The user has two cats"),
    ("I'm allergic to peanuts.", FACT, "allergies", "peanuts", "The user is allergic to peanuts"),
    ("I'm vegetarian.", FACT, "diet", "vegetarian", "The user is vegetarian"),
    ("I speak French and German.", FACT, "languages", "French and German", "The user speaks French and German"),
    ("My sister is called Emma.", PERSON, "sister", "Emma", "The user's sister is named Emma"),
    ("My brother Paul works at my company.", PERSON, "brother", "works at their company", "The user's brother Paul works at their company"),
    ("We use Kafka for the event bus.", FACT, "tools", "Kafka", "The team uses Kafka"),
    ("I use Figma every day.", FACT, "tools", "Figma", "The user uses Figma"),
    ("I love hiking in the mountains.", PREFERENCE, "likes", "hiking in the mountains", "The user loves hiking in the mountains"),
    ("I really like spicy food, especially from Sichuan.", PREFERENCE, "likes", "spicy food", "The user likes spicy food"),
    ("I prefer tea over coffee.", PREFERENCE, "likes", "tea", "The user prefers tea over coffee"),
    ("I don't like early meetings.", PREFERENCE, "dislikes", "early meetings", "The user dislikes early meetings"),
    ("I can't stand cilantro!", PREFERENCE, "dislikes", "cilantro", "The user dislikes cilantro"),
    ("I'm not a fan of horror movies", PREFERENCE, "dislikes", "horror movies", "The user dislikes horror movies"),
    ("My favorite color is green.", PREFERENCE, "favorite_color", "green", "The user's favorite color is green"),
    ("I prefer using TypeScript.", PREFERENCE, "preferred_language", "TypeScript", "The user prefers TypeScript"),
    ("I like using Vue because it is simple.", PREFERENCE, "preferred_framework", "Vue", "The user likes using Vue"),
    ("I don't use Vue anymore, I use React now.", PREFERENCE, "preferred_framework", "React", "The user switched from Vue to React"),
    ("We switched from MySQL to PostgreSQL last month", PREFERENCE, "preferred_database", "PostgreSQL", "The user switched from MySQL to PostgreSQL"),
    ("I've moved from Vim to Neovim.", PREFERENCE, "preferred_editor", "Neovim", "The user switched from Vim to Neovim"),
    ("From now on, please answer in English.", PREFERENCE, "response_language", "English", "The user wants to be answered in English"),
    ("Please keep your answers short.", PREFERENCE, "response_style", "short", "The user wants short answers"),
    ("In my free time I play the cello.", PREFERENCE, "hobbies", "play the cello", "In their free time the user likes to play the cello"),
    ("My goal is to run a marathon this year.", GOAL, None, None, "The user's goal is to run a marathon this year"),
    ("I'm planning to visit my parents in June.", GOAL, None, None, "The user plans to visit their parents in June"),
    ("I want to learn Japanese.", GOAL, None, None, "The user wants to learn Japanese"),
    ("I'm saving up for a new bike.", GOAL, None, None, "The user is saving up for a new bike"),
    ("I went to a support group yesterday and it was great.", EVENT, None, None, "The user went to a support group yesterday"),
    ("Last week I passed my driving test.", EVENT, None, None, "The user passed their driving test last week"),
    ("We launched the beta on Monday.", EVENT, None, None, "The user launched the beta on Monday"),
    ("We decided to use PostgreSQL for the ledger.", DECISION, None, None, "It was decided to use PostgreSQL for the ledger"),
    ("Let's go with option B.", DECISION, None, None, "It was decided to use option B"),
    ("Decision: one topic for all writes", DECISION, None, None, "Decision: one topic for all writes"),
    ("In conclusion, caching costs more than it brings.", CONCLUSION, None, None, "Conclusion: caching costs more than it brings"),
    ("Remind me to call my dentist tomorrow.", ACTION_ITEM, None, None, "The user has to call their dentist tomorrow"),
    ("TODO: update the docs", ACTION_ITEM, None, None, "To do: update the docs"),
    ("I need to send the report by Friday.", ACTION_ITEM, None, None, "The user has to send the report by Friday"),
    ("Lesson learned: always pin the versions", LESSON, None, None, "Lesson: always pin the versions"),
    ("I learned that proxies need NO_PROXY set.", LESSON, None, None, "Lesson: proxies need NO_PROXY set"),
    ("The root cause of the delay was a missing index.", LESSON, None, None, "The root cause of the delay was a missing index"),
    ("My goal this year is to run a marathon.", GOAL, None, None, "The user's goal this year is to run a marathon"),
    ("The root cause was a missing index.", LESSON, None, None, "The root cause was a missing index"),
    ("Your last answer was too long.", FEEDBACK, None, None, "The user found the agent's answer too long"),
    ("Please don't use emojis in the code", FEEDBACK, None, None, "The user asked the agent not to do this: use emojis in the code"),
    ("I'm currently travelling in Japan.", CONTEXT, None, None, "The user is travelling in Japan"),
]  # fmt: skip

CHINESE = [
    ("我叫王小明。", FACT, "name", "王小明", "用户的名字是王小明"),
    ("叫我阿强就行", PREFERENCE, "preferred_name", "阿强", "用户希望被称呼为阿强"),
    ("我在字节跳动工作。", FACT, "employer", "字节跳动", "用户在字节跳动工作"),
    ("我上个月跳槽到了腾讯。", FACT, "employer", "腾讯", "用户在腾讯工作"),
    ("换工作了，现在在阿里巴巴上班", FACT, "employer", "阿里巴巴", "用户在阿里巴巴工作"),
    ("我在北京上班。", FACT, "city", "北京", "用户在北京工作"),
    ("我是一名后端工程师。", FACT, "job", "后端工程师", "用户的职业是后端工程师"),
    ("我是产品经理", FACT, "job", "产品经理", "用户的职业是产品经理"),
    ("我住在上海，离公司很近", FACT, "city", "上海", "用户住在上海"),
    ("我去年搬到了杭州。", FACT, "city", "杭州", "用户搬到了杭州"),
    ("我刚从上海搬到柏林了", FACT, "city", "柏林", "用户搬到了柏林"),
    ("我是四川人。", FACT, "hometown", "四川", "用户来自四川"),
    ("我的生日是5月20日", FACT, "birthday", "5月20日", "用户的生日是5月20日"),
    ("我今年28岁", FACT, "age", "28", "用户28岁"),
    ("我养了一只橘猫，叫团子。", FACT, "pets", "团子", "用户有一只橘猫叫团子"),
    ("我家的狗叫豆豆", FACT, "pets", "豆豆", "用户有一只狗叫豆豆"),
    ("我养了两只猫", FACT, "pets", "两只猫", "用户养了两只猫"),
    ("我对花生过敏", FACT, "allergies", "花生", "用户对花生过敏"),
    ("我吃素。", FACT, "diet", "素", "用户的饮食特点：素"),
    ("我会说日语和法语", FACT, "languages", "日语和法语", "用户会说日语和法语"),
    ("我毕业于浙江大学。", FACT, "school", "浙江大学", "用户的学校是浙江大学"),
    ("我女儿叫小雨。", PERSON, "daughter", "小雨", "用户的女儿叫小雨"),
    ("我老婆是医生，在儿童医院", PERSON, "wife", "是医生", "用户的老婆是医生"),
    ("我们项目用的是 Kafka。", FACT, "tools", "Kafka", "团队使用 Kafka"),
    ("我一直在用 Figma 画图", FACT, "tools", "Figma", "用户使用 Figma"),
    ("我喜欢用 TypeScript。", PREFERENCE, "preferred_language", "TypeScript", "用户喜欢用 TypeScript"),
    ("不用 Vue 了，改用 React", PREFERENCE, "preferred_framework", "React", "用户不再用 Vue，改用 React"),
    ("我现在更喜欢用 React", PREFERENCE, "preferred_framework", "React", "用户更喜欢用 React"),
    ("我们把 MySQL 换成了 PostgreSQL。", PREFERENCE, "preferred_database", "PostgreSQL", "用户不再用 MySQL，改用 PostgreSQL"),
    ("我最近从 Vim 换到了 VS Code", PREFERENCE, "preferred_editor", "VS Code", "用户不再用 Vim，改用 VS Code"),
    ("我喜欢喝咖啡。", PREFERENCE, "likes", "喝咖啡", "用户喜欢喝咖啡"),
    ("我很喜欢爬山和摄影", PREFERENCE, "likes", "爬山和摄影", "用户喜欢爬山和摄影"),
    ("我不太喜欢吃香菜", PREFERENCE, "dislikes", "吃香菜", "用户不喜欢吃香菜"),
    ("我讨厌早起。", PREFERENCE, "dislikes", "早起", "用户不喜欢早起"),
    ("我最喜欢的颜色是蓝色", PREFERENCE, "favorite_颜色", "蓝色", "用户最喜欢的颜色是蓝色"),
    ("我的爱好是弹吉他", PREFERENCE, "hobbies", "弹吉他", "用户的爱好是弹吉他"),
    ("以后都用中文回答我", PREFERENCE, "response_language", "中文", "用户希望用中文回答"),
    ("回答请尽量简短一点", PREFERENCE, "response_style", "简短", "用户希望回答简短"),
    ("我的目标是今年跑完一个马拉松。", GOAL, None, None, "用户的目标是今年跑完一个马拉松"),
    ("我打算下个月去东京旅行", GOAL, None, None, "用户打算下个月去东京旅行"),
    ("我想学日语。", GOAL, None, None, "用户想学日语"),
    ("我昨天参加了一个技术沙龙。", EVENT, None, None, "用户昨天参加了一个技术沙龙"),
    ("上周我带父母去了苏州。", EVENT, None, None, "用户上周带父母去了苏州"),
    ("我们上线了新版本！", EVENT, None, None, "用户上线了新版本"),
    ("我终于结婚了", EVENT, None, None, "用户结婚了"),
    ("我们决定用 Kafka 做消息总线。", DECISION, None, None, "决定用 Kafka 做消息总线"),
    ("那就用方案二吧", DECISION, None, None, "决定用方案二"),
    ("团队最终选择了微服务架构", DECISION, None, None, "决定采用微服务架构"),
    ("结论是缓存得不偿失。", CONCLUSION, None, None, "结论：缓存得不偿失"),
    ("提醒我明天给妈妈打电话", ACTION_ITEM, None, None, "用户要明天给妈妈打电话"),
    ("待办：更新文档", ACTION_ITEM, None, None, "待办：更新文档"),
    ("我要在周五之前提交我的报告", ACTION_ITEM, None, None, "用户要在周五之前提交自己的报告"),
    ("教训：上线前一定要备份", LESSON, None, None, "教训：上线前一定要备份"),
    ("下次一定要先写测试", LESSON, None, None, "教训：下次一定要先写测试"),
    ("原来是代理环境变量导致的", LESSON, None, None, "原因是代理环境变量导致"),
    ("你的回答太长了", FEEDBACK, None, None, "用户觉得助手的回答太长"),
    ("不要用表情符号", FEEDBACK, None, None, "用户要求助手不要用表情符号"),
    ("我这周在深圳出差", CONTEXT, None, None, "用户正在深圳出差"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "kind", "attribute", "value", "content"), [*ENGLISH, *CHINESE]
)
def test_one_statement_gives_one_proposal(
    sentence: str, kind: Kind, attribute: str | None, value: str | None, content: str
) -> None:
    found = [(each.kind, each.attribute, each.value, each.content) for each in proposals(sentence)]
    assert found == [(kind, attribute, value, content)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Do you think I live in Berlin?",
        "I don't live in Berlin.",
        "If I move to Berlin, I want to learn German.",
        "If I get the offer, I work at Google from May on.",
        "Imagine I work at Google.",
        "He said I live in Berlin.",
        "I might switch from Vue to React.",
        "I'd move to Berlin tomorrow.",
        "I like it.",
        "I love you.",
        "I like that idea a lot.",
        "I work from home.",
        "I work at night.",
        "Maybe I prefer tea.",
        "We haven't decided to use Kafka.",
        "Thanks, that is all.",
        "Can you explain how Kafka works?",
        "It's a nice day in Paris.",
        "What is my name?",
        "For example, my name is Bob.",
        "```\nI live in Berlin\n```",
        "> I live in Berlin",
        "The user should see a button.",
        "I'm happy.",
        "I'm not a doctor.",
        "我不住在北京。",
        "我没有养猫。",
        "你觉得我住在哪里？",
        "我住在上海吗",
        "如果我搬到北京，我就学京剧。",
        "假如我在谷歌工作就好了",
        "他说我喜欢喝茶",
        "听说我住在上海",
        "也许我更喜欢用 React",
        "我以前住在南京",
        "我喜欢你",
        "我喜欢什么颜色",
        "我还没决定用什么数据库",
        "这件事由你决定",
        "帮我看看我的代码",
        "谢谢，没别的了",
        "我是一个人来的",
        "我在家工作",
        "今天天气不错",
        "请解释一下 Kafka 是什么",
        "小说里我住在火星",
        "有时间的话我打算学画画",
        "我不用 Vue。",
    ],
)
def test_what_is_asked_supposed_denied_or_past_is_no_memory(sentence: str) -> None:
    assert proposals(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "attribute", "value", "content"),
    [
        ("I left Google last month.", "employer", "Google", "The user no longer works at Google"),
        (
            "I don't work at Google any more.",
            "employer",
            "Google",
            "The user no longer works at Google",
        ),
        ("I no longer live in Berlin.", "city", "Berlin", "The user no longer lives in Berlin"),
        ("I no longer use Vue.", "tools", "Vue", "The user no longer uses Vue"),
        ("I stopped using Docker.", "tools", "Docker", "The user no longer uses Docker"),
        ("I don't use Jenkins anymore.", "tools", "Jenkins", "The user no longer uses Jenkins"),
        ("我从腾讯离职了。", "employer", "腾讯", "用户已从腾讯离职"),
        ("我已经不在谷歌工作了。", "employer", "谷歌", "用户不再在谷歌工作"),
        ("我不住在北京了。", "city", "北京", "用户不再住在北京"),
        ("我不再用 Vue 了。", "tools", "Vue", "用户不再使用 Vue"),
        ("我不用 Docker 了。", "tools", "Docker", "用户不再使用 Docker"),
    ],
)
def test_what_holds_no_longer_is_said_to_have_ended(
    sentence: str, attribute: str, value: str, content: str
) -> None:
    (found,) = proposals(sentence)
    assert (found.attribute, found.value, found.content) == (attribute, value, content)
    assert found.ended


def test_what_holds_has_not_ended() -> None:
    assert not any(
        each.ended for each in proposals("I use Vue. 我住在上海。不用 Vue 了，改用 React")
    )


def test_a_change_of_mind_says_what_it_replaces() -> None:
    chinese = proposals("不用 Vue 了，改用 React")[0]
    english = proposals("We switched from Vue to React.")[0]
    assert (chinese.replaces, english.replaces) == ("Vue", "Vue")
    assert chinese.attribute == english.attribute == "preferred_framework"


def test_one_sentence_may_state_several_things() -> None:
    found = proposals("I'm a nurse at Charité and I live in Berlin.")
    assert {(each.attribute, each.value) for each in found} == {
        ("job", "nurse"),
        ("employer", "Charité"),
        ("city", "Berlin"),
    }
    found = proposals("我在腾讯做后端工程师，住在深圳，我喜欢爬山。")
    assert {("job", "后端工程师"), ("employer", "腾讯"), ("likes", "爬山")} <= {
        (each.attribute, each.value) for each in found
    }


def test_with_several_people_the_speaker_is_the_subject() -> None:
    caroline = SentenceSpeaker(Role.USER, "Caroline")
    found = proposals("I live in Boston. 我喜欢喝茶。", caroline)
    assert [each.subject for each in found] == ["Caroline", "Caroline"]
    assert [each.content for each in found] == ["Caroline lives in Boston", "Caroline 喜欢喝茶"]


def test_an_agent_states_no_facts_about_the_user() -> None:
    assert proposals("I live in Berlin. My name is Bot. 我喜欢喝茶。", AGENT) == []


def test_what_an_agent_concludes_decides_and_learns_is_found() -> None:
    said = "The root cause was a missing proxy variable. 我们决定用 Kafka。 I'll send the plan by Friday."
    assert [each.kind for each in proposals(said, AGENT)] == [LESSON, DECISION, ACTION_ITEM]


def test_the_quote_is_the_sentence_as_it_stands_in_the_text() -> None:
    text = "Good morning!\nI live in Berlin, as you know.  我喜欢喝茶！"
    quotes = [proposal.evidence[0].quote for proposal in proposals(text)]
    assert quotes == ["I live in Berlin, as you know.", "我喜欢喝茶！"]


def test_an_endless_line_is_not_read() -> None:
    assert proposals("I live in Berlin " * 60) == []
