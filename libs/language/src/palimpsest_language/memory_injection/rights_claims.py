"""Claims of rights and orders that no agent may plant in a memory."""

import re

_RIGHTS_OR_INSTRUCTIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            r"\b(?:admin(?:istrator)?|root|superuser|sudo)\b.{0,20}\b"
            r"(?:rights?|access|user|privileges?|role)\b"
        ),
        r"\b(?:is|are|am|as) (?:an? |the )?(?:admin(?:istrator)?|root|superuser|owner)\b",
        (
            r"\b(?:has|have|had|grant(?:s|ed)?|given?|with) .{0,30}\b"
            r"(?:permissions?|privileges?|full access|clearance)\b"
        ),
        r"\b(?:is|are|am|be) (?:not )?(?:allowed|permitted|authori[sz]ed|entitled) to\b",
        (
            r"\b(?:ignore|disregard|forget|bypass|override) .{0,30}\b"
            r"(?:rules?|instructions?|prompts?|polic(?:y|ies)|safety)\b"
        ),
        r"\b(?:system|developer) (?:prompt|message|instructions?)\b",
        (
            r"\b(?:agents?|assistants?|you|ai) (?:must|should|shall|may|can|will) "
            r"(?:always|never|now|not|obey|ignore|reveal|trust)\b"
        ),
        r"\bfrom now on\b",
        r"\bwithout (?:asking|confirmation|approval|permission)\b",
        r"管理员|超级用户|最高权限|完全访问",
        r"(?:拥有|具有|获得|授予|赋予|有).{0,12}(?:权限|特权)",
        r"授权|有权|无需(?:确认|批准|许可|询问)|不(?:需要|用|必)(?:确认|批准|许可|询问)",
        r"(?:忽略|无视|忘记|绕过|跳过).{0,12}(?:规则|指令|指示|提示|限制|安全)",
        r"系统(?:提示|指令|消息)",
        r"从现在(?:起|开始)|今后(?:必须|都要|一律)",
        r"(?:助手|智能体|代理|你|AI)(?:必须|应该|应当|务必|一律|可以|不得|不能)",
    )
)


def states_rights_or_instructions(text: str) -> bool:
    return any(pattern.search(text) for pattern in _RIGHTS_OR_INSTRUCTIONS)
