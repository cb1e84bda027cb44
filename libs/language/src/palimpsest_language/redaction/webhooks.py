"""Addresses of chat services that let whoever has them post, and tokens of their bots.

The collection of vendors' patterns lacks these: most are Chinese services.
"""

import re

from palimpsest_language.redaction.policy import SecretKind
from palimpsest_language.redaction.secret_rules import SecretRule
from palimpsest_language.redaction.token_shapes import build_token_rule

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

WEBHOOK_RULES = (
    # Discord: a bot's token is three parts, the first an id in base64.
    SecretRule(
        kind=SecretKind.TOKEN,
        hints=(".",),
        pattern=re.compile(
            r"(?<![A-Za-z0-9_.-])(?P<secret>[MNO][A-Za-z0-9_-]{22,27}+\."
            r"[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}+)"
        ),
    ),
    build_token_rule(
        SecretKind.TOKEN,
        ("/webhooks/", "/hook/", "hooks.slack.com"),
        r"(?:discord|discordapp)\.com/api/webhooks/[0-9]{16,20}/[A-Za-z0-9_-]{40,}+",
        rf"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/{_UUID}",
        r"hooks\.slack\.com/services/[A-Za-z0-9/]{20,}+",
    ),
    SecretRule(
        kind=SecretKind.TOKEN,
        hints=("webhook/send", "robot/send"),
        pattern=re.compile(
            r"/(?:webhook|robot)/send\?(?:key|access_token)=(?P<secret>[A-Za-z0-9-]{24,}+)"
        ),
    ),
)
