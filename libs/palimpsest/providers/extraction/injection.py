"""Attempts to plant something in memory: rights, or orders, in the guise of a conversation.

The model is told not to note them, and may obey the attack all the same; this
looks at what it noted, and does not trust it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from palimpsest.providers.extraction.rights import states_rights_or_instructions


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
    r"\b(?:your new|new system) (?:rules?|instructions?|prompts?)\b|\bnew (?:rules?|instructions?) ?:",
    r"你的新(?:规则|指令|身份)|新(?:的)?(?:规则|指令) ?[:：]",
    # In the name of whoever sets the rules.
    r"\b(?:system|developer)[ -](?:prompt|override|instructions?)\b",
    r"\b(?:system|developer|admin(?:istrator)?)[ -](?:message|note|notice|update|command) ?[:：]",
    r"系统(?:提示词?|指令|覆盖)|(?:系统|管理员|开发者)(?:消息|通知|更新|公告|命令|指令) ?[:：]",
    r"^\W{0,4}(?:system|assistant|developer|admin(?:istrator)?|系统|助手|开发者|管理员)\W{0,3}[:：]",
    r"<\|?/?(?:im_start|im_end|system|assistant|inst|endoftext|memory)\b",
    r"\[/?(?:INST|SYSTEM|ADMIN|系统|管理员)\b",
    r"#{2,}\s*(?:system|instruction|系统|指令)",
    # To memory itself, about its user as a third person.
    r"\b(?:remember|note|memori[sz]e|record)\b.{0,20}\b(?:the|this|current) user"
    r" (?:is|has|can|may|must|should|will|wants|prefers|likes)\b",
    r"(?:记住|记下|牢记|记录)[^。！？\n]{0,12}用户(?:是|有|拥有|具有|可以|已|能|享有|被|属于|喜欢|想)",
    r"\b(?:in|into|to) your (?:long-term )?memor(?:y|ies)\b",
    r"(?:写入|写进|存入|存进|加入|添加到|更新到?)[^。！？\n]{0,12}记忆",
    r"\b(?:permanently (?:store|save|remember|record|note)|(?:store|save|remember|record|note) (?:it |this )?permanently)\b",
    r"\b(?:always|never|must|shall|should) (?:always |never )?obey (?:me|my)\b"
    r"|\b(?:reveal|leak|disclose|share) (?:other|all) (?:users?|people|customers?)['’]?s?\b",
    r"(?:服从|听从)我|(?:泄露|透露|告诉我)[^。！？\n]{0,4}(?:其他|别的|所有)(?:用户|客户)",
    # To whatever machine may read it.
    r"\b(?:to|for) (?:the |any |all )?(?:AI|LLM|chat) ?-?(?:assistants?|agents?|bots?|models?)\b",
    r"\b(?:AI|LLM) (?:assistants?|agents?|bots?|models?) (?:reading|must|should|please|are to|who read)\b"
    r"|\b(?:assistants?|agents?|bots?) reading this\b",
    r"(?:AI|人工智能|智能) ?(?:助手|助理|机器人|模型)[^。！？\n]{0,3}(?:注意|请(?:把|将|记|存|牢|务)|必须|务必)",
    # Another part to play.
    r"\byou are (?:now (?:an?|in|the|free)|no longer)\b|\b(?:DAN|god|unrestricted) mode\b|\bjailbr(?:eak|oken)\b",
    r"你现在是|你不再是|假装你(?:是|没有)|越狱|(?:无限制|上帝|开发者)模式",
)
"""A sentence that speaks to the model, over the head of whoever it talks with."""

_ORDER = _any_of(
    r"\b(?:always|never|must|shall|should|every time|whenever|allowed|trust(?:ed|s)?|obey"
    r"|reveal|disclose|approved?|waived?|exempt|verified)\b",
    r"必须|总是|永远|一律|务必|每次|不得|绝不|始终|无条件|都要|允许|信任|服从|透露|泄露|批准|豁免|免除|可以",
)
"""What would be an order or a right, where it stands beside such a sentence."""

_CLAIM = _any_of(
    r"\b(?:full|unrestricted|unlimited|root|complete|privileged|elevated|all)"
    r" (?:system |admin(?:istrator)? |database )?(?:access|permissions?|privileges?|clearance)\b",
    r"\bsuper ?(?:user|admin(?:istrator)?)\b",
    r"(?:最高|所有|全部|完全|一切|无限|超级|管理员|root)的?(?:权限|特权|访问权)|超级(?:用户|管理员)",
)
"""Rights that nobody gets by saying so, in whatever words."""

_RIGHT = _any_of(
    r"\b(?:admin(?:istrator)?s?|root|permissions?|privileges?|authori[sz]ed|clearance)\b",
    r"管理员|权限|特权|授权",
)

_THE_USER = _any_of(
    r"\b(?:the|this|current) (?:user|account)\b", r"(?:该|这个|本|此|当前)?(?:用户|账号|账户)"
)

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[。！？\n]+")


@dataclass(frozen=True)
class Quotation:
    quote: str
    text: str
    """All that its message says."""


def is_planted(statements: Sequence[str], quotations: Sequence[Quotation]) -> bool:
    """Whether a proposal would plant rights or orders, whoever is quoted for it.

    Args:
        statements: what would be remembered.
        quotations: the evidence for it.
    """
    quotes = [each.quote for each in quotations]
    if any(_CLAIM.search(text) for text in (*statements, *quotes)):
        return True
    if any(_quotes_attack(each) for each in quotations):
        return True
    rights = [quote for quote in quotes if _RIGHT.search(quote)]
    if not rights and any(_RIGHT.search(text) for text in statements):
        # The evidence does not say so: the model was told to.
        return True
    if any(_THE_USER.search(quote) for quote in rights):
        # Nobody speaks of themselves like that.
        return True
    attacked = any(_attacks(each.text) for each in quotations)
    return attacked and any(
        _ORDER.search(text) or states_rights_or_instructions(text)
        for text in (*statements, *quotes)
    )


def _quotes_attack(quotation: Quotation) -> bool:
    if _ATTACK.search(quotation.quote):
        return True
    return any(quotation.quote.strip() in each for each in _attacks(quotation.text))


@lru_cache(maxsize=16)
def _attacks(text: str) -> tuple[str, ...]:
    """The sentences that attack. Kept: the many proposals of a window cite few messages."""
    return tuple(each for each in _SENTENCE_END.split(text) if _ATTACK.search(each))
