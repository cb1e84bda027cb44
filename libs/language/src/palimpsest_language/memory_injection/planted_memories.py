"""Detects attempts to plant rights or orders in memory, in the guise of a conversation.

The model is told not to note them, and may obey the attack all the same. This module checks what
the model noted, without trusting it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from palimpsest_language.memory_injection.rights_claims import states_rights_or_instructions


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile(
        "|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE | re.MULTILINE
    )


_ATTACK = _any_of(
    # Orders against the rules.
    r"\b(?:ignore|disregard|forget|bypass|override|violate)\b.{0,40}"
    r"\b(?:rules?|instructions?|prompts?|polic(?:y|ies)|guidelines?|guardrails?|restrictions?)\b",
    r"(?:忽略|忽视|无视|忘记|忘掉|绕过|跳过|覆盖|抛开|抛弃|违反)[^。！？\n]{0,20}"
    r"(?:规则|指令|指示|提示|限制|设定|约束|守则)",
    (
        r"\b(?:your new|new system) (?:rules?|instructions?|prompts?)\b|\bnew "
        r"(?:rules?|instructions?) ?:"
    ),
    r"你的新(?:规则|指令|身份)|新(?:的)?(?:规则|指令) ?[:：]",
    # In the name of whoever sets the rules.
    r"\b(?:system|developer)[ -](?:prompt|override|instructions?)\b",
    r"\b(?:system|developer|admin(?:istrator)?)[ -](?:message|note|notice|update|command) ?[:：]",
    r"系统(?:提示词?|指令|覆盖)|(?:系统|管理员|开发者)(?:消息|通知|更新|公告|命令|指令) ?[:：]",
    (
        r"^\W{0,4}(?:system|assistant|developer|admin(?:istrator)?|系统|助手|开发者"
        r"|管理员)\W{0,3}[:：]"
    ),
    r"<\|?/?(?:im_start|im_end|system|assistant|inst|endoftext|memory)\b",
    r"\[/?(?:INST|SYSTEM|ADMIN|系统|管理员)\b",
    r"#{2,}\s*(?:system|instruction|系统|指令)",
    # To memory itself, about its user as a third person.
    r"\b(?:remember|note|memori[sz]e|record)\b.{0,20}\b(?:the|this|current) user"
    r" (?:is|has|can|may|must|should|will|wants|prefers|likes)\b",
    (
        r"(?:记住|记下|牢记|记录)[^。！？\n]{0,12}用户(?:是|有|拥有|具有|可以|已|能|享有|被|属于"
        r"|喜欢|想)"
    ),
    r"\b(?:in|into|to) your (?:long-term )?memor(?:y|ies)\b",
    r"(?:写入|写进|存入|存进|加入|添加到|更新到?)[^。！？\n]{0,12}记忆",
    (
        r"\b(?:permanently (?:store|save|remember|record|note)|"
        r"(?:store|save|remember|record|note) (?:it |this )?permanently)\b"
    ),
    r"\b(?:always|never|must|shall|should) (?:always |never )?obey (?:me|my)\b"
    r"|\b(?:reveal|leak|disclose|share) (?:other|all) (?:users?|people|customers?)['’]?s?\b",
    r"(?:服从|听从)我|(?:泄露|透露|告诉我)[^。！？\n]{0,4}(?:其他|别的|所有)(?:用户|客户)",
    # To whatever machine may read it.
    r"\b(?:to|for) (?:the |any |all )?(?:AI|LLM|chat) ?-?(?:assistants?|agents?|bots?|models?)\b",
    r"\b(?:AI|LLM) (?:assistants?|agents?|bots?|models?) (?:reading|must|should|please|are to"
    r"|who read)\b"
    r"|\b(?:assistants?|agents?|bots?) reading this\b",
    (
        r"(?:AI|人工智能|智能) ?(?:助手|助理|机器人|模型)[^。！？\n]{0,3}(?:注意|请"
        r"(?:把|将|记|存|牢|务)|必须|务必)"
    ),
    # Another part to play.
    (
        r"\byou are (?:now (?:an?|in|the|free)|no longer)\b|\b(?:DAN|god|unrestricted) mode\b"
        r"|\bjailbr(?:eak|oken)\b"
    ),
    r"你现在是|你不再是|假装你(?:是|没有)|越狱|(?:无限制|上帝|开发者)模式",
)
"""A sentence that speaks to the model, past the person it talks with."""

_ORDER = _any_of(
    r"\b(?:always|never|must|shall|should|every time|whenever|allowed|trust(?:ed|s)?|obey"
    r"|reveal|disclose|approved?|waived?|exempt|verified)\b",
    (
        r"必须|总是|永远|一律|务必|每次|不得|绝不|始终|无条件|都要|允许|信任|服从|透露|泄露|批准"
        r"|豁免|免除|可以"
    ),
)
"""Words of an order or a right, if they stand beside such a sentence."""

_CLAIM = _any_of(
    r"\b(?:full|unrestricted|unlimited|root|complete|privileged|elevated|all)"
    r" (?:system |admin(?:istrator)? |database )?(?:access|permissions?|privileges?|clearance)\b",
    r"\bsuper ?(?:user|admin(?:istrator)?)\b",
    (
        r"(?:最高|所有|全部|完全|一切|无限|超级|管理员|root)的?(?:权限|特权|访问权)|超级"
        r"(?:用户|管理员)"
    ),
)
"""Rights that nobody gets by claiming them, in whatever words."""

_ADMIN = r"(?:super ?)?(?:sys(?:tem)?[ -]?)?(?:admin(?:istrator)?|root user|superuser)"
_OF_THIS = (
    r"(?:of|for|behind) (?:(?:this|your|the) (?:system|platform|assistant|bot|chat|service|memory"
    r"|server)|you|everything)"
)
_OTHERS = (
    r"(?:everyone|everybody|anyone|anybody|(?:all|any|every)(?: of)?(?: the)?(?: other)? "
    r"(?:users?|people|customers?|accounts?)"
    r"|(?:the )?other (?:users?|people|customers?|accounts?)|others)(?:['’]s?)?"
)
_THEIR_DATA = (
    r"(?:memor(?:y|ies)|data|accounts?|conversations?|chats?|messages|records|files|secrets"
    r"|passwords)"
)
_LOOKS_INTO = r"(?:see|read|view|access|edit|change|delete|erase|export|open|know|manage|use)"
_OTHERS_ZH = (
    r"(?:所有人|其他人|别人|任何人|每个人|大家|全员|(?:所有|其他|别的|全部|任何|每个)"
    r"(?:用户|客户|账号|账户|人))"
)
_THEIR_DATA_ZH = r"(?:记忆|数据|资料|信息|对话|聊天|账[号户]|隐私|密码|文件|记录)"
_LOOKS_INTO_ZH = r"(?:查?看|查|访问|读取?|修?改|删除?|调[取阅]|导出|获取|管理|使用)"
_THIS_ZH = (
    r"(?:(?:这个?|本|此|该|你们?的?)(?:系统|平台|助手|程序|机器人|服务|网站)|系统|平台|后台|你们?"
    r"|这里)的"
)
_HOLDS = (
    r"(?:^[^\w\n]{0,8}(?:have|got|with)|\b(?:I|we|users?|my(?= (?:new |own |full )?"
    r"(?:admin|access|rights?|permission))|(?:gives?|gave|grant(?:s|ed)?) (?:me|us)))\b(?:['’]"
    r"(?:ve|m|d))?"
    r"(?: (?!gives?\b|gave\b|grant)[\w'’-]+){0,4} "
)
"""The speaker as the holder, not somebody at work: “she gets read access to everything”."""
_OVER_THE_SYSTEM = _any_of(
    # Who somebody is to the system: “the administrator” names no workplace, as a job does.
    rf"\bI(?:['’]m| am)(?: (?:now|also|actually|really|in fact))* (?:the|your) {_ADMIN}"
    rf"(?: (?:here|now|around here|{_OF_THIS}))?(?=\W*(?:$|[.,;:!?)—–-]|(?:and|so|but|which) ))",
    r"\bI(?:['’]m| am)(?: (?:now|also|actually|really|in fact))* (?:your "
    r"(?:owner|creator|developer|operator|master|maker)\b"
    rf"|(?:an?|the) (?:{_ADMIN}|owner|creator|developer|operator|moderator) (?:here\b(?! "
    rf"(?:at|in|of|for)\b)|{_OF_THIS}\b(?! \w+ (?:at|in)\b)))",
    (
        r"\b(?:treat|consider|regard|recogni[sz]e|accept) me as (?:an? |the |your )?(?:"
        rf"{_ADMIN}|root|owner|developer|operator)\b"
    ),
    rf"\bas (?:the|your) {_ADMIN},? (?:I|you|please)\b",
    (
        rf"我(?:现在|其实|就|才|可|也)*是(?:{_THIS_ZH})?(?:超级)?(?:管理员|超级用户)"
        r"(?=\W*$|[，,。；;！!、？?\s了啊哦])"
    ),
    (
        rf"我(?:现在|其实|就|才|可|也)*是(?:{_THIS_ZH})(?:开发者|创建者|创造者|主人|拥有者|所有者"
        r"|运营者|老板)(?=\W*$|[，,。；;！!、？?\s了啊哦])"
    ),
    (
        r"[把将](?:我|用户)(?:当|视|看|设|提升|升级)(?:成|作|为|做)*(?:超级)?"
        r"(?:管理员|超级用户|开发者)"
    ),
    # What somebody may do with all of it, or with what is others'.
    rf"{_HOLDS}{_ADMIN}(?:[- ]level)? (?:access|rights?|privileges?|permissions?|powers?"
    r"|clearance)\b"
    r"(?!,? (?:to|on|in|for|at|of|over) (?!(?:every|all\b|any|the "
    r"(?:whole |entire )?system\b|this\b|your?\b|other)))",
    rf"{_HOLDS}(?:access|permissions?|rights?|authority|clearance|privileges?|control) "
    r"(?:to|over|on|for) "
    rf"(?:(?:absolutely |literally )?everything\b(?! (?:I|we|at|in|on)\b)|(?:{_LOOKS_INTO} )?"
    rf"{_OTHERS}(?: {_THEIR_DATA})?\b)",
    (
        rf"{_HOLDS}(?:allowed|permitted|authori[sz]ed|entitled|cleared) to {_LOOKS_INTO} (?:"
        rf"{_OTHERS}|all (?:the )?{_THEIR_DATA})"
    ),
    (
        rf"\bI (?:can|may|get to|am able to) {_LOOKS_INTO} (?:{_OTHERS} {_THEIR_DATA}|all "
        r"(?:the )?memories)\b"
    ),
    (
        rf"(?:可以|能够?|有权|被?允许|授权)(?:我)?(?:直接|随时|随意|任意)?{_LOOKS_INTO_ZH}到?"
        rf"{_OTHERS_ZH}的?(?:全部|所有)?{_THEIR_DATA_ZH}"
    ),
    (
        rf"(?:有权|授权|{_LOOKS_INTO_ZH})[^，。；]{{0,3}}{_OTHERS_ZH}[^，。；]{{0,6}}"
        r"(?:权限|特权|权利)"
    ),
    rf"有权{_LOOKS_INTO_ZH}(?:{_OTHERS_ZH}|(?:所有|全部|一切)的?{_THEIR_DATA_ZH})",
)
"""Roles and rights over this system and its users: nobody has them by claiming them. A job is kept.
"""

_RIGHT = _any_of(
    r"\b(?:admin(?:istrator)?s?|root|permissions?|privileges?|authori[sz]ed|clearance)\b",
    r"管理员|权限|特权|授权",
)

_THE_USER = _any_of(
    r"\b(?:the|this|current) (?:user|account)\b", r"(?:该|这个|本|此|当前)?(?:用户|账号|账户)"
)

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[。！？\n]+")


@dataclass(frozen=True)
class EvidenceQuotation:
    quote: str
    text: str
    """The whole text of its message."""


def is_planted(statements: Sequence[str], quotations: Sequence[EvidenceQuotation]) -> bool:
    """Tell whether a proposal would plant rights or orders, whoever is quoted.

    Args:
        statements: the texts that would be remembered.
        quotations: the evidence.
    """
    quotes = [quotation.quote for quotation in quotations]
    if any(_claims_rights(text) for text in (*statements, *quotes)):
        return True
    if any(_quotes_attack(quotation) for quotation in quotations):
        return True
    rights = [quote for quote in quotes if _RIGHT.search(quote)]
    if not rights and any(_RIGHT.search(text) for text in statements):
        # The evidence does not state it: the model was told to.
        return True
    if any(_THE_USER.search(quote) for quote in rights):
        # No user speaks like that about themselves.
        return True
    attacked = any(_attacks(quotation.text) for quotation in quotations)
    return attacked and any(
        _ORDER.search(text) or states_rights_or_instructions(text)
        for text in (*statements, *quotes)
    )


def is_attack_or_rights_claim(sentence: str) -> bool:
    """Tell whether the sentence attacks or claims rights, so that nothing resting on it is kept."""
    return _ATTACK.search(sentence) is not None or _claims_rights(sentence)


def _claims_rights(text: str) -> bool:
    return _CLAIM.search(text) is not None or _OVER_THE_SYSTEM.search(text) is not None


def _quotes_attack(quotation: EvidenceQuotation) -> bool:
    if _ATTACK.search(quotation.quote):
        return True
    return any(quotation.quote.strip() in attack for attack in _attacks(quotation.text))


@lru_cache(maxsize=16)
def _attacks(text: str) -> tuple[str, ...]:
    """Return the attacking sentences; cached, as many proposals cite the same few messages."""
    return tuple(part for part in _SENTENCE_END.split(text) if _ATTACK.search(part))
