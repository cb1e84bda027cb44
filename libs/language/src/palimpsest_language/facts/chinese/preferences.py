"""What somebody likes, dislikes, prefers, and how they want to be answered."""

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.chinese.omitted_subjects import LEFT_OUT
from palimpsest_language.facts.chinese.shared_patterns import (
    compile_chinese,
    refine_deed,
    refine_favourite,
    refine_plain,
    refine_preferred_technology,
    refine_setting,
)
from palimpsest_language.facts.rule import FactRule

_LIKE = r"(?:喜欢|偏好|习惯|爱|偏爱|倾向于?|钟爱|热爱|爱上了?|喜欢上了?)"
_USE = r"(?:去?用|使用|写|拿|选用?)"
_LANGUAGE = r"(?P<value>中文|英文|英语|汉语|普通话|日语|日文|法语|德语|韩语|西班牙语|俄语|粤语)"
_STYLE = r"(?P<value>简短|简洁|简单|精炼|详细|直接|具体|通俗|口语化|正式)"

PREFERENCES = (
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            rf"(?:以后|今后|之后|从现在起|每次|一律|一直|始终|总是)(?:请|都|你|要|麻烦|尽量|就)* ?用 ?{_LANGUAGE} ?(?:来|跟我|和我|给我)*(?:回答|回复|交流|说|沟通|讲)"
        ),
        content="{subject}希望用{value}回答",
        attribute="response_language",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            rf"(?:回答|回复|答案)(?:请|要|尽量|可以|都|时|得|再|希望)* ?{_STYLE}(?:一点|一些|点|些)?"
        ),
        content="{subject}希望回答{value}",
        attribute="response_style",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            rf"<ME> {_LIKE} ?{_STYLE} ?(?:一点|一些)?的(?:回答|回复|解释|答案|风格)"
        ),
        content="{subject}喜欢{value}的回答",
        attribute="response_style",
        refine=refine_plain,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            rf"(?:比起|相比于?|与其用?) ?(?P<other>[A-Za-z][\w.+#]*)[，, ]*(?:我|我们|来说|更|还是)* ?{_LIKE} ?{_USE}? <TECHNOLOGY>"
        ),
        content="比起{other}，{subject}更喜欢用{value}",
        refine=refine_preferred_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            rf"<I_ALONE> (?P<much>更|比较|还是)? ?(?:{_LIKE} ?(?:{_USE}|开)?|用|开) ?<SETTING>"
        ),
        content="{subject}{much}喜欢{value}",
        refine=refine_setting,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(rf"<NOW> (?P<much>更|比较|还是)? ?{_LIKE} ?{_USE} ?<TECHNOLOGY>"),
        content="{subject}{much}喜欢用{value}",
        refine=refine_preferred_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(rf"<NOW> (?P<much>更|比较|还是) ?{_LIKE} ?<TECHNOLOGY>"),
        content="{subject}{much}喜欢{value}",
        refine=refine_preferred_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            r"我(?:现在|平时|一般|通常|一直|日常)*(?:主要|现在|一般)(?:都|在)? ?(?:用|写|使用)(?:的是)? ?<TECHNOLOGY>"
        ),
        content="{subject}主要用{value}",
        refine=refine_preferred_technology,
        names_entity=True,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            r"我最?(?:喜欢|爱|常用|喜爱)(?:吃|喝|看|听|玩|用)?的(?P<thing>[\u4e00-\u9fff]{1,6}?)(?:就?是) ?<VALUE>"
        ),
        content="{subject}最喜欢的{thing}是{value}",
        refine=refine_favourite,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            r"<ME> (?:不(?:太|怎么|是很|再|大|想|是特别)?(?:喜欢|爱|习惯)|讨厌|反感|受不了|厌恶|嫌弃) ?<VALUE>"
        ),
        content="{subject}不喜欢{value}",
        attribute="dislikes",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(r"我的(?:主要)?(?:爱好|兴趣爱好|兴趣)(?:就?是|有|包括) ?<VALUE>"),
        content="{possessive}爱好是{value}",
        attribute="hobbies",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(rf"<NOW> (?P<much>更|比较)? ?{_LIKE} ?<VALUE>"),
        content="{subject}喜欢{value}",
        attribute="likes",
        refine=refine_deed,
    ),
    FactRule(
        kind=Kind.PREFERENCE,
        pattern=compile_chinese(
            rf"{LEFT_OUT}(?:平时|平常|一般|从小|最近|现在|一直|就|最|超级?|很|特别|也|还)+(?:爱|喜欢)(?P<value>[喝吃看听玩][^，,。；;！!？?\s的我你他她]{{1,12}}?)(?=[，,。；;！!？?\s]|$)"
        ),
        content="{subject}喜欢{value}",
        attribute="likes",
        refine=refine_plain,
    ),
)
