"""What one has several of: likes, hobbies, tools, pets, allergies, languages; and that one goes."""

import re
from functools import partial

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.chinese.shared_patterns import compile_chinese, refine_plain
from palimpsest_language.facts.rule import MatchGroups
from palimpsest_language.facts.rule_factory import build_rules

_BEGIN = r"(?:^|(?<=[，,。；;！!：:\s]))"
_END = r"(?=\s*(?:[，,。；;！!～~（(]|$))"
_THING = r"(?P<value>[^，,。；;！!？?：:\s我你](?:(?!了\s)[^，,。；;！!？?：:]){0,19}?)"
_ALREADY = r"(?:已经|早就|早|现在|如今|都|也|终于|彻底|完全|真的|再也|再|全)*"
_FOR_GOOD = r"(?:(?:都|也|就|真的|彻底|完全)*(?:现在|如今|目前|最近|早|已经|以后)(?:都|也|就|已经|彻底|完全|真的|早)*)"
"""Without it, 不喝咖啡了 may be of this cup alone."""
_SOFTWARE = (
    r"(?P<value>[A-Za-z][A-Za-z0-9.+#-]*(?: [A-Z0-9][A-Za-z0-9.+#-]*){0,2}|飞书|钉钉|企业微信|石墨文档|腾讯文档|金山文档|语雀|剪映|幕布|墨刀|蓝湖"
    r"|印象笔记|有道云笔记|坚果云|百度网盘|即时设计|腾讯会议|讯飞听见|亿图|禅道|滴答清单|番茄钟|微信读书|稿定设计|美图秀秀|夸克|通义听悟)"
)
_ANIMAL = (
    r"(?:猫|狗|犬|鼠|兔|鸟|鹦鹉|乌龟|陆龟|巴西龟|龟|金鱼|锦鲤|斗鱼|鱼|鸭|鹅|鸡|蛇|蜥蜴|守宫|刺猬|龙猫|貂|马|羊|猪|柯基|金毛|哈士奇|泰迪|拉布拉多"
    r"|边牧|萨摩耶|比熊|博美|雪纳瑞|法斗|布偶|英短|美短|蓝猫|橘猫|暹罗|八哥|文鸟|玄凤|豚)"
)
_PET = rf"(?P<value>(?:[^\W\d_A-Za-z把将我你他她了着过只条个头匹窝养有是叫家给跟和]{{0,4}}{_ANIMAL})[\u4e00-\u9fffA-Za-z]{{1,4}}?)"
_LANGUAGE = (
    r"(?P<value>(?:英|法|德|日|韩|俄|西班牙|西|葡萄牙|葡|意大利|意|阿拉伯|泰|越南|马来|印尼|印度尼西亚|印地|荷兰|瑞典|挪威|丹麦|芬兰|波兰|捷克"
    r"|希腊|土耳其|希伯来|波斯|乌克兰|匈牙利|罗马尼亚|保加利亚|塞尔维亚|克罗地亚|拉丁|世界|蒙古|蒙|藏|维吾尔|维|朝鲜|缅甸|老挝|高棉|柬埔寨"
    r"|他加禄|菲律宾|孟加拉|乌尔都|泰米尔|尼泊尔|斯瓦希里|冰岛|爱尔兰|威尔士|加泰罗尼亚|巴斯克|粤|闽南|客家|汉|壮|苗|彝|手)语"
    r"|(?:普通|广东|上海|四川|闽南|客家|潮汕|潮州|温州|东北|河南|山东|陕西|天津|北京|长沙|武汉|南京|苏州|杭州|宁波|重庆|湖南|江西|福州|海南"
    r"|云南|贵州|山西|河北|安徽|桂林|大连|青岛|西安|成都|白)话|(?:中|英|法|德|日|韩|俄|西班牙|葡萄牙|意大利|阿拉伯|泰|越南|藏|蒙古|文言|拉丁)文)"
)
_LEISURE = r"(?:业余|空闲|闲暇|课余|休息|周末|下班(?:后|以后)?|工作之外|工作之余|没事|平时)(?:的)?(?:时间|时候)?"


_NO_THING = re.compile(
    r"^[看吃听玩用喝做写说想闻]$|^(?:现在|如今|以前|之前|已经|最近|后来|今天|明天|这|那|它|他|她|谁|什么|怎么|一直|一点|所有|任何|太|没|不|也|都|就|还|再|去|来|说|想|要|能|会)|我|你|担心|客气|谢|[这那]个|低于|高于|超过|[就都也还]$"
)


def refine_thing(groups: MatchGroups) -> MatchGroups | None:
    """What can be liked or done, however it is called; no sentence, and nothing pointed at."""
    tidied = refine_plain(groups)
    return None if tidied is None or _NO_THING.search(tidied["value"]) else tidied


_DRUNK = (
    r"(?:茶|咖啡|可乐|雪碧|汽水|饮料|果汁|豆浆|酸奶|牛奶|奶昔|苏打水|红牛|拿铁|美式|啤酒|白酒|红酒)"
)
_DRINK = rf"(?P<value>[^，,。；;！!？?：:\s我你把将]{{0,6}}?{_DRUNK})"
_NO_PASTIME = re.compile(
    rf"{_DRUNK}$|零食|甜食|宵夜|夜宵|辣椒?$|肉$|"
    r"[烟酒药糖课班]$|(?:烟|酒|药|课|班)(?:先|都|也)|先$|方案|计划|项目|工作|会员|订单|合同|订阅|游戏账号|服务|功能|版本|代码|数据库|框架|系统|考研|考试|治疗|手术|保险|贷款|房子|"
    r"^(?:原来|原先|之前|以前|先前|这个|那个|旧|老(?!歌|电影))的?"
)


def refine_pastime(groups: MatchGroups) -> MatchGroups | None:
    """What is done for pleasure: neither what is smoked, taken or taught, nor what one works by."""
    found = refine_thing(groups)
    return None if found is None or _NO_PASTIME.search(found["value"]) else found


_holds = partial(build_rules, compile_chinese)

ENDED = (
    *_holds(
        "allergies",
        Kind.FACT,
        "{subject}对{value}不再过敏",
        refine_thing,
        rf"我?{_ALREADY}对{_THING}{_ALREADY}(?:不再|不|没有|没|不会)(?:再)?过敏(?:反应)?",
        rf"(?:我的?|对)?{_BEGIN}?{_THING}过敏(?:的?毛病)?{_ALREADY}(?:没有|没|好|治好|消失|痊愈|不见)了",
        rf"我的?{_THING}过敏(?:的?毛病)?{_ALREADY}(?:没有|没|好|治好|消失|痊愈|不见)了",
        rf"我{_ALREADY}(?:能|可以|敢)(?:吃|碰|喝|摸|闻){_THING}了[，,。].{{0,12}}(?:不|没)(?:再)?过敏",
        rf"{_BEGIN}{_THING}{_ALREADY}(?:不再|不会|不)(?:再)?(?:让|使)我过敏",
        rf"我对{_THING}{_ALREADY}(?:脱敏|免疫)了?",
        rf"我{_ALREADY}(?:吃|碰|喝|摸|闻){_THING}{_ALREADY}(?:没事|没反应|不起疹子|不过敏)了?",
        ended=True,
    ),
    *_holds(
        "languages",
        Kind.FACT,
        "{subject}不再会{value}",
        refine_plain,
        rf"(?:把|将){_LANGUAGE}从我?(?:会|懂|掌握)的语言(?:列表|清单)?[里中]?(?:去掉|删掉|删除|划掉|拿掉|移除|去除)",
        rf"(?:别|不要|不用)(?:再)?(?:给我|跟我|和我|对我)?(?:发|用|写|说|讲){_LANGUAGE}(?:的?内容)?了?[，,]? ?我?{_ALREADY}(?:看不懂|听不懂|不会|不懂|忘|不说|不用)",
        rf"我{_ALREADY}(?:不会|不会说|不说|不讲|说不了|忘了|忘光了|不懂|听不懂|看不懂){_LANGUAGE}",
        rf"(?:一句|半句){_LANGUAGE}(?:都|也){_ALREADY}(?:不会|说不|想不起|听不懂)",
        rf"{_BEGIN}(?:我的?)?{_LANGUAGE}我?{_ALREADY}(?:忘光|忘|不会说|不会|说不了|丢|还给老师|生疏到不会说|荒废|废|不懂|说不出来|不行)了?",
        ended=True,
    ),
    *_holds(
        "pets",
        Kind.FACT,
        "{subject}不再养{value}",
        refine_plain,
        rf"{_PET}{_ALREADY}(?:去世|走了|没了|死了|不在了|过世|去了?喵星|去了?汪星|丢了|走丢|跑丢|送人|送走|送给|送到|被送|归|没熬过|没挺过|没救回|回老家|被[^，。]{{1,6}}(?:领养|接走|带走)|不在我|不是我|有了新家|找到新家|跟了|离开)",
        rf"(?:把|将){_PET}{_ALREADY}(?:送|转让|托付|交给|安葬|埋)",
        rf"(?:不|不再|没|没有|没法|不能)(?:再)?(?:养|有){_PET}了?{_END}",
        ended=True,
    ),
    *_holds(
        "tools",
        Kind.FACT,
        "{subject}不再使用{value}",
        refine_plain,
        rf"(?:停用|弃用|卸载|卸|删|退订|放弃|抛弃|告别|戒|停)(?:掉|了)*{_SOFTWARE}",
        rf"(?:不|不再|再也不|没再|没有再|不想再)(?:使用|用|碰|打开){_SOFTWARE}",
        rf"{_SOFTWARE}(?:这个?(?:软件|工具|玩意儿?)?)?(?:被)?我?{_ALREADY}(?:卸载|卸|删|停用|弃用|不用|不再用|不再使用|退订|放弃|弃|不碰)(?:掉|了|用)*",
        rf"{_SOFTWARE}的?(?:会员|订阅|账号|账户|授权|许可|套餐)我?{_ALREADY}(?:退|取消|停|注销|到期|销|不续)",
        rf"(?:跟|和|与|对){_SOFTWARE}{_ALREADY}(?:说再见|说拜拜|拜拜|告别|再见|分手)",
        rf"{_SOFTWARE}(?:{_ALREADY})不(?:再)?是我的工具",
        ended=True,
    ),
    *_holds(
        "hobbies",
        Kind.PREFERENCE,
        "{subject}不再玩{value}",
        refine_pastime,
        rf"(?:不|不再|再也不|没再|不想再)(?:搞|玩|练|做|弄|碰|打(?!算|扰|开|电话|扫|印|包|折|听|断|卡)|学){_THING}了?{_END}",
        rf"{_BEGIN}{_THING}{_ALREADY}(?:不再|不)是我的?(?:爱好|兴趣)",
        rf"{_BEGIN}{_THING}(?:这个?(?:爱好|兴趣|事儿?|玩意儿?))?我?{_ALREADY}(?:戒|停|放弃|不玩|不搞|不碰|不练|不做|不弄|荒废|退坑|扔下|丢下)(?:掉|下)?了{_END}",
        rf"(?:放弃|戒掉|告别|退出|退坑)了?{_THING}(?:这个爱好)?{_END}",
        rf"(?:把|将){_THING}(?:给)?{_ALREADY}(?:戒|停|放弃|扔下|丢下|扔|丢)(?:掉)?了",
        rf"{_BEGIN}{_THING}(?:圈|坑)?我?{_ALREADY}(?:退坑|退圈|弃坑|收手|没再碰|很久没碰|没碰过|不再继续)",
        rf"{_BEGIN}{_THING}的?(?:装备|器材|家伙|工具|设备|行头){_ALREADY}(?:卖|出|送人|处理|转手|挂闲鱼)",
        rf"(?:把|将){_THING}的?(?:装备|器材|家伙|工具|设备|行头){_ALREADY}(?:卖|出|送人|处理|转手|挂)",
        ended=True,
    ),
    *_holds(
        "likes",
        Kind.PREFERENCE,
        "{subject}不再喜欢{value}",
        refine_thing,
        rf"(?:别|不要|不用|请勿)(?:再)?(?:给我|跟我|向我)?(?:推荐|推|安利|介绍|提){_THING}了?[，,]? ?(?:我)?{_ALREADY}(?:不爱|不喜欢|不感兴趣|没兴趣|[看吃听玩]?腻|[看吃听受]够|无感|不想)",
        rf"(?:以前|之前|曾经|过去|原来|从前)(?:很|特别|挺|最)?(?:喜欢|爱|迷){_THING}[，,] ?(?:但|可|不过)?(?:我)?(?:现在|如今)?(?:已经)?(?:不|没|无感|腻)",
        rf"我?{_ALREADY}对{_THING}{_ALREADY}(?:没感觉|没兴趣|没有兴趣|无感|不感兴趣|失去兴趣|提不起兴趣|腻|不感冒)",
        rf"{_BEGIN}{_THING}我?{_ALREADY}(?:不爱|不喜欢|不再喜欢|喜欢不起来|腻|看腻|吃腻|听腻|玩腻|爱不起来|不想看|不想吃|不想听)了",
        rf"我{_ALREADY}(?:不再|不)(?:那么)?(?:喜欢|爱|迷|稀罕){_THING}了{_END}",
        rf"{_BEGIN}{_THING}{_ALREADY}(?:不对我胃口|不合我胃口|吸引不了我|不香了|提不起我的?兴趣|勾不起我)",
        ended=True,
    ),
    *_holds(
        "likes",
        Kind.PREFERENCE,
        "{subject}不再{verb}{value}",
        refine_thing,
        rf"(?:我|{_BEGIN}){_FOR_GOOD}不(?:再|怎么)?(?P<verb>喝|吃){_THING}了{_END}",
        rf"(?:我|{_BEGIN}){_ALREADY}(?:不再|再也不|没再|不想再)(?P<verb>喝|吃){_THING}了?{_END}",
        rf"{_BEGIN}{_THING}我?{_FOR_GOOD}不(?:再)?(?P<verb>喝|吃)了{_END}",
        rf"{_BEGIN}{_THING}我?{_ALREADY}不(?P<verb>喝|吃)了[，,] ?(?:我)?(?:现在|以后)?[改换](?:喝|吃|成)",
        ended=True,
    ),
    *_holds(
        "likes",
        Kind.PREFERENCE,
        "{subject}不再喝{value}",
        refine_thing,
        rf"{_BEGIN}{_DRINK}我?{_ALREADY}戒(?:掉)?了{_END}",
        rf"(?:我|{_BEGIN}){_ALREADY}戒(?:掉)?了?{_DRINK}了?{_END}",
        rf"我?{_ALREADY}(?:把|将){_DRINK}(?:给)?戒(?:掉)?了{_END}",
        ended=True,
    ),
)

BEFORE_OTHERS = (
    *_holds(
        "allergies",
        Kind.FACT,
        "{subject}对{value}过敏",
        refine_thing,
        rf"我{_ALREADY}对{_THING}(?:也|还|都)?(?:开始|严重|重度|轻微|有点|有些|会|现在|突然)*过敏(?!好|没|不)",
        rf"我(?:一|只要|每次)(?:碰|吃|闻|沾|喝|接触|摸|靠近)(?:到|了|着)?{_THING}(?:就|都|便)(?:会)?(?:起|过敏|打喷嚏|长|发痒|肿|喘|痒|红|浑身|全身|喉咙|嘴)",
        rf"(?:别|不要|不能|千万别)(?:给我|让我|放)(?:吃|碰|放|加|用|推荐)?{_THING}[，,] ?(?:我|因为我)?(?:会|对它|对这个)?(?:过敏|起疹)",
        rf"我(?:有|是){_THING}过敏{_END}",
        rf"{_BEGIN}{_THING}(?:会)?(?:让|使|害)我(?:严重)?过敏",
        rf"{_BEGIN}{_THING}我(?:碰不得|吃不得|不能吃|不能碰|沾不得)[，,] ?(?:会|因为)?过敏",
        rf"我(?:不能|不可以|没法)(?:吃|碰|喝|沾){_THING}[，,。] ?(?:我|因为|会|对它|一吃就|一碰就|严重)*过敏",
        rf"我?的?过敏(?:原|源|史)?(?:是|有|包括|[：:]) ?{_THING}{_END}",
    ),
    *_holds(
        "pets",
        Kind.FACT,
        "{subject}养了{value}",
        refine_plain,
        rf"(?:养|领养|收养|抱养|收留|捡|买|接|迎来)(?:了|着|有|回|来|到|过)*(?:一[只条个头匹窝])?(?:叫)?{_PET}{_END}",
    ),
)
"""What somebody is allergic to is often an animal, and what an animal is called belongs to it."""

HELD = (
    *_holds(
        "languages",
        Kind.FACT,
        "{subject}会{value}",
        refine_plain,
        rf"{_LANGUAGE}(?:也|还)?是我(?:会|懂|掌握|能说|的)的?(?:语言|母语|外语)",
        rf"我们?家里?(?:也|还|都|平时|一直)*(?:讲|说|用){_LANGUAGE}",
        rf"我(?:也|还|都|能|可以|会|平时|从小|在家)*(?:说|讲|懂|听得懂|看得懂|听懂|看懂|精通|掌握)(?:一点|一些|流利的?)?{_LANGUAGE}",
        rf"我的?(?:母语|第一语言|第二语言|外语)(?:是|为){_LANGUAGE}",
        rf"(?:可以|能|你可以)(?:给我|跟我|和我|对我)(?:发|用|写|说|讲){_LANGUAGE}(?:的?内容|交流|沟通)?[，,]? ?(?:我)?(?:会|懂|看得懂|能|没问题)?",
        rf"我学会了{_LANGUAGE}",
        rf"我(?:还|也|都|只)*会{_LANGUAGE}{_END}",
        rf"我的?{_LANGUAGE}(?:说|讲)?得?(?:很|还|挺|比较|特别|非常|相当)?(?:不错|流利|好|溜|地道|可以|熟练|过关)",
        rf"{_BEGIN}{_LANGUAGE}我?(?:说|讲|用)?得?(?:很|还|挺|比较|特别)?(?:流利|溜|没问题|过关|熟练|不在话下)",
    ),
    *_holds(
        "pets",
        Kind.FACT,
        "{subject}养了{value}",
        refine_plain,
        rf"(?:家里?|我家|咱家|宠物|成员)(?:现在|目前|也|还|都)*(?:有|是|叫|包括)(?:一?[只条个头匹])?{_PET}{_END}",
        rf"{_BEGIN}{_PET}(?:也|就)?(?:是我|是咱|在家|跟我|和我|陪|住我|归我养)",
        rf"我(?:是|当)(?:了)?{_PET}的(?:主人|铲屎官|家长|妈|爸)",
        rf"(?:铲屎官|主子|毛孩子|宠物)(?:是|叫|[：:]){_PET}{_END}",
    ),
    *_holds(
        "tools",
        Kind.FACT,
        "{subject}使用{value}",
        refine_plain,
        rf"我(?:们)?(?:现在|平时|一直|也|都|在|每天|经常|工作|上班|干活|办公|日常|主要|开始|已经|最近|常|还|天天)*(?:里|时|上)?(?:都|也|在|就)*(?:用|使用|靠|依赖|离不开|用上|用起)了?{_SOFTWARE}",
        rf"{_SOFTWARE}(?:也|还|就)?是我(?:们)?的?(?:常用|日常|吃饭|主力|必备|得力)?的?(?:工具|软件|家伙|生产力)",
        rf"(?:工作|干活|办公|上班|这类事情?|日常)(?:我)?(?:里|时|中)?(?:都|也|全|主要|基本|就)*(?:用|靠|离不开){_SOFTWARE}",
        rf"(?:装|下载|注册|安装|上手)了{_SOFTWARE}{_END}",
        rf"我[\u4e00-\u9fff]{{0,6}}(?:用|靠)(?:的是|的)?{_SOFTWARE}",
        rf"{_SOFTWARE}我(?:天天|每天|一直|经常|常|已经|用得|用着|用了|离不开|都在|几乎)",
        rf"(?:放|存|记|写|做|管|排|画|跑)在{_SOFTWARE}(?:里|上|中)",
    ),
    *_holds(
        "hobbies",
        Kind.PREFERENCE,
        "{possessive}爱好是{value}",
        refine_thing,
        rf"{_BEGIN}{_THING}(?:也|还|就|现在)*是我的?(?:新|主要|最大|业余|一大)*(?:爱好|兴趣)",
        rf"(?:培养|发展|有|多)(?:了|出)*(?:一个|个)?(?:新的?)?(?:爱好|兴趣)(?:是|就是|叫|[：:，,]) ?{_THING}{_END}",
        rf"我?的?(?:新|主要)?(?:爱好|兴趣)(?:是|就是|[：:]) ?{_THING}{_END}",
        rf"{_LEISURE}我?(?:的?时间)?(?:大多|大部分|多半|基本|几乎|全|都|主要)*(?:花|用|泡|耗)在{_THING}上",
        rf"{_LEISURE}我?(?:一般|通常|常常?|经常|就|都|会|爱|喜欢|在|去)*(?:玩|搞|做|练|弄|学){_THING}{_END}",
        rf"我(?:就)?好{_THING}这一?口",
        rf"我(?:最近|近来|现在|也|又|开始)*(?:迷上|爱上|入坑|入了|玩起|玩上|沉迷|痴迷)了?{_THING}{_END}",
        rf"我(?:一直|平时|常|经常|业余)*(?:玩|搞|练){_THING}(?:好?[几多一两三四五六七八九十\d]+年|很久|好久)",
    ),
    *_holds(
        "likes",
        Kind.PREFERENCE,
        "{subject}喜欢{value}",
        refine_thing,
        rf"我(?:是|算是?)(?:个)?{_THING}的?(?:忠实|铁杆|资深|狂热|头号|老)*(?:粉丝?|爱好者|拥趸|迷|铁粉|控)",
        rf"{_BEGIN}{_THING}(?:也|就|真)?是我的?(?:最爱|心头好|真爱|菜|快乐源泉|心头肉)",
        rf"我?对{_THING}(?:完全|真的|简直|一点都|毫)*(?:没有抵抗力|没抵抗力|没法拒绝|无抵抗力|情有独钟|很着迷|着迷|爱不释手|有好感|特别有感觉|毫无抵抗力)",
        rf"{_BEGIN}{_THING}我?(?:怎么|永远|从来|百)(?:都|也)?(?:吃|看|听|玩|喝|闻)?(?:不会|不)?(?:腻|厌)",
        rf"(?:有|给我|来点|只要有){_THING}我?就(?:很|会|特别|能)?(?:开心|高兴|满足|快乐|知足)",
        rf"{_BEGIN}{_THING}(?:总是|总|最|特别|真的|很)*能?(?:让|使)我(?:很|特别|非常)?(?:开心|高兴|放松|快乐|心情好|满足)",
        rf"{_BEGIN}{_THING}我(?:很|特别|超级?|最|挺|蛮|真的|一直|都)*(?:喜欢|爱|中意)(?!上|的|吃|看|听)",
        rf"我?对{_THING}(?:很|特别|非常|挺|超级?|最近)*(?:感兴趣|有兴趣|上头|痴迷|上瘾)",
        rf"我?(?:一看到|看到|看见|一见到|碰到|遇到){_THING}(?:我)?就(?:走不动|挪不动|开心|高兴|兴奋|停不下)",
        rf"我(?:挺|蛮|很|特别|超级?|也|还|一直|最近|现在)*(?:喜欢|爱|中意)(?:上|上了)?{_THING}的{_END}",
    ),
)
"""In the words of whoever has them: the more particular attribute first."""
