"""What single messages state, of what kind and about whom, in both languages."""

import pytest

from palimpsest.model.kinds import Kind
from tests.support.language.statements.saying import proposed

PREFERENCE, FACT, PERSON, GOAL = Kind.PREFERENCE, Kind.FACT, Kind.PERSON, Kind.GOAL
EVENT, DECISION, CONCLUSION, LESSON = Kind.EVENT, Kind.DECISION, Kind.CONCLUSION, Kind.LESSON
ACTION_ITEM, FEEDBACK, CONTEXT = Kind.ACTION_ITEM, Kind.FEEDBACK, Kind.CONTEXT

ENGLISH = [
    ("I learn best by drawing things.", PREFERENCE, "user", "by drawing"),
    ("never put cilantro in a recipe for me", PREFERENCE, "user", "never put cilantro"),
    ("serif fonts, not sans", PREFERENCE, "user", "serif fonts, not sans"),
    ("I've stopped drinking soda", PREFERENCE, "user", "stopped drinking soda"),
    ("my brother Tomás keeps bees in Porto", PERSON, "Tomás", "keeps bees in Porto"),
    ("Mum's knee is acting up again, she is 74", PERSON, "mum", "74"),
    ("we've got two goats and a donkey", FACT, "user", "two goats and a donkey"),
    ("the rent is 940 euros since January", FACT, None, "940 euros"),
    ("I drive a delivery van for a florist", FACT, "user", "delivery van for a florist"),
    ("sold the boat in May", EVENT, "user", "sold the boat"),
    ("we shipped version 3 on Monday, 40 installs so far", EVENT, "user", "40 installs"),
    ("my recital is on 12 April in Leuven", EVENT, "user", "Leuven"),
    ("the target is four clients by Easter", GOAL, "user", "four clients"),
    ("I'd love to walk the whole coast path one day", GOAL, "user", "coast path"),
    ("ok, drop the wizard, we ship with one form", DECISION, None, "one form"),
    ("Gunicorn it is", DECISION, None, "Gunicorn"),
    ("pick up the dry cleaning tomorrow at 5pm", ACTION_ITEM, None, "dry cleaning"),
    ("I still have to water the neighbours' plants", ACTION_ITEM, None, "water the neighbours"),
    ("remind me to ring the notary on Friday", ACTION_ITEM, None, "ring the notary"),
    ("note to self: the importer needs UTF-8 or it dies", LESSON, None, "UTF-8"),
    ("what fixed it was clearing the DNS cache", LESSON, None, "clearing the DNS cache"),
    ("your summary was far too long", FEEDBACK, "agent", "far too long"),
    ("I'm thinking about leaving the orchestra", CONTEXT, "user", "leaving the orchestra"),
    ("My wife Nora runs a bike shop", PERSON, "user", "runs a bike shop"),
    ("my brother-in-law is staying with us till Sunday", PERSON, "brother-in-law", "till Sunday"),
    ("I rarely drive at night", PREFERENCE, "user", "rarely drives"),
    ("I've cut out sugar", PREFERENCE, "user", "cut out sugar"),
    ("oat milk only these days", PREFERENCE, "user", "oat milk only"),
    ("I see a chiropodist every other Friday", FACT, "user", "chiropodist"),
    ("settled then: metric units only", DECISION, None, "metric units"),
    ("that outline is way too long", FEEDBACK, "agent", "too long"),
    ("we're dropping the beta channel in May", DECISION, None, "beta channel"),
    ("we fix the search first", DECISION, None, "search first"),
    ("keep the logo", DECISION, None, "logo"),
    ("need to order seeds by the 9th", ACTION_ITEM, None, "order seeds"),
    ("spell dates out, not abbreviated", PREFERENCE, "user", "not abbreviated"),
    ("please always ask before you say it is fixed", PREFERENCE, "user", "always ask"),
    ("agreed, weekly backups and a restore test", DECISION, None, "restore test"),
    ("answer me in Portuguese even when I slip into English", PREFERENCE, "user", "Portuguese"),
    ("one page max, no charts", PREFERENCE, "user", "one page max"),
    ("British spelling throughout", PREFERENCE, "user", "spelling"),
    ("we won't support the old exporter", DECISION, None, "old exporter"),
    ("lesson for me: every migration needs a way back", LESSON, None, "way back"),
    ("I'd been a postman for years", FACT, "user", "had been a postman"),
    ("stop rounding my totals", FEEDBACK, None, "rounding"),
    ("have to return the ladder by friday", ACTION_ITEM, None, "ladder"),
    ("gotta sweep the chimney on sunday", ACTION_ITEM, None, "chimney"),
    ("passport photos to the consulate by thursday", ACTION_ITEM, None, "consulate"),
    ("permits to be renewed tomorrow", ACTION_ITEM, None, "renewed"),
    ("dads allergic to lilies", PERSON, "dad", "lilies"),
    ("Dr Achterberg moved my cast check to friday week", FACT, "user", "cast check"),
]

CHINESE = [
    ("我背单词得靠唱的才记得住，最喜欢儿歌", PREFERENCE, "user", "儿歌"),
    ("以后表格都按季度分，别按月", PREFERENCE, "user", "按季度"),
    ("标题用黑体，别超过十个字", PREFERENCE, "user", "十个字"),
    ("我从来不吃香菜", PREFERENCE, "user", "香菜"),
    ("我弟在昆明开花店，今年三十二", PERSON, "弟弟", "三十二"),
    ("我妈膝盖不好，七十四了", PERSON, "妈妈", "七十四"),
    ("我们家养了两只羊一头驴", FACT, "user", "两只羊"),
    ("房租从一月起是每月 3600", FACT, None, "3600"),
    ("我给一家花店开货车", FACT, "user", "花店"),
    ("上周末搬家了，折腾了两天", EVENT, None, "搬家"),
    ("四月十二号我有场钢琴演出", EVENT, "user", "钢琴演出"),
    ("今年的目标是签下四个客户", GOAL, "user", "四个客户"),
    ("我想学木工，先从凳子做起", GOAL, "user", "木工"),
    ("行，向导页砍掉，只留一个表单", DECISION, None, "向导页砍掉"),
    ("那就用 Gunicorn 吧", DECISION, None, "Gunicorn"),
    ("明天下午五点去取干洗的衣服", ACTION_ITEM, None, "干洗"),
    ("提醒我周五给公证处打电话", ACTION_ITEM, None, "公证处"),
    ("我还得去给邻居浇花", ACTION_ITEM, None, "浇花"),
    ("踩坑了，导入的文件一定要是 UTF-8", LESSON, None, "UTF-8"),
    ("这个库得先装编译器才能跑", LESSON, None, "编译器"),
    ("你刚才的总结太长了", FEEDBACK, "agent", "太长"),
    ("我最近在考虑辞掉乐团的工作", CONTEXT, "user", "乐团"),
    ("搬完书肩膀一直酸", CONTEXT, None, "肩膀"),
    ("旧钢琴卖了，音都不准了", EVENT, None, "旧钢琴"),
    ("明年夏天前考下潜水证", GOAL, "user", "潜水证"),
    ("想学学陶艺怎么上釉", GOAL, "user", "上釉"),
    ("不行，测好再发版", DECISION, None, "测好再发版"),
    ("我闺女刚满六岁，见谁都讲恐龙", PERSON, "女儿", "六岁"),
    ("下个版本不再支持旧格式", DECISION, None, "旧格式"),
    ("标题别动", DECISION, None, "标题"),
    ("五号之前得找阿姨她们把账对齐", ACTION_ITEM, None, "五号之前"),
    ("接口也都要加超时", PREFERENCE, "user", "超时"),
    ("钢琴四级过啦", EVENT, None, "四级"),
    ("接下来想租个小店面", GOAL, "user", "小店面"),
    ("上一版封面很到位", FEEDBACK, "agent", "封面"),
    ("婚礼推到下个月六号了", EVENT, None, "婚礼"),
    ("同意，备份每周做一次", DECISION, None, "每周"),
    ("测好再发版", DECISION, None, "测好再发版"),
    ("梦想是有一天能绕湖走一圈", GOAL, "user", "绕湖"),
    ("下周二要给校董会做汇报", EVENT, None, "校董会"),
    ("明天下午三点跟阿宁过一遍合同", ACTION_ITEM, None, "合同"),
    ("没问过我之前不要动价目表", PREFERENCE, "user", "价目表"),
    ("你怎么又把注释写成英文", FEEDBACK, "agent", "注释"),
    ("那在脚本里把这两步合成一步", DECISION, None, "合成一步"),
    ("票价要能按季节改", DECISION, None, "季节"),
    ("备用琴弦放在柜子最上面那层抽屉里", FACT, None, "琴弦"),
    ("我卖旧书的，摊子在桥头", FACT, "user", "旧书"),
    ("标题别再写感叹号", PREFERENCE, "user", "感叹号"),
    ("下周三我去苏州培训两天", EVENT, "user", "苏州"),
    ("预发先跑三天，没问题再切流", DECISION, None, "三天"),
    ("老模板留着", DECISION, None, "老模板"),
    ("能不能别老给我发表情", FEEDBACK, "agent", "表情"),
    ("平时就打打乒乓球 出出汗", PREFERENCE, "user", "乒乓球"),
    ("以后周报早上九点发", PREFERENCE, "user", "九点"),
    ("别再给我推荐恐怖片", PREFERENCE, "user", "恐怖片"),
    ("鼓手老邵喜欢钓鱼", PREFERENCE, "老邵", "钓鱼"),
    ("我外孙女小满四个月了", PERSON, "小满", "四个月"),
]

NOTHING_TO_KEEP = [
    "what time does the museum close?",
    "do you know if it rains in Bergen a lot",
    "if I had a garden I'd grow quinces",
    "maybe we could try Rust some day",
    "my uncle says everybody should learn to sail",
    "I dreamt that I lived on a houseboat",
    "translate this menu for me",
    "looks good, thanks!",
    "never mind",
    "haha no way",
    "remind me never to do that again lol",
    "I'm not even trying",
    "Happy Tuesday!",
    "I see",
    "I think my parrot is sleepy",
    "we need to agree on the colours",
    "the build keeps crashing",
    "I'll think about it",
    "it is",
    "not bad, a bit tired",
    "there we go",
    "no proof yet",
    "I'm halfway there",
    "8am on the 18th",
    "no thank you",
    "sometimes I think I should sail away",
    "nothing nothing",
    "the alarm code is 4471#",
    "用什么框架比较好",
    "要是我有院子就种木瓜",
    "听说那边房价跌了不少",
    "昨晚梦见我住在船上",
    "帮我把这段翻成英文",
    "嗯嗯 好的 辛苦了",
    "哈哈哈哈笑死",
    "说点有意思的",
    "我家门禁码是 4471",
    "构建一直报错",
    "接口的颜色今天定下来",
    "我妈老说让我回老家",
    "是这么打算的",
    "那还是算了",
    "老伴说我唱得难听",
    "人到了心没到",
    "刚下晚班，脑袋是木的",
    "就这个数",
    "同意，那就这么干",
    "写五句开场白，主角叫阿豆",
    "新剧本帮我搭个架子",
    "说说你们的想法",
    "邻居到处跟人说我要搬走，没有的事",
    "我又改主意了",
    "累了 今天先到这",
    "面馆选址今天得拍板",
    "老板脸都绿了",
    "对账脚本昨晚又挂了",
    "猫吐黄水一般是啥原因啊",
    "no that's the wrong one",
]


@pytest.mark.parametrize(("text", "kind", "subject", "words"), ENGLISH + CHINESE)
async def test_what_is_stated_keeps_its_words(
    text: str, kind: Kind, subject: str | None, words: str
) -> None:
    proposals = await proposed(text)
    assert [(proposal.kind, proposal.subject) for proposal in proposals] == [(kind, subject)]
    assert words.casefold() in proposals[0].content.casefold()
    assert all(quote.quote in text for quote in proposals[0].evidence)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("invoices go to our accountant Beatriz", "Beatriz is the user's accountant"),
        ("my brother Piet lives in Ghent with his wife Anke", "Anke is Piet's wife"),
    ],
)
async def test_who_is_named_beside_is_somebodys(text: str, relation: str) -> None:
    assert relation in [proposal.content for proposal in await proposed(text)]


@pytest.mark.parametrize(
    "text", ["I moved it back", "I can pick her up", "not doing that", "we said so"]
)
async def test_what_only_the_talk_could_name_is_not_kept(text: str) -> None:
    assert await proposed(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("new rule: shoes stay in the hall", Kind.DECISION),
        ("note to self, need to renew the parking permit", Kind.ACTION_ITEM),
        ("put the totals on top next time", Kind.FEEDBACK),
        ("im hiking in the Harz sat 5 june", Kind.EVENT),
    ],
)
async def test_labels_and_hurried_writing_tell_the_kind(text: str, kind: Kind) -> None:
    assert kind in {proposal.kind for proposal in await proposed(text)}


@pytest.mark.parametrize("text", NOTHING_TO_KEEP)
async def test_what_is_asked_supposed_dreamt_or_small_talk_is_not_kept(text: str) -> None:
    assert await proposed(text) == []


SEVERAL = [
    ("I'm not vegan, I eat cheese every day", ["not vegan", "cheese"]),
    ("I don't row for Dalby any more, I'm with Otter Club now", ["Dalby", "Otter Club"]),
    ("we went to Bath on Sunday and Ines loved the pool", ["Bath", "Ines loved"]),
    ("I live in Ghent with my wife Marta", ["Ghent", "Marta"]),
    ("我不吃辣，我每天都要喝汤", ["不吃辣", "喝汤"]),
    ("我在绍兴上班，我老婆在上海读博", ["绍兴", "上海读博"]),
    ("我不跑步了，改游泳了", ["不跑步了", "改游泳"]),
    ("十月8号体检 十一月2号年会", ["体检", "年会"]),
]


@pytest.mark.parametrize(("text", "words"), SEVERAL)
async def test_one_message_may_state_several_things(text: str, words: list[str]) -> None:
    proposals = await proposed(text)
    assert len(proposals) == len(words)
    for proposal, expected in zip(proposals, words, strict=True):
        assert expected in proposal.content


ONE_THING = [
    ("Otto is a basset. He's nine and snores", ["basset", "nine"]),
    ("my gran is 91, she still swims every morning", ["91", "swims"]),
    ("the trip is booked, it's in May", ["booked", "May"]),
    ("we were going to rent a van but the train it is", ["van", "train"]),
    ("我奶奶九十一了，她每天早上还游泳", ["九十一", "游泳"]),
    ("餐厅订好了 四个人 靠窗", ["四个人", "靠窗"]),
    ("My cousin Bea. She breeds alpacas", ["Bea", "alpacas"]),
    ("I should say my left ear is deaf", ["left ear is deaf"]),
]


@pytest.mark.parametrize(("text", "words"), ONE_THING)
async def test_what_belongs_together_is_one_memory(text: str, words: list[str]) -> None:
    [proposal] = await proposed(text)
    assert all(word in proposal.content for word in words)


@pytest.mark.parametrize(
    ("text", "words"),
    [("I can't eat walnuts, allergy", "can't eat"), ("我不能吃核桃，过敏", "不能吃")],
)
async def test_what_denies_keeps_its_denial_beside_what_a_rule_knows(text: str, words: str) -> None:
    [proposal] = await proposed(text)
    assert proposal.attribute == "allergies"
    assert words in proposal.content


async def test_a_plan_is_no_hobby_that_was_given_up() -> None:
    for text in ("我住嘉定，暂时不打算搬", "备份停了也要告警"):
        assert all(not proposal.ended for proposal in await proposed(text))


async def test_what_is_his_is_told_by_name_too() -> None:
    [_, birthday] = await proposed("My uncle Rolf fixes clocks", "his birthday is on 9 May")
    assert birthday.content.startswith("The user's uncle Rolf's birthday")
    assert birthday.subject == "Rolf"


async def test_a_doubled_word_behind_a_relative_is_no_name() -> None:
    for text in ("我室友天天吹小号", "我同事常常加班到十点"):
        assert all(
            proposal.subject in {"室友", "同事", "user"} for proposal in await proposed(text)
        )
    assert (await proposed("我妹婷婷在海口教潜水"))[0].subject == "婷婷"


async def test_what_begins_a_sentence_is_no_name() -> None:
    for text in ("Polling is off in production", "English is fine with me", "对对是这个意思"):
        assert all(proposal.kind is not PERSON for proposal in await proposed(text))
    assert (await proposed("Ming is a potter in Leeds"))[0].subject == "Ming"


async def test_a_pronoun_is_told_by_name() -> None:
    proposals = await proposed(
        "My sister Lena is a vet.", "agent: Nice!", "She moved to Graz in May."
    )
    assert "Lena" in proposals[-1].content
    assert proposals[-1].subject == "Lena"


async def test_what_was_left_behind_is_kept_as_no_longer_so() -> None:
    proposals = await proposed("Switched from Vim to Helix last week")
    assert [proposal.content for proposal in proposals] == [
        "The user switched from Vim to Helix last week",
        "No longer so for the user: Vim",
    ]


async def test_who_used_to_be_somewhere_is_no_longer_there() -> None:
    for text in ("I used to work at Acme.", "我以前在云杉软件上班。"):
        [proposal] = await proposed(text)
        assert (proposal.attribute, proposal.ended) == ("employer", True)


async def test_a_quoted_mail_says_nothing_of_whoever_sends_it() -> None:
    mail = 'what does this want: "Dear tenant, the lift is shut until Friday and rent is due on the 3rd."'
    assert await proposed(mail) == []


async def test_who_was_brought_up_last_is_meant_and_not_a_thing_that_an_agent_named() -> None:
    proposals = await proposed("Handing the shop to Imke by spring.", "She's my niece.")
    assert "Imke is the user's niece" in {proposal.content for proposal in proposals}
    proposals = await proposed(
        "my aunt's surgery is on friday", "agent: Surgery added.", "she is scared of needles"
    )
    assert "Surgery" not in {proposal.subject for proposal in proposals}


async def test_a_reminder_that_says_only_when_is_of_what_stands_before_it() -> None:
    proposals = await proposed("信用卡账单月底前得还，28号喊我一声")
    assert all("信用卡" in each.content for each in proposals)
    [reminder] = await proposed("下周三下午两点约了拔牙，记一下，提前一天提醒我")
    assert "拔牙" in reminder.content


async def test_names_and_ages_of_an_introduction_are_known_apart() -> None:
    proposals = await proposed("I'm Isolde, 58, I mend clocks in Durham")
    assert {(proposal.attribute, proposal.value) for proposal in proposals} >= {
        ("name", "Isolde"),
        ("age", "58"),
    }


async def test_with_several_people_each_statement_is_its_speakers() -> None:
    proposals = await proposed(
        "Ada: I'm allergic to nuts", "Bo: I never eat fish", people=("Ada", "Bo")
    )
    assert [proposal.subject for proposal in proposals] == ["Ada", "Bo"]


async def test_whoever_is_spoken_to_is_not_part_of_what_is_said() -> None:
    [proposal] = await proposed("scribe: that is an aside", "scribe, I prefer bullet points")
    assert proposal.content == "The user prefers bullet points"
