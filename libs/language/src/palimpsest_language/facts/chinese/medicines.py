"""What somebody takes as a medicine, by the names that medicines have, and what took its place."""

from functools import partial

from palimpsest.model.kinds import Kind
from palimpsest_language.facts.chinese.shared_patterns import compile_chinese, refine_plain
from palimpsest_language.facts.rule_factory import build_rules
from palimpsest_language.statements.people import CHINESE_TITLES

_IN_NO_NAME = r"[我他她它妈爸哥姐弟妹爷奶婆的了把给吃换改停今昨天]"
_MEDICINE = (
    rf"(?:(?:(?!{_IN_NO_NAME})[\u4e00-\u9fff]){{1,4}}(?:地平|洛尔|普利|沙坦|他汀|双胍|列净|列汀|列酮|拉唑|替丁|西林|沙星|霉素|西泮|唑仑|西汀|曲林|他定|替嗪|噻嗪|司特|匹林|洛芬|芬酸|替尼|单抗|肽|沙班|格雷)"
    r"|格列[\u4e00-\u9fff]{1,2}|头孢(?:[\u4e00-\u9fff]{1,3}(?=[，,。；;！! 了]|$))?|胰岛素|优甲乐|左甲状腺素钠?|华法林|缬沙坦|拜新同|波立维|倍他乐克|立普妥|络活喜|代文|氨氯地平|降压药|降糖药|降脂药|安眠药|褪黑素|叶酸|钙片)片?"
)
_NO_NAME = r"(?!(?:[我他她在吃换改用给把从成了的])[\u4e00-\u9fff])"
_TAKEN = rf"{_NO_NAME}(?P<value>{_MEDICINE})"
_REPLACED = rf"{_NO_NAME}(?P<replaced>{_MEDICINE})"
_SO = r"(?:现在|目前|最近|一直|每天|天天|在|也|还|都|得|要|长期|早晚|开始|已经|又|正在)*"
_FOR = r"(?:医生|大夫|医院|主任|专家)"
_TO = r"(?:换成|换到|换为|改成|改吃|改用|改为|换了|换用)了?"
_BEGIN = r"(?:^|(?<=[，,。；;！!\s]))"
_ELSE = rf"(?:(?:{CHINESE_TITLES})儿?|老太太|老爷子|老头子?|[他她])"
_ANYBODY = rf"(?:我|{_ELSE}|{_BEGIN})的?"
_WHOM = rf"(?:我们?家?)?的?(?:我|{_ELSE})?"
_NOT_ONLY_IF = (
    r"(?!吗|吧|会|就|要|怕|容易|行|能|可以|的?话|可能|之后|以后|怎么|几|[一二两三四五六七八九十\d])"
)
"""不吃了会头晕: what comes of it if somebody did."""
_STOPPED = rf"(?:停掉?|不(?:用|敢|想)?(?:再)?[吃用打])了{_NOT_ONLY_IF}"

_holds = partial(build_rules, compile_chinese)

MEDICINES_ENDED = _holds(
    "medication",
    Kind.FACT,
    "{subject}不再吃{value}",
    refine_plain,
    rf"{_ANYBODY}{_SO}(?:不(?:用)?(?:再)?|停)(?:吃|用|打|服)?了?{_TAKEN}了{_NOT_ONLY_IF}",
    rf"{_ANYBODY}{_SO}(?:把)?停(?:了|掉了?|用了?){_TAKEN}{_NOT_ONLY_IF}(?!了)",
    rf"{_ANYBODY}(?:把)?{_TAKEN}(?:[那这]个?种?药)?(?:{_ELSE}|我|已经|也|都|现在|给|就)*{_STOPPED}",
    rf"{_ANYBODY}{_TAKEN}(?:[那这]个?种?药)?(?:我|{_ELSE})?(?:一?吃[了着完]?|用了|打了)[^，,。；;！!]{{1,10}}[，,] ?(?:{_ELSE}|我|所以|就|已经|现在)*{_STOPPED}",
    ended=True,
)

MEDICINES = (
    *_holds(
        "medication",
        Kind.FACT,
        "{subject}把{replaced}换成了{value}",
        refine_plain,
        rf"(?:{_FOR}|{_ANYBODY})(?:[给帮让]{_WHOM}|建议{_WHOM}|已经|刚)*(?:把|将|从|由)?{_WHOM}{_REPLACED}(?:也|都|给{_WHOM}|已经)*{_TO} ?{_TAKEN}",
    ),
    *_holds(
        "medication",
        Kind.FACT,
        "{subject}换用{value}",
        refine_plain,
        rf"(?:{_FOR}|{_ANYBODY})(?:今天|昨天|上周|这次|现在|最近|又|已经|刚)*(?:[给帮让叫]{_WHOM}|药)*(?:今天|又|已经)*{_TO} ?{_TAKEN}",
    ),
    *_holds(
        "medication",
        Kind.FACT,
        "{subject}吃{value}",
        refine_plain,
        rf"(?:我(?!爸|妈|哥|姐|弟|妹|爷|奶|家|老|们家)|{_ELSE}){_SO}(?:吃|用|打|服用?)(?:着|了|点|的是)?{_TAKEN}",
        rf"(?:我|{_ELSE})(?:现在|平时|每天|一直)*(?:吃|用|打|服)的(?:[\u4e00-\u9fff]{{0,3}}药)?(?:是|叫){_TAKEN}",
        rf"{_FOR}(?:今天|昨天|上周|又|刚)*[给让叫](?:我家?的?)?(?:(?<=我)|{_ELSE})(?:开|吃|用|打|加)了?{_TAKEN}",
    ),
)
