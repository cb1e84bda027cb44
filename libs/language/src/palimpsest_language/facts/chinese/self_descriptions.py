"""Who one is, in ordinary words: a name, an age, what one teaches, suffers from, can play, and with whom one is."""

import re
from functools import partial

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.chinese.omitted_subjects import WHEN
from palimpsest_language.facts.chinese.shared_patterns import (
    compile_chinese,
    refine_plain,
    refine_relative,
)
from palimpsest_language.facts.rule import FactRule, MatchGroups
from palimpsest_language.facts.rule_factory import build_rules

_END = r"(?=\s*(?:[，,。；;！!～~（(]|$))"
_BEGIN = r"(?:^|(?<=[，,。；;！!：:\s]))"
_I = r"(?<![让给帮教对跟和说问叫])我(?!们?家|爸|妈|哥|姐|弟|妹|爷|奶|老[公婆伴]|朋友|同[事学])"
_NOW = r"(?:现在|目前|如今|最近|一直|这[几两]年|也|都|还|就|已经|其实|是|从小|小时候|之前|刚|正)*"

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")}
_NUMBER = r"(?:\d{2,3}|[二三四五六七八九]?十[一二三四五六七八九]?)"
_CORRECTS = r"(?:更正|纠正|说错|记错|写错|搞错|弄错|打错|不对)"

_COURSES = r"(?:语文|数学|英语|物理|化学|生物|历史|地理|政治|道法|科学|音乐|美术|体育|舞蹈|书法|编程|信息技术|计算机|瑜伽|钢琴|围棋|跆拳道|日语|法语|对外汉语)"
_SCHOOL = r"[^，,。；;！!？?我他她]{0,8}?(?:小学|初中|高中|中学|大学|学校|职高|技校|幼儿园|补习班|机构|培训班|学院)"
_TRADE = r"(?:(?:开|跑)(?:出租车?|网约车|滴滴|货车|大车|卡车|公交车?|地铁|校车|客运)|(?:送|跑)(?:外卖|快递)|摆摊|带货|养猪|养鸡|养鱼|种地|种菜|种果树)"

_ILLNESS = (
    r"(?:高血压|低血压|高血脂|高血糖|高尿酸|痛风|哮喘|过敏性鼻炎|鼻炎|鼻窦炎|咽炎|胃炎|胃溃疡|胃病|肠易激|关节炎|类风湿(?:关节炎)?|风湿|颈椎病|肩周炎"
    r"|腰椎间盘突出|腰突|腰肌劳损|心脏病|冠心病|房颤|心律不齐|抑郁症?|焦虑症|双相|强迫症|偏头痛|甲亢|甲减|桥本|甲状腺结节|乳腺结节|肺结节|肾结石|胆结石|脂肪肝"
    r"|乙肝|贫血|湿疹|荨麻疹|银屑病|牛皮癣|白癜风|癫痫|帕金森|白内障|青光眼|慢阻肺|多囊卵巢综合征|多囊|骨质疏松|脊柱侧弯|色盲|色弱|静脉曲张|痔疮"
    r"|[\u4e00-\u9fff]{1,3}癌)"
)
_HIGH = {"血压": "高血压", "血糖": "高血糖", "血脂": "高血脂", "尿酸": "高尿酸"}

_INSTRUMENT = r"(?:钢琴|吉他|尤克里里|小提琴|中提琴|大提琴|古筝|二胡|琵琶|笛子|竹笛|长笛|萨克斯|架子鼓|爵士鼓|非洲鼓|打鼓|口琴|古琴|贝斯|手风琴|电子琴|葫芦丝|单簧管|小号|洞箫|柳琴|扬琴)"
_SKILL = r"(?:游泳|滑雪|滑冰|开车|做饭|做菜|烧菜|画画|跳舞|书法|下围棋|下象棋|打(?:网球|羽毛球|篮球|乒乓球|台球)|踢(?:足球|毽子)|摄影|剪辑|剪视频|修图|编程|写代码|木工|缝纫|织毛衣|做裁缝|烘焙|修车|骑马|潜水|冲浪|针灸|推拿|急救)"
_RASH = r"(?:起(?:红|小)?(?:疹子?|疙瘩|荨麻疹)|长(?:红)?(?:疹子?|疙瘩)|(?:浑|全)身(?:发)?痒|(?:喉咙|嘴唇?|脸)(?:会)?肿|过敏)"
_MATE = r"(?P<relation>对象|女朋友|男朋友|女友|男友)"


def refine_age(groups: MatchGroups) -> MatchGroups | None:
    """In figures, however it was told: 六十三 is 63."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    told = tidied["value"]
    if not told.isdigit():
        tens, _, ones = told.partition("十")
        told = str(_DIGITS.get(tens, 1) * 10 + _DIGITS.get(ones, 0))
    return {**tidied, "value": told}


def refine_illness(groups: MatchGroups) -> MatchGroups | None:
    """血压高 and 高血压 are one."""
    tidied = refine_plain(groups)
    return tidied and {**tidied, "value": _HIGH.get(tidied["value"], tidied["value"])}


def refine_partner(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_relative(groups)
    return None if tidied is None or re.search(r"[的了]", tidied["value"]) else tidied


def refine_relationship(groups: MatchGroups) -> MatchGroups | None:
    """Whoever has one is no longer single, whatever they are called."""
    tidied = refine_plain(groups)
    return tidied and {**tidied, "value": f"有{tidied['value']}"}


_holds = partial(build_rules, compile_chinese)

ONESELF = (
    *_holds(
        "age",
        Kind.FACT,
        "{subject}{value}岁",
        refine_age,
        rf"{_I}(?:今年|已经|现在|都|刚)*(?:是|有|满|过)?(?P<value>{_NUMBER})岁了?{_END}",
        rf"{_I}(?:都|也|已经)*今年(?:已经|都|就|刚|是|有|满)*(?P<value>{_NUMBER})了?{_END}",
        rf"{_CORRECTS}[^。；;！!？?\d]{{0,12}}?我(?:今年|其实|应该|实际)*(?:是|有)?(?P<value>{_NUMBER})岁?(?=[，,。；;！! ]|$)",
    ),
    *_holds(
        "name",
        Kind.FACT,
        "{possessive}名字是{value}",
        refine_plain,
        rf"{_I}的?(?:全名|大名|本名|真名|姓名)(?:是|叫)? ?(?P<value>[\u4e00-\u9fff·]{{2,4}}|[A-Z][\w-]*(?: [A-Z][\w-]*)*){_END}",
        rf"{_I}姓(?P<family>[\u4e00-\u9fff])[，, ]*(?:我?(?:全名|名字)?叫)? ?(?P<value>(?P=family)[\u4e00-\u9fff]{{1,2}}){_END}",
    ),
    *_holds(
        "job",
        Kind.FACT,
        "{subject}{where}{value}",
        refine_plain,
        rf"{_I}{_NOW}(?P<where>在{_SCHOOL}(?:里)?)(?:当老师，?)?(?P<value>教(?:[一二三四五六七八九初高]{{1,2}}(?:年级)?)?{_COURSES})(?:课|的)?{_END}",
        rf"{_I}{_NOW}(?P<value>教(?:[小初高]中?学?|[一二三四五六]年级)?{_COURSES})(?:课|的)?{_END}",
        rf"{_I}{_NOW}(?P<where>在[\u4e00-\u9fff]{{2,4}}?)?(?P<value>{_TRADE})(?:的|为生)?{_END}",
    ),
    *_holds(
        "health_conditions",
        Kind.FACT,
        "{subject}有{value}",
        refine_illness,
        rf"{_I}{_NOW}(?:{WHEN}{_NOW})*(?:有|得了?|患有?|查出来?(?:有)?|查出了|确诊(?:了|为|是)?|被诊断(?:为|出|出来)?(?:有)?)(?:一?点|轻度|中度|重度|多年的?|老|先天性?)*(?P<value>{_ILLNESS})(?!家族|遗传|史|的风险|病人|药|知识)",
        rf"{_I}的?(?P<value>血压|血糖|血脂|尿酸)(?:一直|有点|有些|比较|偏|也|很|还是|老是)*高",
    ),
    *_holds(
        "allergies",
        Kind.FACT,
        "{subject}吃{value}会过敏",
        refine_plain,
        rf"{_I}(?:一|只要|每次)?(?:吃|喝|碰|摸)(?:到|了|着)?(?P<value>[^，,。；;！!？?：:\s我你就会都也]{{1,8}}?)(?:就|都|便|也)?(?:会|容易)?{_RASH}",
    ),
    *_holds(
        "skills",
        Kind.FACT,
        "{subject}会{how}{value}",
        refine_plain,
        rf"{_I}{_NOW}会(?:一点|点|一些)?(?P<how>弹|拉|吹|打)?(?:一点|点)?(?P<value>{_INSTRUMENT})",
        rf"{_I}{_NOW}会(?:一点|点|一些)?(?P<value>{_SKILL})了?{_END}",
        rf"{_I}(?:以前|小时候)?(?:弹|拉|吹)(?:了|过)?[^，,。；;！!？?]{{0,6}}?(?P<value>{_INSTRUMENT})",
    ),
    *_holds(
        "skills",
        Kind.FACT,
        "{subject}在学{value}",
        refine_plain,
        rf"{_I}{_NOW}(?:在|开始|正在)*(?:学|练)(?:了|着|习|过)?(?:一点|点|[几一两三四五六七八九十]+年)?(?:的)?(?:弹|拉|吹|打)?(?P<value>{_INSTRUMENT})",
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            rf"(?P<who>医生|大夫|老婆|老公|老伴儿?|妈|爸|家里人?|女儿|儿子|孩子)们?(?:也|都|又|一直|总|老)*(?P<told>让|叫|劝|要|逼)我(?:赶紧|必须|尽快|一定要?)?(?:把)?(?:戒(?:掉|了)*)?(?P<value>烟|酒|糖|咖啡|奶茶)(?:酒)?(?:都|也|给)*(?:戒|停|断)?(?:掉|了)*{_END}(?<=[烟酒糖啡茶戒停断掉了])"
        ),
        content="{who}{told}{subject}戒{value}",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            rf"{_BEGIN}我?的?(?P<value>[^，,。；;！!？?：:\s我你他她把了]{{1,6}}[课班])(?:我|也|都|就|先|暂时|已经|最近)*(?P<over>停|不上|不去|不学|退)了{_END}"
        ),
        content="{possessive}{value}{over}了",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            rf"^(?:现在|以后|最近|就|都|已经)*[改换](?P<verb>喝|吃|抽|玩)了?(?P<value>[^，,。；;！!？?：:\s我你他她的了]{{1,8}}?)了?{_END}"
        ),
        content="{subject}改{verb}{value}",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.PERSON,
        pattern=compile_chinese(
            rf"{_I}{_NOW}(?:有|谈|交|找)(?:了|个|一个)*{_MATE}了?[，, ]*[他她]?(?:的?名字)?(?:叫|名叫) ?<NAME>"
        ),
        content="{possessive}{relation}叫{value}",
        refine=refine_partner,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            rf"{_I}{_NOW}(?:有|谈|交|找到?)(?:了|个|一个)*(?P<value>对象|女朋友|男朋友|女友|男友)了?{_END}"
        ),
        content="{subject}{value}",
        attribute="marital_status",
        refine=refine_relationship,
    ),
)
