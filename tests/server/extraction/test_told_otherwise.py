"""Changes told in ordinary Chinese words, in another conversation: what held before holds no more."""

from collections.abc import Sequence

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.extraction.extraction_window import build_extraction_request
from tests.support.server.extraction.told_on_days import known_after
from tests.support.windows import window


def contents(memories: Sequence[Memory], status: Status) -> list[str]:
    return [memory.content for memory in memories if memory.status is status]


@pytest.mark.parametrize(
    ("before", "after", "attribute", "value"),
    [
        ("我家住龙岗", "昨天搬家了，搬到西丽这边了", "city", "西丽"),
        ("我家住龙岗", "房子定了，月底搬到西丽", "city", "西丽"),
        ("我住在北京。", "上周终于搬到通州了", "city", "通州"),
        ("我在字节上班", "我离职了，下个月去美团", "employer", "美团"),
        ("我在字节上班", "我上周离职了，下周去一所小学上班", "employer", "小学"),
        ("我在字节上班", "我离职了", "employer", "无"),
        ("我在字节上班", "上个月被裁了", "employer", "无"),
        ("我男朋友叫林涛", "我跟男朋友分手了", "marital_status", "单身"),
        ("我老公叫张伟", "我离婚了", "marital_status", "离异"),
        ("我今年六十二", "更正一下，我是六十三", "age", "63"),
        ("我今年62岁", "刚才说错了，我今年六十三", "age", "63"),
        ("我在吃硝苯地平", "大夫把硝苯地平换成缬沙坦了", "medication", "缬沙坦"),
    ],
)
async def test_what_holds_now_takes_the_place_of_what_held(
    before: str, after: str, attribute: str, value: str
) -> None:
    held, *_, now = sorted(await known_after(before, after), key=lambda memory: memory.valid_from)
    assert (now.status, now.attribute, now.value) == (Status.ACTIVE, attribute, value)
    assert (held.status, held.superseded_by is None) == (Status.SUPERSEDED, False)


@pytest.mark.parametrize(
    ("before", "after", "attribute", "value"),
    [
        ("我在字节上班", "我上个月换工作了，现在在美团做产品经理", "employer", "美团"),
        ("我在字节上班", "换工作了 现在在一家创业公司做设计", "employer", "创业公司"),
        ("我在字节上班", "跳槽到美团做产品经理了", "employer", "美团"),
        ("我在医院当护士", "我改行做美甲师了", "job", "美甲师"),
        ("我在医院当护士", "改行卖保险了", "job", "卖保险"),
        ("我在医院当护士", "转行开网约车去了", "job", "开网约车"),
        ("我在字节做运营", "我转岗做产品经理了", "job", "产品经理"),
        ("我在字节做运营", "上个月换工作了，现在在美团做产品经理", "job", "产品经理"),
    ],
)
async def test_whoever_changes_work_has_the_new_one_alone(
    before: str, after: str, attribute: str, value: str
) -> None:
    memories = [
        memory for memory in await known_after(before, after) if memory.attribute == attribute
    ]
    held = [
        memory.value for memory in memories if memory.status is Status.ACTIVE and not memory.ended
    ]
    assert held == [value]
    assert Status.SUPERSEDED in {memory.status for memory in memories}


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        ("我在字节上班", "我不在字节干了", "字节"),
        ("我在字节上班", "不在字节待了 太卷", "字节"),
        ("我在字节上班", "字节那边我不干了", "字节"),
        ("我在字节上班", "我把字节的工作辞了", "字节"),
        ("我在字节上班", "从字节走了", "字节"),
        ("我在医院当护士", "我已经不当护士了", "护士"),
        ("我在医院当护士", "不当护士了 改行做美甲师", "护士"),
        ("我在字节做运营", "运营我不做了", "运营"),
    ],
)
async def test_where_one_works_no_more_and_what_one_is_no_more_has_ended(
    before: str, after: str, value: str
) -> None:
    gone = [
        memory for memory in await known_after(before, after) if memory.status is Status.SUPERSEDED
    ]
    assert [memory.value for memory in gone] == [value]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("我男朋友叫林涛", "我和林涛分手了"),
        ("我女朋友叫小美", "我跟小美上个月分手了"),
        ("我老婆叫小雅", "我和小雅离婚了"),
        ("我男朋友叫林涛", "林涛是谁不重要了，我前男友叫林涛"),
    ],
)
async def test_whoever_was_parted_from_is_no_partner(before: str, after: str) -> None:
    held, parted = await known_after(before, after)
    assert (held.status, parted.ended) == (Status.SUPERSEDED, True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("我家住龙岗", "我妹昨天搬家了，搬到西丽了"),
        ("我家住龙岗", "公司搬家了，搬到西丽了"),
        ("我家住龙岗", "我想搬到西丽"),
        ("我家住龙岗", "昨天帮小王搬家，搬到西丽了"),
        ("我家住龙岗", "周末搬到西丽看看房子"),
        ("我老公叫张伟", "我儿子离婚了"),
        ("我老公叫张伟", "我梦见我离婚了"),
        ("我在字节上班", "昨天聚餐，小王离职了"),
        ("我男朋友叫林涛", "我和林涛分手三年了又复合了"),
        ("我家住龙岗", "把床搬到客厅了"),
        ("我在字节上班", "我同事离职了，下个月去美团"),
        ("我在字节上班", "我想离职了"),
        ("我在字节上班", "我不在家待了"),
        ("我在字节上班", "我不在这干了"),
        ("我在字节做运营", "我想转行做设计"),
        ("我在字节做运营", "我打算改行卖保险"),
        ("我在字节做运营", "我不想做运营了"),
        ("我在字节做运营", "我老公不当司机了"),
        ("我在字节做运营", "我妈不当老师了 改行卖保险了"),
        ("我在字节做运营", "我在医院做手术"),
        ("我在字节做运营", "周末去三亚当伴娘"),
        ("我在字节做运营", "我不当回事了"),
        ("我在字节上班", "我要是离职了，就去旅游"),
        ("我男朋友叫林涛", "我闺蜜和她男朋友分手了"),
        ("我男朋友叫林涛", "我差点和他分手"),
        ("我男朋友叫林涛", "我和小王拆伙了"),
        ("我男朋友叫林涛", "跟林涛分了个西瓜"),
        ("我今年六十二", "我儿子三十了"),
        ("我在吃硝苯地平", "我爸换成缬沙坦了"),
    ],
)
async def test_what_others_do_and_what_is_only_wished_for_changes_nothing(
    before: str, after: str
) -> None:
    memories = await known_after(before, after)
    assert contents(memories, Status.SUPERSEDED) == []


async def test_whoever_is_together_again_is_a_partner() -> None:
    memories = await known_after("我男朋友叫林涛", "我和林涛分手了", "我和林涛复合了")
    assert "用户和林涛复合了" in contents(memories, Status.ACTIVE)


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ("我想考研，明年12月考", "考研我不想考了，准备考公务员", "用户想考研，明年12月考"),
        ("我打算五月去云南玩", "云南不去了", "用户打算五月去云南玩"),
        ("我打算去云南玩", "我不去云南了", "用户打算去云南玩"),
        ("我打算买一辆特斯拉", "特斯拉不买了", "用户打算买一辆特斯拉"),
        ("提醒我周五报名考研班", "考研我不考了", "提醒用户周五报名考研班"),
        ("我准备考研", "研不考了", "用户打算考研"),
        ("我准备考研", "不考研了", "用户打算考研"),
        ("我准备考研", "考研不考了", "用户打算考研"),
        ("我打算买车", "车不买了", "用户打算买车"),
        ("我抽烟抽了三十年了", "烟我不抽了 从今天开始戒", "用户抽烟抽了三十年了"),
        ("我奶茶只喝三分糖去冰", "戒奶茶了 医生说我血糖偏高", "用户奶茶只喝三分糖去冰"),
        ("我每周三打羽毛球", "羽毛球不打了，腿伤了", "用户每周三打羽毛球"),
        ("平时爱喝冻柠茶 少冰那种", "冻柠茶戒了 现在只喝热水", "用户喜欢喝冻柠茶"),
        ("我喜欢喝奶茶", "我把奶茶戒了", "用户喜欢喝奶茶"),
        ("我每天坐地铁上班", "买了辆小电驴 不坐地铁了", "用户坐地铁上班"),
    ],
)
async def test_a_plan_that_is_given_up_is_none(before: str, after: str, gone: str) -> None:
    memories = await known_after(before, after)
    assert contents(memories, Status.SUPERSEDED) == [gone]


async def test_what_has_another_time_now_has_it_alone() -> None:
    before, after = await known_after("老伴儿的手术定在12月8号", "手术改时间了，改到12月15号")
    assert (before.status, after.status) == (Status.SUPERSEDED, Status.ACTIVE)
    assert after.content == "手术改时间了，改到12月15号"
    assert after.data["time"]["starts_at"].startswith("2026-12-15")


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        (
            "地图功能计划11月底上线",
            "地图功能推迟到12月中旬",
            "地图功能计划11月底上线",
        ),
        (
            "十二月八号要去年审车子 你帮我记到",
            "年审改到十二月十五号了 八号排不到",
            "十二月八号要去年审车子",
        ),
        (
            "演唱会定在28号",
            "演唱会改期了 延到十二月十九号 无语子",
            "演唱会定在28号",
        ),
    ],
)
async def test_whatever_is_moved_by_its_name_has_its_new_time_alone(
    before: str, after: str, gone: str
) -> None:
    memories = await known_after(before, after)
    assert contents(memories, Status.SUPERSEDED) == [gone]


async def test_what_is_to_be_done_on_another_day_is_to_be_done_then() -> None:
    memories = await known_after("十二月八号要去年审车子 你帮我记到", "年审改到十二月十五号了")
    kinds = {memory.status: memory.kind for memory in memories}
    assert kinds == {Status.SUPERSEDED: Kind.ACTION_ITEM, Status.ACTIVE: Kind.ACTION_ITEM}


async def test_what_is_planned_again_is_planned() -> None:
    memories = await known_after("我打算去云南", "我不去云南了", "我还是打算去云南")
    assert contents(memories, Status.ACTIVE) == ["用户还是打算去云南"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("我儿子打算考研", "考研我不想考了"),
        ("我打算去云南玩", "今天不去了"),
        ("我打算去云南玩", "我不去海南了"),
        ("我去年去云南玩了", "云南不去了"),
        ("老伴儿的手术定在12月8号", "我妈的手术改到12月15号了"),
        ("美团的面试定在周五", "腾讯的面试改到下周一了"),
        ("面试定在周五", "体检改到下周一了"),
        ("我打算去云南玩", "云南的雨不下了"),
        ("我儿子准备考研", "研不考了"),
        ("我准备考公", "研不考了"),
        ("地图功能11月底上线", "搜索功能推迟到12月中旬了"),
        ("我抽烟抽了三十年了", "我爸烟不抽了"),
        ("我每周三打羽毛球", "今天羽毛球不打了"),
        ("我每天吃早饭", "我不吃辣了"),
        ("我每天跑步", "不跑了，困死了"),
    ],
)
async def test_other_plans_stand(before: str, after: str) -> None:
    memories = await known_after(before, after)
    assert contents(memories, Status.SUPERSEDED) == []


async def test_of_two_of_a_sort_it_is_not_known_which_was_moved() -> None:
    said = ("美团的面试定在周五", "腾讯的面试定在周四", "面试改到下周一了")
    assert contents(await known_after(*said), Status.SUPERSEDED) == []


@pytest.mark.parametrize(
    ("said", "subject", "value"),
    [
        ("我妈换药了，换成缬沙坦了", "妈妈", "缬沙坦"),
        ("我爸换药了，换成缬沙坦了", "爸爸", "缬沙坦"),
        ("老伴儿换药了，改吃二甲双胍了", "老伴", "二甲双胍"),
        ("大夫给我妈换药了，换成缬沙坦了", "妈妈", "缬沙坦"),
        ("我妈血压高。换药了，换成缬沙坦了", "妈妈", "缬沙坦"),
        ("我女儿在吃优甲乐", "女儿", "优甲乐"),
        ("我女儿最近不舒服。她现在改吃二甲双胍了", "女儿", "二甲双胍"),
        ("大夫给我换药了，换成缬沙坦了", "user", "缬沙坦"),
        ("换药了，换成缬沙坦了", "user", "缬沙坦"),
        ("我跟老伴儿商量了，换成缬沙坦了", "user", "缬沙坦"),
        ("我妈陪我去的，大夫给我换成缬沙坦了", "user", "缬沙坦"),
    ],
)
async def test_a_medicine_is_of_whoever_takes_it(said: str, subject: str, value: str) -> None:
    taken = [memory for memory in await known_after(said) if memory.attribute == "medication"]
    assert [(memory.subject, memory.value, memory.ended) for memory in taken] == [
        (subject, value, False)
    ]


@pytest.mark.parametrize(
    "after",
    [
        "氨氯地平吃了腿肿，不吃了",
        "氨氯地平不吃了",
        "氨氯地平停了",
        "停了氨氯地平",
        "氨氯地平那个药不吃了",
    ],
)
async def test_a_medicine_that_is_taken_no_more_is_none(after: str) -> None:
    switched = "大夫给我换药了，换成缬沙坦了"
    memories = await known_after("我天天吃氨氯地平，一天一片", switched, after)
    assert contents(memories, Status.SUPERSEDED) == ["用户天天吃氨氯地平，一天一片"]
    active = [memory for memory in memories if memory.status is Status.ACTIVE]
    assert [memory.value for memory in active if not memory.ended] == ["缬沙坦"]


@pytest.mark.parametrize(
    "after",
    [
        "药吃完了",
        "氨氯地平吃完了",
        "今天的药还没吃",
        "今天氨氯地平不吃了",
        "我妈停了工作",
        "氨氯地平不吃会头晕",
        "氨氯地平不吃了会头晕",
        "停了氨氯地平会头晕",
        "我妈氨氯地平停了",
        "我妈换药了，换成缬沙坦了",
        "大夫给我换药了，换成二甲双胍了",
    ],
)
async def test_a_medicine_is_taken_on_where_nobody_says_that_it_is_not(after: str) -> None:
    memories = await known_after("我天天吃氨氯地平，一天一片", after)
    assert contents(memories, Status.SUPERSEDED) == []


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("我天天吃氨氯地平。大夫给我换药了，换成缬沙坦了", ["氨氯地平"]),
        ("我妈在吃氨氯地平。她换药了，换成缬沙坦了", ["氨氯地平"]),
        ("我在吃氨氯地平。我在吃二甲双胍。换药了，换成缬沙坦了", ["氨氯地平"]),
        ("我在吃氨氯地平。我在吃倍他乐克。换药了，换成缬沙坦了", []),
        ("我天天吃氨氯地平。我妈换药了，换成缬沙坦了", []),
    ],
)
async def test_the_one_medicine_of_a_conversation_is_what_another_takes_the_place_of(
    said: str, gone: list[str]
) -> None:
    memories = await known_after(said)
    assert [memory.value for memory in memories if memory.status is Status.SUPERSEDED] == gone


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        (("我在吃氨氯地平，一天一片", "医生给我换成了缬沙坦"), ["氨氯地平"]),
        (("我在吃氨氯地平", "我在吃二甲双胍", "换药了，换成缬沙坦了"), ["氨氯地平"]),
        (("我在吃氨氯地平", "我在吃缬沙坦", "换成厄贝沙坦了"), ["缬沙坦"]),
        (("我在吃氨氯地平", "换成缬沙坦了", "又换成厄贝沙坦了"), ["氨氯地平", "缬沙坦"]),
        (("我在吃氨氯地平", "我在吃倍他乐克", "换成缬沙坦了"), []),
        (("我在吃二甲双胍", "医生给我换成了缬沙坦"), []),
        (("我在吃氨氯地平", "我爸换成缬沙坦了"), []),
    ],
)
async def test_another_medicine_takes_the_place_of_the_one_for_the_same_told_on_another_day(
    said: tuple[str, ...], gone: list[str]
) -> None:
    memories = await known_after(*said)
    assert [memory.value for memory in memories if memory.status is Status.SUPERSEDED] == gone


async def test_what_is_said_just_before_tells_whose_medicine_it_is() -> None:
    asked = window("我妈在吃氨氯地平", "换药了，换成缬沙坦了", session="s", name="w")
    context, fresh = asked.fresh
    request = build_extraction_request(
        asked.model_copy(update={"context": (context,), "fresh": (fresh,)})
    )
    (told,) = (await LocalExtractor().extract(request)).proposals
    assert (told.subject, told.value) == ("妈妈", "缬沙坦")
