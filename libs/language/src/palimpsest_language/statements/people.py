"""Whom a clause is about: the speaker, somebody of theirs, or whoever was spoken of last."""

import re
from dataclasses import dataclass

from palimpsest_language.statements.english_kind_cues import PETS, RELATIVES

_AT_HOME = (
    r"(?:[Mm]om|[Mm]um|[Dd]ad|[Nn]an|[Gg]ran|[Gg]randma|[Gg]randpa|[Nn]ana|[Gg]ranny|[Gg]randad"
    r"|[Aa]buel[ao]"
    r"|[Nn]onn[ao]|Oma|Opa|Papa|Mama|[Aa]mma|[Aa]ppa|[Nn]ani|[Dd]adi)"
)
_ENGLISH = re.compile(
    (
        rf"^(?:(?:(?:[Mm]y|[Oo]ur|[Tt]he) )(?P<title>(?:\w+ )?(?:{RELATIVES}|{PETS}))|(?P<home>"
        rf"{_AT_HOME}))(?:,? (?P<name>(?:(?:Dr|Mrs?|Ms|Prof)\.? )?(?!I\b)[A-Z][\w’-]+))?\b"
        r"(?!['’]s (?:birthday|exam|wedding|house|place|party|\d))"
    ),
)
APPOSITION_ENDS = r"(?=\s*(?:[,;:!?)—–]|\.(?:\s|$)|$|(?:and|or|who|whose)\b))"
"""Behind a comma, a name tells who was meant; one that a verb follows begins what is said next."""
_MY = re.compile(
    (
        rf"\b(?:my|our) (?P<title>(?:\w+ )?(?:{RELATIVES}|{PETS}))\b(?:(?P<comma>,)? (?P<name>(?-i:"
        r"(?:(?:Dr|Mrs?|Ms|Prof)\.? )?(?!(?:Dr|Mrs?|Ms|Prof)\b)[A-Z])[\w’-]+)\b"
        rf"(?(comma){APPOSITION_ENDS}))?"
    ),
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"^(?P<name>(?:Dr\.? |Prof\.? |Uncle |Aunt(?:ie)? |Mr\.? |Mrs\.? |Ms\.? )?[A-Z][a-zà-ÿ’-]+"
    r"(?: [A-Z][a-zà-ÿ]+)?)(?:['’]s(?! (?:allergic|afraid|scared|vegan|vegetarian|diabetic"
    r"|pregnant|married|sick|ill|deaf|blind|back|away|on|not|an?|the|my|our|from|very|really|so"
    r"|too|turning|moving|leaving|starting|coming|getting|working|taking)\b))?(?: "
    r"(?:from|in|at) \w+(?: \w+)?)?(?: (?:still|also|just|really|always|usually|often|only"
    r"|already|even|now))* (?:is|was|has|had|will|ate|took|takes|gave|made|broke|found|wants?"
    r"|likes?|loves?|hates?|lives?|works?|and|used|can|never|always|turns?|got|gets|just|prefers?"
    r"|said|goes|went|makes?|\w+ed|signs|runs|handles|owns|leads|teaches|plays|keeps|needs|owes"
    r"|thinks|pays|cooks|drives|comes|starts|eats|drinks|studies|hasn['’]t|isn['’]t|doesn['’]t"
    r"|didn['’]t|don['’]t)\b"
)
_NAME_IS = re.compile(
    r"^(?P<name>[A-Z][a-zà-ÿ-]+)['’]s (?:allergic|afraid|scared|vegan|vegetarian|diabetic"
    r"|pregnant|married|sick|ill|deaf|blind|away|an?|my|our"
    r"|from|turning|moving|leaving|starting|coming|getting|working|taking|lactose)\b"
)
"""“Poppy's allergic to milk”."""
_MET = re.compile(
    r"(?<![Mm]y name )"
    r"\b(?:(?:talk|talked|talking|spoke|speak|write|wrote|married|engaged|related|close) to|"
    r"(?:send|sent|give|gave|forward|show|showed|(?i:hand(?:ing|ed)?|pass(?:ing|ed)?|leav"
    r"(?:e|ing)|sold|sell(?:ing)?)) (?:\w+ ){1,3}to|with|for|ask|tell|call|meet|saw|met|named"
    r"|called|is) (?P<name>(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?[A-Z][a-zà-ÿ’-]+)\b"
)
_PRONOUN = re.compile(
    r"^(?:now |then |today |these days )?(?P<pronoun>she|he|they|it|that|this|those|his|her)\b",
    re.IGNORECASE,
)
_NO_NAME_WORDS = """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday This That There These Those What The
    It He She They We You Everyone Nobody Somebody Which Who How Why Here Today Tomorrow Yesterday
    Work Life Then Now And But So My Our Your His Her Their Its Dr Mr Mrs Ms Go Only Not Never
    Always Just Still Also Both All Some Most Each English French German Spanish Italian Russian
    Chinese Japanese Korean Arabic Hindi Polish Turkish Dutch Armenian Portuguese Greek Welsh Irish
    Swedish Danish Finnish January February March April May June July August September October
    November December Elder Younger First Second Last Next Okay Yes No Sorry Thanks Please Mind
    Well Right
"""
_NO_NAME = frozenset(_NO_NAME_WORDS.split())

_CHINESE_RELATIVES = {
    "老婆": "老婆", "妻子": "妻子", "太太": "太太", "老公": "老公", "丈夫": "丈夫", "女儿": "女儿",
    "闺女": "女儿",
    "儿子": "儿子", "孩子": "孩子", "爸妈": "爸妈", "父母": "父母", "爸爸": "爸爸", "爸": "爸爸",
    "父亲": "父亲", "妈妈": "妈妈",
    "妈": "妈妈", "母亲": "母亲", "姐姐": "姐姐", "姐": "姐姐", "妹妹": "妹妹", "妹": "妹妹",
    "哥哥": "哥哥", "哥": "哥哥",
    "弟弟": "弟弟", "弟": "弟弟", "爷爷": "爷爷", "奶奶": "奶奶", "外公": "外公", "外婆": "外婆",
    "姥姥": "姥姥", "姥爷": "姥爷",
    "表哥": "表哥", "表弟": "表弟", "表姐": "表姐", "表妹": "表妹", "堂哥": "堂哥", "堂弟": "堂弟",
    "舅舅": "舅舅", "叔叔": "叔叔",
    "姑姑": "姑姑", "阿姨": "阿姨", "侄子": "侄子", "侄女": "侄女", "外甥": "外甥", "室友": "室友",
    "同事": "同事", "朋友": "朋友",
    "婆娘": "老婆", "堂客": "老婆", "娃儿": "孩子", "老妈": "妈妈", "老爸": "爸爸", "老姐": "姐姐",
    "老弟": "弟弟", "闺蜜": "闺蜜", "同桌": "同桌", "同学": "同学", "徒弟": "徒弟", "师父": "师父",
    "搭档": "搭档", "发小": "发小", "娃": "孩子", "老板": "老板", "领导": "领导", "导师": "导师",
    "房东": "房东", "邻居": "邻居", "对象": "对象",
    "外孙女": "外孙女", "外孙": "外孙", "孙女": "孙女", "孙子": "孙子", "儿媳": "儿媳",
    "女婿": "女婿", "嫂子": "嫂子",
    "姐夫": "姐夫", "妹夫": "妹夫", "姨妈": "姨妈", "舅妈": "舅妈", "伯伯": "伯伯", "姑妈": "姑妈",
    "老伴": "老伴", "媳妇": "媳妇",
    "女朋友": "女朋友", "男朋友": "男朋友", "女友": "女朋友", "男友": "男朋友", "丈母娘": "丈母娘",
    "婆婆": "婆婆", "岳父": "岳父",
    "猫": "猫", "狗": "狗", "小猫": "小猫", "小狗": "小狗", "猫咪": "猫", "狗狗": "狗",
}  # fmt: skip
CHINESE_TITLES = "|".join(sorted(_CHINESE_RELATIVES, key=len, reverse=True))
"""What people call theirs in Chinese, the longest first: alternatives of a pattern."""
_CHINESE = re.compile(
    r"^(?:就是|另外|还有|不过|但是?|而且|我们?|我家|咱们?|的|俩|两个?|几个)*(?:"
    rf"(?<=家)的?[\u4e00-\u9fff]{{1,3}}(?=[猫狗])|(?<=家的)[\u4e00-\u9fff]{{1,3}}(?=[猫狗]))?"
    rf"(?P<title>{CHINESE_TITLES})(?:叫)?(?P<name>阿[\u4e00-\u9fff]|[小老]"
    r"(?!时|孩|师|家|区|板|是|说|学)[\u4e00-\u9fff]|"
    r"(?![天常往刚偏渐慢明处时年月个样人家事好统偷默总])([\u4e00-\u9fff])\3"
    r"(?=[是在对有要说喜不最住很想今明后下也都，,属去的]|$)|[A-Z][a-z]+)?"
)
_CHINESE_NAMED = re.compile(
    r"^(?:鼓手|吉他手|贝斯手|主唱|队长|班长|组长|店长|护士长|经理|主任|师傅|教练|司机|会计|隔壁"
    r"|楼[上下]|对门)?(?P<name>[小老]"
    r"(?![时孩师家区板是说学心猫狗组红程米吃实年朋公婆人外早大样把虎鼠鸟鱼声费票数段路店伙姐哥弟妹伴妈爸爷奶乡毛规地天百半])[\u4e00-\u9fff]"
    r"|阿(?!姨|里)[\u4e00-\u9fff]|"
    r"(?![天常往刚偏渐慢明处时年月个样人家事好统偷默总谢哈呵嘿嗯对是行好妈爸哥弟姐妹爷奶星宝看想试聊等说问写讲拜])"
    r"(?P<twice>[\u4e00-\u9fff])(?P=twice))"
    r"(?=[在是对有要说喜不最很想今明后下上也都刚才去来昨周这那已会能叫生爱怕负住]"
    r"|[0-9一二两三四五六七八九十]+个?[岁月周])"
)
"""小周, 阿泽, 糖糖: whoever is called like that, and what is said of them."""
_SURNAMES = (
    "王李张刘陈杨赵黄吴徐孙胡朱郭罗梁宋郑谢韩唐冯董萧曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏"
    "钟汪姜范姚谭廖邹熊陆郝孔崔邱秦侯邵孟龚"
)
_NO_FULL_NAME = (
    "许多|曾经|谢谢|陈列|张口|杜绝|陆续|秦朝|宋朝|唐朝|韩国|韩语|苏州|夏天|夏季|叶子|余下|黄瓜|黄色|孙子|孙女"
    "|胡子|罗马|董事|许可|姜|熊猫|孔子|钟头|杨梅|李子|范围|张家口|王国|郑州|黄山|汪汪|苏打|曾"
)
_BY_SURNAME = re.compile(
    r"(?P<name>"
    r"(?:[王李张刘陈杨赵黄吴徐孙胡朱郭罗梁宋郑谢韩唐冯董萧曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪姜范姚谭廖邹熊陆郝孔崔邱秦侯邵孟龚]"
    r"|周(?![一二三四五六日天末]))(?![说讲总哥姐])[\u4e00-\u9fff]{1,2}?)"
    r"(?=说|讲|告诉|答应|打算|准备|想|耍|毕业|来)"
)
"""宋一鸣说…: whoever is called by their whole name, and spoken of from then on."""
_CHINESE_FULL_NAME = re.compile(
    rf"^(?P<name>(?!{_NO_FULL_NAME})[{_SURNAMES}](?![说讲总哥姐])[\u4e00-\u9fff]{{1,2}}?)"
    r"(?=(?:很|也|都|最|特别|一直|从来|平时|还|就|比较|非常)*(?:喜欢|讨厌|爱[吃喝看打玩听]|不吃|不喝"
    r"|不爱|怕|擅长|对[\u4e00-\u9fff]{1,6}过敏|住在|住[\u4e00-\u9fff]|在[\u4e00-\u9fff]{2,8}(?:工作|上班|读)"
    r"|负责|今年[0-9一二三四五六七八九十]+岁|的(?:生日|老家|电话|爱好)|是(?:我|我们)的))"
)
"""王强喜欢打高尔夫: whoever is called by their whole name is who likes it."""
_CHINESE_PRONOUN = re.compile(r"^[他她它](?!们)")


@dataclass(frozen=True)
class MentionedPerson:
    """A person mentioned: `title` is what they are to the speaker ("sister", 弟弟)."""

    title: str | None
    name: str | None

    @property
    def subject(self) -> str:
        return self.name or self.title or ""


_NAMES_IN_ING = frozenset(
    [
        "Ming",
        "Ling",
        "Jing",
        "Qing",
        "Ying",
        "Ping",
        "Xing",
        "Ning",
        "Bing",
        "King",
        "Irving",
        "Sterling",
        "Fleming",
    ]
)
"""What else ends like that and begins a sentence is a verb."""

_WOMEN = frozenset(
    [
        "老婆",
        "妻子",
        "太太",
        "女儿",
        "妈妈",
        "母亲",
        "姐姐",
        "妹妹",
        "奶奶",
        "外婆",
        "姥姥",
        "表姐",
        "表妹",
        "姑姑",
        "阿姨",
        "侄女",
        "闺蜜",
        "女朋友",
        "丈母娘",
        "婆婆",
    ]
) | frozenset(
    [
        "wife",
        "girlfriend",
        "daughter",
        "sister",
        "mom",
        "mum",
        "mother",
        "grandma",
        "grandmother",
        "granddaughter",
        "nan",
        "nana",
        "gran",
        "aunt",
        "auntie",
        "niece",
        "landlady",
    ]
)
_MEN = frozenset(
    [
        "老公",
        "丈夫",
        "儿子",
        "爸爸",
        "父亲",
        "哥哥",
        "弟弟",
        "爷爷",
        "外公",
        "姥爷",
        "表哥",
        "表弟",
        "堂哥",
        "堂弟",
        "舅舅",
        "叔叔",
        "侄子",
        "男朋友",
        "岳父",
    ]
) | frozenset(
    [
        "husband",
        "boyfriend",
        "son",
        "brother",
        "dad",
        "father",
        "grandpa",
        "grandfather",
        "grandson",
        "uncle",
        "nephew",
        "landlord",
    ]
)
_OF_WOMEN, _OF_MEN = frozenset({"she", "her", "她"}), frozenset({"he", "his", "他"})


def matches_pronoun(person: MentionedPerson, pronoun: str) -> bool:
    """Tell whether the pronoun may stand for them, by what they are to the speaker.

    "it" for anybody.
    """
    title = (person.title or "").split()[-1:] or [""]
    word = title[0].removesuffix("-in-law")
    if word.removesuffix("s") in _MEN | _WOMEN:
        word = word.removesuffix("s")
    if pronoun.casefold() in _OF_WOMEN:
        return word not in _MEN
    if pronoun.casefold() in _OF_MEN:
        return word not in _WOMEN
    return True


def find_subject_person(text: str, *, chinese: bool) -> MentionedPerson | None:
    """Return whoever the clause begins with; None where that is the speaker, or a thing."""
    if chinese:
        match = _CHINESE.match(text)
        if match is None:
            named = _CHINESE_NAMED.match(text) or _CHINESE_FULL_NAME.match(text)
            return MentionedPerson(None, named["name"]) if named else None
        return MentionedPerson(_CHINESE_RELATIVES[match["title"]], match["name"])
    if match := _ENGLISH.match(text):
        return MentionedPerson((match["title"] or match["home"]).lower(), match["name"])
    match = _NAMED.match(text) or _NAME_IS.match(text)
    return MentionedPerson(None, match["name"]) if match and _may_be_called(match["name"]) else None


_BESIDE_THE_SPEAKER = re.compile(
    r"我们?(?:已经|昨天|今天|刚|也|都|又|还|先|就)*(?:和|跟|与|找|问|见了?|陪|带|约了?|联系)"
    r"(?P<name>[小阿](?![时孩姨区里])[\u4e00-\u9fff]|(?P<twice>[\u4e00-\u9fff])(?P=twice))"
    r"(?=[\u4e00-\u9fff]{1,6}了|[，,]|一起|说|聊|商量)"
)
"""养猫的事我和小雅商量了: whoever is spoken of next may be her."""


def _may_be_called(name: str) -> bool:
    """“Polling”, “Running” begin a sentence, and nobody is called so."""
    first = name.split(maxsplit=1)[0]
    return first not in _NO_NAME and (not first.endswith("ing") or first in _NAMES_IN_ING)


def find_mentioned_person(text: str, *, chinese: bool) -> MentionedPerson | None:
    """Somebody of the speaker's who is named anywhere in it."""
    if chinese:
        match = re.search(
            (
                rf"(?:我|我的|我们)(?P<title>{CHINESE_TITLES})(?P<name>"
                r"(?![天常往刚偏渐慢明处时年月个样人家事好统偷默总])([\u4e00-\u9fff])\3)?"
            ),
            text,
        )
        if match is not None:
            return MentionedPerson(_CHINESE_RELATIVES[match["title"]], match["name"])
        beside = _BESIDE_THE_SPEAKER.search(text) or _BY_SURNAME.match(text)
        return MentionedPerson(None, beside["name"]) if beside else None
    if match := _MY.search(text):
        return MentionedPerson(match["title"].lower(), match["name"])
    match = _MET.search(text)
    return MentionedPerson(None, match["name"]) if match and match["name"] not in _NO_NAME else None


def build_relative(word: str) -> MentionedPerson:
    """One of `CHINESE_TITLES`: 妈 and 妈妈 are one."""
    return MentionedPerson(_CHINESE_RELATIVES[word], None)


def is_bare_mention(text: str, *, chinese: bool) -> bool:
    """“My brother Aaron”, 我哥: somebody is named, and nothing is said of them yet."""
    match = (_CHINESE if chinese else _ENGLISH).match(text)
    return match is not None and match.end() == len(text)


def find_leading_pronoun(text: str, *, chinese: bool) -> str | None:
    """`she`, 他: what stands for whoever was spoken of."""
    match = (_CHINESE_PRONOUN if chinese else _PRONOUN).match(text)
    return match.group(match.lastgroup or 0) if match else None
