"""Keys and tokens whose makers gave them a prefix or an address of their own."""

import re

from palimpsest_language.redaction.policy import SecretKind
from palimpsest_language.redaction.secret_rules import SecretRule
from palimpsest_language.redaction.token_shapes import build_token_rule

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

VENDOR_RULES = (
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
        ("/webhooks/", "/hook/", "/webhook/", "/robot/"),
        r"(?:discord|discordapp)\.com/api/webhooks/[0-9]{16,20}/[A-Za-z0-9_-]{40,}+",
        rf"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/{_UUID}",
    ),
    SecretRule(
        kind=SecretKind.TOKEN,
        hints=("webhook/send", "robot/send"),
        pattern=re.compile(
            r"/(?:webhook|robot)/send\?(?:key|access_token)=(?P<secret>[A-Za-z0-9-]{24,}+)"
        ),
    ),
    build_token_rule(
        SecretKind.API_KEY,
        ("pplx-", "pcsk_", "lin_api_", "ntn_", "figd_", "pmak-", "nrak-", "age-secret-key-"),
        r"pplx-[A-Za-z0-9]{32,}+",
        r"pcsk_[A-Za-z0-9_]{40,}+",
        r"lin_api_[A-Za-z0-9]{32,}+",
        r"ntn_[A-Za-z0-9]{40,}+",
        r"figd_[A-Za-z0-9_-]{32,}+",
        r"PMAK-[0-9a-f-]{40,}+",
        r"NRAK-[A-Z0-9]{20,}+",
        r"AGE-SECRET-KEY-1[A-Z0-9]{50,}+",
        random=True,
    ),
    build_token_rule(
        SecretKind.TOKEN,
        ("shpat_", "shpss_", "dckr_pat_", "sbp_", "glsa_", "tskey-", "hvs.", "dapi", "sntrys_"),
        r"shp(?:at|ss|ca|pa)_[0-9a-f]{32}",
        r"dckr_pat_[A-Za-z0-9_-]{24,}+",
        r"sbp_[0-9a-f]{40}",
        r"glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}",
        r"tskey-(?:auth|api|client)-[A-Za-z0-9]{10,}+-[A-Za-z0-9]{20,}+",
        r"hvs\.[A-Za-z0-9_-]{24,}+",
        r"dapi[0-9a-f]{32}(?:-[0-9])?",
        r"sntrys_[A-Za-z0-9+/=_-]{40,}+",
        random=True,
    ),
    build_token_rule(
        SecretKind.TOKEN,
        ("sq0", "rubygems_", "pscale_", "hrku-", "atatt3", "pat-na", "key-"),
        r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}+",
        r"rubygems_[0-9a-f]{48}",
        r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.-]{30,}+",
        r"HRKU-[A-Za-z0-9_-]{36,}+",
        r"ATATT3[A-Za-z0-9_=-]{40,}+",
        r"pat-na[0-9]-[0-9a-f-]{36}",
        r"key-[0-9a-f]{32}(?![0-9a-f])",
        random=True,
    ),
    # Twilio.
    build_token_rule(SecretKind.API_KEY, ("sk",), r"SK[0-9a-f]{32}(?![0-9a-f])"),
)
