"""What only the messages before make clear: answers, agreements, plans moved, who is meant."""

import pytest

from palimpsest.model.kinds import Kind
from tests.support.language.statements.saying import answered, proposed


@pytest.mark.parametrize(
    ("question", "answer", "kind", "words"),
    [
        ("How long have you lived there?", "Six years", Kind.FACT, "Six years"),
        ("What kind of music do you like?", "fado, mostly", Kind.PREFERENCE, "fado"),
        ("在那边住了多久？", "六年多", Kind.FACT, "六年多"),
        ("喜欢什么音乐？", "法朵，别的也听", Kind.PREFERENCE, "法朵"),
        ("Tent or cabin?", "cabin, please", Kind.PREFERENCE, "cabin"),
        ("住帐篷还是木屋？", "木屋", Kind.PREFERENCE, "木屋"),
        ("Did you celebrate?", "at the lido last Saturday", Kind.EVENT, "lido"),
    ],
)
async def test_a_short_answer_is_kept_with_its_question(
    question: str, answer: str, kind: Kind, words: str
) -> None:
    [proposal] = await proposed(f"agent: {question}", answer)
    assert proposal.kind is kind
    assert words in proposal.content
    assert question.rstrip("？?") in proposal.content
    assert [quote.message for quote in proposal.evidence] == [2]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Shall I draft it?", "yes please"),
        ("How are you?", "fine, honestly"),
        ("How's the new flat?", "pretty good"),
        ("What does the error say?", "connection refused"),
        ("Sure, at six?", "seven is better"),
        ("What did he say?", "no idea, probably nothing"),
        ("Where?", "Ghent"),
        ("感觉怎么样？", "还行"),
        ("现在什么心情？", "松了口气"),
        ("报什么错？", "连不上"),
        ("需要我提醒你吗？", "不用"),
        ("这样可以吗？", "可以"),
    ],
)
async def test_a_yes_or_a_courtesy_is_no_answer_worth_keeping(question: str, answer: str) -> None:
    assert await proposed(f"agent: {question}", answer) == []


@pytest.mark.parametrize(
    ("supposed", "question", "answer"),
    [
        ("If I won the lottery I'd buy a boat", "Sail or motor?", "sail obviously"),
        ("要是中了彩票我就买条船", "帆船还是快艇？", "当然帆船"),
    ],
)
async def test_what_is_asked_about_a_supposition_is_supposed_too(
    supposed: str, question: str, answer: str
) -> None:
    assert await proposed(supposed, f"agent: {question}", answer) == []


@pytest.mark.parametrize(
    ("offer", "answer", "words"),
    [
        ("Shall I remind you of anything?", "yes, the car papers on Friday morning", "car papers"),
        ("要提醒什么吗？", "周五上午车检", "车检"),
    ],
)
async def test_what_answers_the_offer_of_a_reminder_is_to_be_done(
    offer: str, answer: str, words: str
) -> None:
    [proposal] = await proposed(f"agent: {offer}", answer)
    assert proposal.kind is Kind.ACTION_ITEM
    assert words in proposal.content


async def test_a_name_given_in_answer_names_whoever_is_told_of_next() -> None:
    [proposal] = await proposed("agent: What is the foal called?", "Juniper. She's three weeks old")
    assert "Juniper" in proposal.content
    assert "three weeks old" in proposal.content


@pytest.mark.parametrize(
    ("suggestion", "yes", "words"),
    [
        ("I suggest we cache the tiles for an hour.", "Sounds good, let's do that", "tiles"),
        ("我建议切片缓存一小时。", "就这么办", "切片缓存"),
    ],
)
async def test_who_agrees_decides_what_was_suggested(suggestion: str, yes: str, words: str) -> None:
    [proposal] = await proposed(f"agent: {suggestion}", yes)
    assert proposal.kind is Kind.DECISION
    assert words in proposal.content
    assert {quote.message for quote in proposal.evidence} == {1, 2}


@pytest.mark.parametrize(
    ("suggestion", "answer", "taken", "besides"),
    [
        ("I'd move the form above the map.", "Do it. But keep the map on phones", "above the map", "on phones"),
        ("我建议地图放到表单下面。", "行，按这个来，手机上地图要保留", "表单下面", "手机"),
    ],
)  # fmt: skip
async def test_who_agrees_may_go_on(suggestion: str, answer: str, taken: str, besides: str) -> None:
    proposals = await proposed(f"agent: {suggestion}", answer)
    assert proposals[0].kind is Kind.DECISION
    assert taken in proposals[0].content
    assert any(besides in proposal.content for proposal in proposals[1:])


async def test_a_suggestion_stands_while_other_agents_speak() -> None:
    texts = ("scribe: I suggest three batches.", "editor: The index has to come first.")
    proposals = await proposed(*texts, "go for it", participants=("scribe", "editor"))
    assert any("three batches" in proposal.content for proposal in proposals)


@pytest.mark.parametrize(
    "text",
    ["I propose we drop the old format and add it back in 2.0", "我提议先不支持旧格式，2.0 再加"],
)
async def test_what_an_agent_only_suggests_is_not_yet_decided(text: str) -> None:
    assert await proposed(f"agent: {text}") == []


async def test_a_decision_that_takes_up_a_suggestion_holds_it() -> None:
    [proposal] = await proposed("agent: 我建议分两期上线：先国内，再海外。", "就按你说的两期来")
    assert "先国内" in proposal.content


@pytest.mark.parametrize(
    ("plan", "change", "at"),
    [
        ("remind me to call the vet on Friday at 9am", "make it Thursday", "2026-03-05T01:00"),
        ("remind me to call the vet on Friday at 9am", "make it 11am", "2026-03-06T03:00"),
        ("提醒我周五上午九点给兽医打电话", "改到周四吧", "2026-03-05T01:00"),
        ("周五下午三点我有个答辩", "答辩推迟到下周一了", "2026-03-09T07:00"),
        ("周五下午三点我有个答辩", "周五要用车，答辩改下周二上午十点", "2026-03-10T02:00"),
    ],
)
async def test_a_plan_that_is_moved_keeps_what_it_was_and_is_due_when_it_is_now(
    plan: str, change: str, at: str
) -> None:
    told = await proposed(plan, "agent: ok", change)
    # That the car is wanted on Friday may be kept beside it.
    [proposal] = [each for each in told if each.evidence[0].message == 1]
    assert proposal.time is not None
    assert proposal.time.starts_at is not None
    assert proposal.time.starts_at.isoformat().startswith(at)
    assert {quote.message for quote in proposal.evidence} == {1, 3}


@pytest.mark.parametrize(
    ("plan", "given_up"),
    [
        ("打算下个月去敦煌自驾", "敦煌不去了，我妈住院了"),
        ("报上半马了，打算十月跑", "半马我放弃了"),
        ("周五晚上七点跟老乔吃饭", "跟老乔的饭局取消了"),
    ],
)
async def test_a_plan_that_is_given_up_later_is_none(plan: str, given_up: str) -> None:
    [planned] = await proposed(plan)
    proposals = await proposed(plan, "agent: 好的", given_up)
    assert planned.content not in {proposal.content for proposal in proposals}
    assert all(max(quote.message for quote in proposal.evidence) > 2 for proposal in proposals)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("下周四晚上7点有声乐公开课，提前十分钟叫我", "2026-03-12T11:00"),
        ("记个事 这周六上午九点去东门给琴调音", "2026-03-07T01:00"),
        ("后天下午4点跟琴行开会，建个待办", "2026-03-06T08:00"),
    ],
)
async def test_what_is_to_be_reminded_of_or_written_down_is_to_be_done(text: str, due: str) -> None:
    [proposal] = await proposed(text)
    assert proposal.kind is Kind.ACTION_ITEM
    assert proposal.time is not None
    assert proposal.time.starts_at is not None
    assert proposal.time.starts_at.isoformat().startswith(due)


async def test_whoever_was_named_before_is_known_by_name() -> None:
    *_, proposal = await proposed("周四我女儿糯糯有钢琴课", "糯糯花生过敏")
    assert proposal.subject == "糯糯"


async def test_whoever_lives_somewhere_says_so_on_the_way_to_something_else() -> None:
    proposals = await proposed("在佛山一家琴厂做调律，天天跟弦打交道")
    assert ("city", "佛山") in {(each.attribute, each.value) for each in proposals}
    assert len(await proposed("我家在厦门，推荐地方的时候留意一下")) == 1
    assert [proposal.attribute for proposal in await proposed("我在佛山出差，住琴厂宿舍")] != [
        "city"
    ]


async def test_of_what_is_said_of_nobody_weeks_later_nothing_is_kept() -> None:
    assert await proposed("今天琴房的暖气绝了") == []
    assert await proposed("天天给我留一碗汤来着") == []


async def test_where_nothing_was_planned_nothing_is_moved() -> None:
    [proposal] = await proposed("standup moved to Thursday at 9am")
    assert proposal.time is not None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("remind me to pay the dentist tomorrow", "done with the dentist"),
        ("提醒我明天取快递", "快递取了"),
        ("提醒我明天交水费", "水费刚在手机上交完了，86 块"),
    ],
)
async def test_what_is_done_is_said_to_be_finished(first: str, second: str) -> None:
    answer = await answered(first, "agent: ok", second)
    assert [proposal.kind for proposal in answer.proposals][:1] == [Kind.ACTION_ITEM]
    assert len(answer.finished) == 1


async def test_nothing_is_made_of_what_looks_like_a_secret() -> None:
    texts = (
        "the wifi pass is Tuna-88-salad",
        "my login is otto / Kx9!vv20plm",
        "账号 otto 密码 kx9vv20plm",
    )
    for text in texts:
        proposals = await proposed(text)
        assert not any(
            part in proposal.content for proposal in proposals for part in ("88", "9!vv", "9vv")
        )


@pytest.mark.parametrize(
    ("texts", "whom"),
    [
        (("我妈住院了，我弟从广州赶回来", "她对青霉素过敏"), "妈妈"),
        (("我妹做的饭好吃，我爸来住几天", "他膝盖一直不好"), "爸爸"),
        (("my sister Ines lives in Porto and my brother plays chess", "she's allergic to nuts"), "Ines"),
        (("it's close to my sister, we moved from Oakland", "she has two kids"), "sister"),
    ],
)  # fmt: skip
async def test_a_pronoun_means_whoever_it_may(texts: tuple[str, ...], whom: str) -> None:
    *_, last = await proposed(*texts)
    assert last.subject == whom


@pytest.mark.parametrize(
    ("text", "name"),
    [("小周下周一才回来", "小周"), ("糖糖对牛奶蛋白过敏", "糖糖"), ("Poppy's allergic to milk protein", "Poppy")],
)  # fmt: skip
async def test_whoever_is_named_is_who_it_is_about(text: str, name: str) -> None:
    [proposal] = await proposed(text)
    assert proposal.subject == name


async def test_a_decision_takes_up_only_what_it_agrees_with() -> None:
    *_, decided = await proposed(
        "agent: I'd go with NATS, it's simpler to operate.", "let's go with Kafka then"
    )
    assert "NATS" not in decided.content
    *_, refused = await proposed(
        "agent: 我建议用事件溯源，审计方便。", "那先不上事件溯源，用普通的表"
    )
    assert "建议" not in refused.content


@pytest.mark.parametrize(
    "text", ["我以前用 Windows，上个月换成 MacBook 了", "不去原来的了 太坑 换成小区北门那家"]
)
async def test_what_was_before_is_named_by_what_it_is(text: str) -> None:
    proposals = await proposed(text)
    assert proposals
    for proposal in proposals:
        assert "上个月：" not in proposal.content
        assert "太坑：" not in proposal.content


@pytest.mark.parametrize(
    "texts",
    [
        ("I don't buy it",),
        ("not bad not bad",),
        ("agent: 可以试试番茄牛腩。", "听起来不错"),
        ("我今天没什么胃口",),
        ("老板要扩招二十个人", "他每年都这么说"),
        ("下面这段帮我改得礼貌一点：我讨厌王经理",),
        ("make this sound more polite: I can't stand Mr. Wang",),
        ("还没想好续不续",),
        ("没什么 就是想吐槽一下",),
        ("nah just tired",),
        ("I dunno, I feel like something's off",),
    ],
)
async def test_what_is_said_in_passing_is_not_kept(texts: tuple[str, ...]) -> None:
    last = len(texts)
    assert not [
        proposal
        for proposal in await proposed(*texts)
        if any(c.message == last for c in proposal.evidence)
    ]


async def test_whoever_speaks_is_named_where_only_me_says_so() -> None:
    [proposal] = await proposed("please never add dependencies without asking me first")
    assert "asking the user first" in proposal.content
