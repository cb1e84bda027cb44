"""What Chinese statements are about, by their topics."""

import re

from palimpsest.model.kinds import Kind
from palimpsest_language.attributes.technologies import TECHNOLOGY_KIND
from palimpsest_language.attribution import chinese_names as names
from palimpsest_language.attribution.attribute_topic import (
    AttributeTopic,
    TopicLanguage,
    join_alternatives,
)
from palimpsest_language.facts.chinese.places import KNOWN_PLACES
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

_NOW = r"(?:现在|如今|目前|眼下|已经|最近|正式|终于|刚|今天起|就|还|一直|也|都|早就|这会儿|又|主要|基本|平时|平常|一般|其实|算是|可|成天|天天|每天)*"
_BE = r"(?:是|叫|就是|换成了?|改成了?|变成了?|成了|换到了?|转到了?|定为|为|[：:])"
_A = r"(?:一名|一个|一位|一家|一款|一辆|一台|个|名|位|家|那家|这家|的是|了)?"
_END = r"(?=$|[^\u4e00-\u9fffA-Za-z]|[了啦呢啊哦吧上里做当去练住的那这，我挺还和跟不离每每])"
_PERSON = (
    r"(?P<value>(?:[小阿老大][\u4e00-\u9fff]|[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文欧阳]"
    r"[\u4e00-\u9fff]{1,2}?|[A-Z][a-z]+))"
)
_ANYBODY = rf"(?P<value>(?!(?:{join_alternatives(names.CALLINGS)})|[一个在同我你他她这那很谁搞做学当本外哪什怎男女前不没大家自])[\u4e00-\u9fff]{{2,3}}?)"
_PERSON_END = r"(?=$|[，,。；;！!、\s（(]|在一起|谈恋爱|恋爱|交往|处对象|好上|订婚|确定关系|是我|的|吧|呢|啦|了|从|已经|这)"
_PLACES = "|".join(sorted(KNOWN_PLACES, key=len, reverse=True))
_NO_VERB = r"(?![在用去到的是了于来进换改成从把给有我一这那新又还也都就办开存走跑])"
_FIRM = (
    rf"(?P<value>(?:{join_alternatives(names.FIRMS)})|{_NO_VERB}[\u4e00-\u9fffA-Za-z]{{2,8}}?(?:科技|集团|公司|网络|软件|传媒|文化|生物|医药|医疗|能源|汽车|重工|"
    r"制造|物流|证券|基金|保险|银行|设计院|研究院|研究所|事务所|工作室|医院|大学|中学|小学|学校|出版社|电视台|酒店|药业|电子|电器|食品|地产|置业|教育|"
    r"航空|航天|股份|实验室|数据|智能|游戏|互娱|咨询))"
)
_CALLING = rf"(?P<value>[\u4e00-\u9fffA-Za-z/]{{0,6}}?(?:{join_alternatives(names.CALLINGS)}))"
_GYM = rf"(?P<value>(?:{join_alternatives(names.GYMS)})|{_NO_VERB}[\u4e00-\u9fffA-Za-z]{{1,8}}?(?:健身房|健身中心|健身俱乐部|健身会所|健身工作室|健身|俱乐部|运动馆|运动中心|体育馆|体育中心|拳馆|力量房|力量馆|铁馆|训练馆|游泳馆|瑜伽馆|岩馆|攀岩馆))(?!房?的?(?:教练|私教|老板|店长|前台|员工|销售))"
_BANK = rf"(?P<value>(?:{join_alternatives(names.SHORT_BANKS)})(?:银行)?|{_NO_VERB}[\u4e00-\u9fff]{{2,4}}?银行)"


def _known(kind: str) -> list[str]:
    return [name for name, known in TECHNOLOGY_KIND.items() if known == kind and len(name) > 1]


def _topic(attribute: str, kind: Kind, cue: str, *values: str) -> AttributeTopic:
    return AttributeTopic(
        attribute=attribute,
        kind=kind,
        cue=re.compile(cue, re.IGNORECASE),
        values=tuple(LazyPattern(value, re.IGNORECASE) for value in values),
        # The speaker is left out more often than not, and named where it matters.
        is_own=attribute not in ("car", "phone"),
    )


_MODEL = r"(?: ?[A-Za-z0-9][A-Za-z0-9+-]*| ?(?:汉|唐|秦|宋|元|海豚|海豹|海鸥|仰望|凯美瑞|卡罗拉|雅阁|思域|飞度|轩逸|朗逸|帕萨特|迈腾|高尔夫|速腾|途观|汉兰达|宏光|之光|星越|帝豪|博越|缤越|星瑞|瑞虎\d?|艾瑞泽|逸动|锐程|CS\d+|银河|混动|电动))*"
_PHONE_MODEL = r"(?: ?[A-Za-z0-9][A-Za-z0-9+]*| ?(?:折叠屏|至尊版|青春版|旗舰版))*"

TOPICS = (
    _topic(
        "city",
        Kind.FACT,
        r"住|家|定居|常驻|搬|落户|坐标|安家|租|生活|扎根|落脚|人在|城市|安顿|居",
        rf"(?:住在|住到|住|定居在?|定居于|常驻|搬到|搬来|搬去|搬回|搬进|落户在?|坐标|安家在?|安家到|生活在|扎根在?|落脚在?|安顿在|居住在|租在|人已经?在|人现在在|家在|家安在|把家搬到|移居|回到)(?:了)?(?P<value>{_PLACES})(?![\u4e00-\u9fff]{{0,4}}(?:玩|出差|旅游|旅行|酒店))",
        rf"在(?P<value>{_PLACES})(?:市|这边|那边)?(?:定居|安家|生活|租了?房|买了?房|安顿|落脚|扎根|落户|住)",
        rf"(?:家|现居地|常住地|居住地|所在城市|住的城市|生活的城市|住处){_NOW}(?:在|是|换成了?|搬到了?|改成了?|[：:]){_NOW}(?P<value>{_PLACES})",
    ),
    _topic(
        "employer",
        Kind.FACT,
        r"公司|单位|东家|雇主|上班|入职|跳槽|就职|任职|工作|打工|老板|offer|工牌|加入|干活|搬砖|供职|工资|发薪|在职|做事|效力",
        rf"(?:在|到|去|入职了?|加入了?|跳槽到了?|跳槽去了?|跳到了?|转到了?|就职于|任职于|供职于|效力于|换到了?){_NOW}{_FIRM}{_NOW}(?:那边|这边)?(?:上班|工作|任职|就职|打工|干活|搬砖|做事|入职|干|供职|当|做|$|[，,。；;！!了啦])",
        rf"(?:公司|单位|东家|雇主|老板|工牌|工资|薪水)(?:上面?|名字|名称)?{_NOW}(?:写的?)?(?:是|叫|{_BE}|由){_A}{_FIRM}(?:发的?|$|[，,。；;！!了啦])",
        rf"{_FIRM}{_NOW}(?:是|成了|给)我{_NOW}(?:的)?(?:新|现在的?)?(?:东家|公司|单位|雇主|发工资|发薪)",
        rf"(?:给|替|为|帮){_FIRM}(?:打工|干活|做事|卖命|搬砖)",
    ),
    _topic(
        "job",
        Kind.FACT,
        join_alternatives(names.CALLINGS),
        rf"(?:我|本人|咱)们?{_NOW}(?:在[\u4e00-\u9fffA-Za-z]{{2,10}})?{_NOW}(?:是|当|做|当上|做了|成了|干的是|做的是|干|转做|转岗做|转行做|升了?|升为|升任|升到|担任|从事|改做|改当|调去做|调任){_A}{_CALLING}{_END}",
        rf"(?:职位|岗位|头衔|职务|职称|职业|工作|名片上?|工种|身份|抬头|title|活儿?){_NOW}(?:印的|写的|变|改|换|转|升)?(?:是|成|为|做|到|{_BE}){_NOW}(?:了)?{_A}{_CALLING}{_END}",
        rf"(?:升职|升|晋升|提拔|转岗|转行|调岗|转|改行|跳槽|聘|提|调|换岗|竞聘)(?:了|上)?(?:做|当|成|为|任|到|去做|去当|成了){_NOW}{_A}{_CALLING}{_END}",
        rf"^(?:{_NOW}|换了?工作[，,])(?:做|当|当上|干|担任|从事)(?:了|着)?{_A}{_CALLING}{_END}",
        rf"(?:以|靠)(?:做|当)?{_CALLING}(?:为生|为职业|吃饭|谋生)",
    ),
    _topic(
        "car",
        Kind.FACT,
        r"车|开|座驾|代步|提了|驾|方向盘|油耗|充电|上牌|加油|通勤|续航|保养|停|辆|换成|换了|入手|买了|自驾",
        rf"(?P<value>(?:{join_alternatives(names.CAR_MAKES)}){_MODEL})",
    ),
    _topic(
        "phone",
        Kind.FACT,
        r"手机|打电话|用的|在用|换了|换成|换到|入手|拍照|刷|发的|主力机|屏幕|机子|兜里|口袋",
        rf"(?P<value>(?:{join_alternatives(names.PHONES)}){_PHONE_MODEL})(?!电脑|平板|耳机|汽车|手表|电视|手环|音箱|笔记本|充电|公司)",
    ),
    _topic(
        "bank",
        Kind.FACT,
        r"银行|行|卡|账户|存款|工资|存|开户|转账|理财|储蓄|钱",
        rf"(?:用|在|去|到|开|存|是|走|转|换|办|绑|打到|发到|放|归|搬|成|进|给|认|[：:]){_NOW}(?:的|了|在|到|成|进|去|过)*(?:那?张|一张)?{_BANK}(?:的?(?:卡|账户|户头|储蓄卡|借记卡))?",
        rf"{_BANK}{_NOW}(?:是|成了|才是|管着|存着)我",
    ),
    _topic(
        "gym",
        Kind.FACT,
        r"健身|锻炼|撸铁|训练|练|运动|办卡|会员|私教|举铁|力量|铁|年卡|月卡|次卡|出汗|健身卡|馆",
        rf"(?:在|去|到|是|换到|换成|转到|转去|跑|泡在|泡|办了|办的|办|续了|改去|改到|搬到|上|叫|加入|[：:]){_NOW}(?:了|的)*{_GYM}",
        rf"{_GYM}{_NOW}(?:是|成了)我",
    ),
    _topic(
        "partner",
        Kind.PERSON,
        r"对象|女朋友|男朋友|女友|男友|伴侣|另一半|恋爱|在一起|交往|脱单|官宣|处着|谈着|在谈|约会|订婚|未婚[夫妻]|恋人|爱人|喜结|牵手|感情|心上人|小情侣|一对",
        rf"(?:对象|女朋友|男朋友|女友|男友|伴侣|另一半|恋人|爱人|未婚妻|未婚夫|心上人){_NOW}(?:的名字)?(?:是|叫|名叫|换成了?|成了|变成了?|[：:])?{_NOW}{_PERSON}{_PERSON_END}",
        rf"(?:对象|女朋友|男朋友|女友|男友|伴侣|另一半|恋人|爱人|未婚妻|未婚夫|心上人){_NOW}(?:的名字)?(?:是|叫|名叫|换成了?|成了|变成了?|[：:]){_NOW}{_ANYBODY}(?=[，,。；;！!]|$|了$|[，,。])",
        rf"(?:^|我们?|[，,。；;！!\s]|现在|最近|已经|正式|终于)(?:跟|和|与){_ANYBODY}{_NOW}(?:正式)?(?:在一起|谈恋爱|谈着|恋爱|交往|处着|处对象|好上|订婚|确定关系|牵手)",
        rf"(?:^|我们?|[，,。；;！!\s]|现在|最近|已经|正式|终于)(?:跟|和|与){_PERSON}{_NOW}(?:正式)?(?:在一起|谈恋爱|谈着|恋爱|交往|处着|处对象|好上|订婚|确定关系|牵手|约会|官宣|是一对|谈)",
        rf"{_PERSON}{_NOW}(?:是|成了|当了|做了)我{_NOW}(?:的)?(?:新|现任|现在的)?(?:对象|女朋友|男朋友|女友|男友|伴侣|另一半|恋人|爱人|心上人)",
    ),
    *(
        _topic(
            attribute,
            Kind.PREFERENCE,
            rf"主力|主要|首选|默认|常用|最|平时|日常|大部分|基本|几乎|全是|全部|吃饭的家伙|{nouns}",
            rf"(?:主力|主要|首选|默认|常用|最常?[用爱喜顺]|日常|平时|大部分|基本上?|几乎|吃饭的家伙|{nouns})[^。；;！!]{{0,14}}?(?<![A-Za-z.])(?P<value>{join_alternatives(known)})(?![A-Za-z+#]|\.[a-z])",
            rf"(?<![A-Za-z.])(?P<value>{join_alternatives(known)})(?![A-Za-z+#]|\.[a-z])[^。；;！!]{{0,10}}?(?:主力|首选|默认|最常用|最爱|最顺手|吃饭的家伙)",
        )
        for attribute, nouns, known in (
            ("preferred_language", "语言|写代码|编程|敲代码", "|".join(_known("language"))),
            ("preferred_framework", "框架|前端|写页面", "|".join(_known("framework"))),
        )
    ),
    _topic(
        "favorite_cuisine",
        Kind.PREFERENCE,
        r"最(?!近|后|终|初)|首选|第一|吃不腻|百吃不厌|吃不厌|心头好|真爱|比什么都|没有之一|独爱|只认|本命|白月光|永远的神|头一份|no\.?1|top|榜首|偏爱",
        rf"(?P<value>{join_alternatives(names.KITCHENS)})(?!馆|店|师傅)",
    ),
    _topic(
        "diet",
        Kind.FACT,
        join_alternatives(names.DIETS),
        rf"(?:我们?|本人){_NOW}(?:开始|改|改成|换成|转|转成|转为|坚持|实行|执行|走|吃|吃的是|是|在|做|搞|奉行|采用|过着|恢复|进入|尝试)+(?:了|起)?{_A}(?P<value>{join_alternatives(names.DIETS)})(?!馆|店|餐厅|火锅|推荐)",
        rf"(?:饮食|吃饭|伙食|饮食方式|饮食习惯|吃法|三餐|日常饮食|餐桌|一日三餐){_NOW}(?:方式|习惯|上)?{_NOW}(?:是|走|以|换成了?|改成了?|变成了?|转成了?|按|成了|坚持|[：:]){_NOW}(?P<value>{join_alternatives(names.DIETS)})",
        rf"^(?:{_NOW})(?:开始|改|改吃|改成|换成|转|坚持|实行|执行|恢复|走|吃)+(?:了|起)?(?P<value>{join_alternatives(names.DIETS)})(?!馆|店|餐厅|火锅|推荐)",
        rf"(?P<value>{join_alternatives(names.DIETS)})(?!的(?!生活|饮食|日子|习惯|路线|方式)|馆|店|餐厅|火锅|推荐|沙拉|品牌|超市|书|包|面包|零食)",
        rf"(?P<value>{join_alternatives(names.DIETS)})(?:者|主义者?)?{_NOW}(?:是|成了)我",
    ),
)

CHINESE = TopicLanguage(
    topics=TOPICS,
    vetoes=re.compile(
        r"[?？]|吗(?=$|[，,。！!])|如果|要是|假如|假设|万一|可能|也许|或许|大概率|想(?!不到|起|通|念)|打算|计划|准备(?=[去要换买搬跳改转入开])|考虑|希望|梦|纠结|犹豫|本来要|差点|恨不得|"
        r"应聘|面试|试驾|租车|租了?[辆台]|借[了来]?|小时候|以后要|将来|下次|等我|要不要|会不会|该不该|推荐|听说|据说|网上说|小说|电影|电视剧|广告|股票|基金|"
        r"他|她|你|您|别人|人家|我[爸妈哥姐弟妹爷奶姥婶叔舅姑姨]|我(?:的)?(?:同事|朋友|室友|邻居|领导|老板|儿子|女儿|孩子|老公|老婆|父母|爸妈|闺蜜|同学|师傅|表|堂)|朋友的|"
        r"出差|旅游|旅行|度假|(?:去|到)[\u4e00-\u9fff]{2,4}玩|客户(?!经理)|甲方"
    ),
    left_before=re.compile(
        r"(?:不(?!过|仅|但|光|只|久|错|得不)|没(?!想到)|别的?(?!人)|未(?!婚)|无|并非|以前|之前|原来|原本|本来|曾经?|过去|当年|那时)[\u4e00-\u9fffA-Za-z]{0,5}$"
        r"|(?:从|由|离开|离职|告别|老(?!公|婆|板)|旧|卖了?|卖掉|退了|退掉|辞[了掉去]?|代替|替换|取代|别了|比|跟(?=.*不)|除了|腻了|抛弃|扔掉?|"
        r"把|将|前(?!台|端)|上一?[个家份辆台]|分手|分了|注销了?|停了|戒了?|放弃了?)(?:(?![到成换改为用开去])[\u4e00-\u9fffA-Za-z]){0,5}$"
    ),
    left_behind=re.compile(
        r"^[^，,。；;！!、]{0,5}(?:换成|换到|改成|跳到|跳槽到|搬到|转到|转成|转去|升成|升到|变成|卖了|卖掉|退了|退掉|不用了|不去了|不开了|注销|坏了|辞|丢了|没了|报废|关门|倒闭|分手|掰了|分了|拜拜|腻了|戒了|停了)"
        r"|^(?:馆子?|店|专卖店|车展|发布会)"
    ),
    holds_now=re.compile(r"现在|如今|目前|眼下|最近|改成|换成|变成|换到|改为|成了|才是|开始"),
    about_speaker=re.compile(
        r"我|咱|本人|俺|现在|如今|目前|换|改|新|搬|跳槽|入职|升|转|开始|最近|定居|坐标|终于"
    ),
)
