"""Who somebody is: name, work, home, family, animals, health."""

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.chinese.preferred_names import (
    ASKS_TO_BE_CALLED,
    refine_preferred_name,
)
from palimpsest_language.facts.chinese.shared_patterns import (
    compile_chinese,
    refine_date,
    refine_diet,
    refine_employer,
    refine_known_place,
    refine_place,
    refine_plain,
    refine_relative,
)
from palimpsest_language.facts.rule import FactRule

_OCCUPATION = (
    r"(?:工程师|程序员|开发者?|设计师|老师|教师|医生|护士|律师|经理|学生|研究生|博士生|大学生|科学家|研究员|作家|"
    r"画家|厨师|会计|建筑师|分析师|顾问|摄影师|音乐人|演员|记者|编辑|教授|讲师|创始人|自由职业者|产品|运营|架构师|"
    r"测试|运维|前端|后端|算法|公务员|警察|司机|翻译|销售|主管|总监|CTO|CEO|咨询师|心理师|药剂师|飞行员|博主|主播)"
)

PEOPLE = (
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(r"(?:我的(?:名字|姓名)(?:是|叫)|我名字叫|我叫) (?:做)?<NAME>"),
        content="{possessive}名字是{value}",
        attribute="name",
        refine=refine_plain,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(ASKS_TO_BE_CALLED),
        content="{subject}希望被称呼为{value}",
        attribute="preferred_name",
        refine=refine_preferred_name,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"<NOW> 在 (?P<value>[^，。；、\s]{1,16}?|[A-Za-z][\w&. -]{0,24}?) (?:公司)?(?:工作|上班|任职|实习|(?:做|当|担任)(?=.*?[师员理生产运前后算]))"
        ),
        content="{subject}在{value}工作",
        refine=refine_employer,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"(?:<ME>|(?:^|(?<=[，,。；\s]))(?:最近|刚刚?|今年|上个?月|上周|已经)) (?:入职|跳槽到|跳槽去|跳槽去了|加入|加盟)了? (?P<value>[^，。；、\s一这那]{2,16}?|[A-Za-z][\w&. -]{0,24}?) (?:工作|上班|了)?(?=[，,。；;！! ]|$)"
        ),
        content="{subject}在{value}工作",
        refine=refine_employer,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        # 一口气说完的：我上个月从字节跳槽到美团；我离开字节，加入了美团
        pattern=compile_chinese(
            r"<ME> <WHEN>? (?:刚刚?|已经|正式|终于)? (?:从|离开) ?了? (?P<replaced>[^，。；、\s]{2,12}?) ?(?:公司)?了?"
            r" (?:(?:跳槽|离职|辞职|裸辞)了? ?[，,]? ?(?:之后|以后|后)? ?(?:就|又|现在|然后|最近|转而)? ?(?:跳槽|入职|加入|加盟|去|到|来|进)(?:去|到|入)?|跳[槽到去]+|[，,] ?(?:就|又|现在|然后|最近|转而)? ?(?:入职|加入|加盟))了? ?"
            r"(?P<value>[^，。；、\s一这那新别另]{2,12}?|[A-Za-z][\w&. -]{0,24}?) (?:公司)?(?:工作|上班)?了?(?=[，,。；;！! ]|$)"
        ),
        content="{subject}在{value}工作",
        refine=refine_employer,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"(?:<ME>|(?:^|(?<=[，,。；\s]))[^，。；我你他她]{0,6}?) (?:从|离开) ?了? (?P<value>(?:(?!离职|辞职|加入|跳槽)[^，。；、\s]){2,16}?) (?:离职|辞职|公司|跳槽|裸辞|出来(?=了))了?(?=[，,。；;！! ]|$)"
        ),
        content="{subject}已从{value}离职",
        attribute="employer",
        refine=refine_plain,
        ended=True,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"<ME> (?:不再|已经不|早就不|不) 住在? ?(?P<value>[\u4e00-\u9fff]{2,8}?|[A-Z][\w-]+) 了(?=[，,。；;！!、 ]|$)"
        ),
        content="{subject}不再住在{value}",
        attribute="city",
        refine=refine_place,
        ended=True,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"<ME> (?:(?:不再|已经不|早就不|不) 在|(?:之前|以前|原来|原先|过去)(?:一直)? 在(?=[^，。；]*(?:上班|工作|任职)[，,。]?)) (?P<value>[^，。；、\s]{2,16}?|[A-Za-z][\w&. -]{0,24}?) (?:公司)?(?:工作|上班|任职)了?(?=[，,。；;！!、 ]|$)"
        ),
        content="{subject}不再在{value}工作",
        refine=refine_employer,
        ended=True,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            rf"(?:<ME> (?:在 [^，。；]{{1,20}}? )?(?:(?:是|做|当|担任|从事)(?:着|了)?|就?(?=一个)) ?|我的(?:工作|职业)是 ?)(?:一?[名个位] ?)?(?P<value>[^，。；、\s是]{{0,10}}?{_OCCUPATION})(?=[，,。；;！!、 的了]|$|[两三四]班倒)"
        ),
        content="{possessive}职业是{value}",
        attribute="job",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"<ME> (?:就|就是|是|一直|主要)*(?:一?个)?(?P<value>[做搞跑卖教开](?!什么|过|这|那|得|不|着|起|去)[^，。；、\s的了过着]{2,8}(?<![去来]))的(?=[，,。；;！!、 ]|$)"
        ),
        content="{subject}是{value}的",
        attribute="job",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(r"<ME> (?:升职|晋升|升)(?:成|为|到)了? ?<VALUE>"),
        content="{subject}升为{value}",
        attribute="job",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"<NOW> (?:住在|居住在|定居在?|定居于|生活在|常住|家在|在 (?=[\u4e00-\u9fffA-Za-z ]{2,12}?(?:生活|定居|居住|住))) ?<PLACE> (?:生活|定居|居住|住|工作|市区)?(?:了|呢)?(?=[，,。；;！!、 ]|$|但|不过|已经|快)"
        ),
        content="{subject}住在{value}",
        attribute="city",
        refine=refine_place,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"<ME> (?:从 ?(?P<replaced>[\u4e00-\u9fff]{2,8}?|[A-Z][\w-]+) )?搬(?:家)?(?:回)?(?:到|去|来|至)?了? ?<PLACE> (?:生活|定居|居住|住|工作|来|去)?了?(?=[，,。；;！!、 ]|$)"
        ),
        content="{subject}搬到了{value}",
        attribute="city",
        refine=refine_place,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"我(?:是|来自|老家(?:是|在)|出生在|出生于|从小在) ?(?P<value>[\u4e00-\u9fff]{2,7}?)(?:人|长大)?(?:的)?(?=[，,。；;！!、 ]|$)"
        ),
        content="{subject}来自{value}",
        attribute="hometown",
        refine=refine_known_place,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(r"(?:我的?生日(?:是|在) ?<VALUE>)"),
        content="{possessive}生日是{value}",
        attribute="birthday",
        refine=refine_date,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"我(?:是)? ?(?P<value>(?:\d{4} ?年 ?)?\d{1,2} ?月 ?\d{1,2} ?[日号])(?:出生|生的|过生日|生日)"
        ),
        content="{possessive}生日是{value}",
        attribute="birthday",
        refine=refine_date,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"我(?:叫[\u4e00-\u9fff]{1,4}[，,] ?)?(?:今年|已经|现在)* ?(?P<value>\d{1,3})(?: ?岁|(?<=今年\d\d)(?=了?(?:[，,。 ]|$)))"
        ),
        content="{subject}{value}岁",
        attribute="age",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"我们?(?:家里?|自己)?(?:刚|新|最近|还)?(?:养|有|领养|收养|买)?了?(?:的)?(?:[那这])?(?:[一两三四五]|\d)?[只条头匹个]?(?P<animal><ANIMAL>)[，, ]*(?:它|名字|的名字)?(?:叫做?|名叫|取名叫?) ?<NAME>"
        ),
        content="{subject}有一只{animal}叫{value}",
        attribute="pets",
        refine=refine_plain,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"我们?(?:家里?)?(?:刚|新|最近|还)?(?:养|领养|收养|有)了? ?(?P<value>(?:[一两三四五]|\d)[只条头匹个] ?<ANIMAL>)(?![，, ]*(?:它|名字|的名字)?(?:叫|名叫|取名))"
        ),
        content="{subject}养了{value}",
        attribute="pets",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(r"<ME> 对(?!象) ?(?P<value>[^，。；！]{1,16}?) ?(?:严重)?过敏"),
        content="{subject}对{value}过敏",
        attribute="allergies",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"<ME> (?:是|吃|有) ?(?P<value>素食主义者|素食者|纯素|全素|素|糖尿病|乳糖不耐受?)"
        ),
        content="{possessive}饮食特点：{value}",
        refine=refine_diet,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"<ME> 会(?:说|讲)(?:一点|流利的)? ?(?P<value>[\u4e00-\u9fff]{1,4}[语文话](?:[和、及跟]+[\u4e00-\u9fff]{1,4}[语文话])*)"
        ),
        content="{subject}会说{value}",
        attribute="languages",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FACT,
        pattern=compile_chinese(
            r"<ME> (?:毕业于|就读于|考上了?|在 ?(?=[^，。；]{2,16}?(?:读书|上学|读研|读博|念书|读大学))) ?(?P<value>[^，。；、\s]{2,16}?(?:大学|学院|中学|高中|学校|大|[A-Z]{2,5}))(?:读书|上学|读研|读博|念书|读大学)?"
        ),
        content="{possessive}学校是{value}",
        attribute="school",
        refine=refine_plain,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PERSON,
        pattern=compile_chinese(
            r"我(?:的)?(?P<relation><RELATIVE>)(?:的名字)?(?:名字)?(?:叫|名叫) ?<NAME>"
        ),
        content="{possessive}{relation}叫{value}",
        refine=refine_relative,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PERSON,
        pattern=compile_chinese(
            r"我(?:的)?(?P<relation><RELATIVE>)(?P<value>(?:是|在|喜欢|住在|对)[^，。；！]{2,30}?)(?=[，,。；;！!]|$)"
        ),
        content="{possessive}{relation}{value}",
        refine=refine_relative,
    ),
)
