"""What somebody is after, what happened to them, how they are, and what they think of us."""

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.chinese.shared_patterns import (
    compile_chinese,
    refine_deed,
    refine_happening,
    refine_plain,
)
from palimpsest_language.facts.rule import FactRule

_DONE = (
    r"(?:去|参加|见|看|买|完成|做|开始|拿到|收到|跑|爬|考|面试|搬|飞|报名|发布|上线|吃|学|办|带|和|跟|陪|出差|"
    r"回|遇到|丢|修|打)"
)
_MILESTONE = (
    r"(?:结婚|离婚|订婚|毕业|升职|怀孕|退休|分手|生了[^，。；]{0,8}|考上|通过了|拿到了?|买了(?:房|车|新|一[套辆台])|"
    r"赢了|获得了?|得了|完成了|上线了|发布了|跑完了?|辞职|创业)"
)

LIFE = (
    FactRule(
        kind=Kind.GOAL,
        pattern=compile_chinese(
            r"我们?的?(?:今年|明年|下一个|长期|短期|最大|主要|近期)?的?(?:目标|梦想|愿望|理想|计划)(?:就?是|：) ?<VALUE>"
        ),
        content="{possessive}目标是{value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.GOAL,
        pattern=compile_chinese(
            r"<ME>(?:下个?月|明年|明天|下周|下半年|年底|暑假|未来)* ?(?:打算|计划|准备(?!好|了)|立志|争取)(?:着|在|要)? ?<VALUE>"
        ),
        content="{subject}打算{value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.GOAL,
        pattern=compile_chinese(
            r"<ME> (?:想要?|希望(?:能够?|可以)?)(?:在[^，。；]{1,10}?(?:前|内))? ?(?P<value>(?:学|成为|考|创业|减肥|减掉?|出国|转行|转岗|提高|提升|跑完?|攒|戒|养成|开一?家|写一?本|读完)[^，。；！]{0,40}?)(?=[，,。；;！!]|$)"
        ),
        content="{subject}想{value}",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.EVENT,
        pattern=compile_chinese(
            rf"(?P<when><WHEN>)(?:的时候)?[，, ]*我们? ?(?P<value>(?:刚|终于|还|又)*{_DONE}[^，。；！]{{1,40}}?)(?=[，,。；;！!]|$)"
        ),
        content="{subject}{when}{value}",
        refine=refine_happening,
    ),
    FactRule(
        kind=Kind.EVENT,
        pattern=compile_chinese(
            rf"我们?(?:刚|终于|还|又|也)* ?(?P<value><WHEN> ?(?:刚|终于|还|又)*{_DONE}[^，。；！]{{1,40}}?)(?=[，,。；;！!]|$)"
        ),
        content="{subject}{value}",
        refine=refine_happening,
    ),
    FactRule(
        kind=Kind.EVENT,
        pattern=compile_chinese(
            rf"<ME> ?(?P<value>{_MILESTONE}[^，。；！]{{0,40}}?)(?=[，,。；;！!]|$)"
        ),
        content="{subject}{value}",
        refine=refine_happening,
    ),
    FactRule(
        kind=Kind.FEEDBACK,
        pattern=compile_chinese(
            r"你(?:的|刚才的?|上次的?|这次的?|给的)*(?P<thing>回答|回复|解释|建议|代码|总结|答案|方案)(?:真的|实在|还是|都|总是|也)*(?P<value>(?:太|很|不够|不太|不|非常|挺|有点|过于|特别)[^，。；！]{1,20}?)(?=[，,。；;！!]|$)"
        ),
        content="{subject}觉得助手的{thing}{value}",
        subject="agent",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.FEEDBACK,
        pattern=compile_chinese(
            r"(?:请|以后|麻烦|你)*(?:不要|别)(?:再|总是|老是)* ?(?P<value>(?:用|使用|加|带|重复|输出|发|说)[^，。；！]{0,8}?(?:表情|emoji|列表|标题|客套话|废话|感叹号|注释|道歉|免责声明)[^，。；！]{0,6}?)(?:了)?(?=[，,。；;！!]|$)"
        ),
        content="{subject}要求助手不要{value}",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.CONTEXT,
        pattern=compile_chinese(
            r"我(?:现在|正在?|目前|今天|这几天|这周|最近)+(?:在)? ?(?P<value>[^，。；！]{0,8}?(?:出差|度假|旅行|旅游|住院|生病|感冒|休假|请假|发烧|开会)[^，。；！]{0,10}?)(?=[，,。；;！!]|$)"
        ),
        content="{subject}正在{value}",
        refine=refine_deed,
    ),
)
