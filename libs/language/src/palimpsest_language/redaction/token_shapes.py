"""Keys and tokens that are known by their shape, wherever they stand."""

import re

from palimpsest_language.redaction.policy import SecretKind
from palimpsest_language.redaction.secret_rules import SecretRule, measure_random_looking

_NOT_WITHIN_A_WORD = r"(?<![A-Za-z0-9])"
_ENDS = r"(?![A-Za-z0-9])"


def build_token_rule(
    kind: SecretKind, hints: tuple[str, ...], *shapes: str, random: bool = False
) -> SecretRule:
    pattern = re.compile(rf"{_NOT_WITHIN_A_WORD}(?P<secret>{'|'.join(shapes)})")
    return (
        SecretRule(kind=kind, hints=hints, pattern=pattern, measure=measure_random_looking)
        if random
        else SecretRule(kind=kind, hints=hints, pattern=pattern)
    )


PRIVATE_KEYS = SecretRule(
    kind=SecretKind.PRIVATE_KEY,
    hints=("private key",),
    # Up to the end line; a key cut short, as far as its base64 goes. Prose
    # that only names the header stays as it is.
    pattern=re.compile(
        r"(?P<secret>-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:[^-]|-(?!----))*+-----END [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:\s|\\[nr])*+(?:[A-Za-z0-9+/=]{24,}+(?:\s|\\[nr])*+)++[A-Za-z0-9+/=]*+))"
    ),
)

TOKEN_RULES = (
    PRIVATE_KEYS,
    # OpenAI, Anthropic, OpenRouter, DeepSeek and others that took up the prefix.
    build_token_rule(SecretKind.API_KEY, ("sk-",), r"sk-[A-Za-z0-9_-]{20,}+", random=True),
    build_token_rule(
        SecretKind.API_KEY,
        ("_live_", "_test_", "_prod_", "_secret_", "whsec_"),
        r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}+",
        (
            r"[a-z]{2,12}_(?:live|test|prod|secret)_(?=[A-Za-z]*[0-9])"
            r"(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{10,}+"
        ),
        r"whsec_[A-Za-z0-9+/=]{24,}+",
    ),
    build_token_rule(
        SecretKind.API_KEY,
        ("akia", "asia", "abia", "acca", "ltai", "akid"),
        rf"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}{_ENDS}",
        rf"LTAI[A-Za-z0-9]{{12,26}}+{_ENDS}",
        rf"AKID[A-Za-z0-9]{{32}}{_ENDS}",
        random=True,
    ),
    build_token_rule(
        SecretKind.API_KEY,
        ("aiza", "ya29.", "gocspx-"),
        r"AIza[A-Za-z0-9_-]{35,}+",
        r"ya29\.[A-Za-z0-9_-]{20,}+",
        r"GOCSPX-[A-Za-z0-9_-]{20,}+",
    ),
    build_token_rule(
        SecretKind.TOKEN,
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"),
        r"gh[pousr]_[A-Za-z0-9]{30,}+",
        r"github_pat_[A-Za-z0-9_]{22,}+",
        r"glpat-[A-Za-z0-9_-]{20,}+",
    ),
    build_token_rule(
        SecretKind.TOKEN,
        ("xox", "xapp-", "hooks.slack.com"),
        r"xox[a-z]-[A-Za-z0-9-]{10,}+",
        r"xapp-[A-Za-z0-9-]{10,}+",
        r"hooks\.slack\.com/services/[A-Za-z0-9/]{20,}+",
    ),
    build_token_rule(
        SecretKind.TOKEN,
        ("hf_", "npm_", "pypi-", "sg.", "gsk_", "r8_", "dop_v1_", "xai-"),
        r"(?:hf_|npm_|gsk_|r8_|dop_v1_)[A-Za-z0-9]{30,}+",
        r"pypi-[A-Za-z0-9_-]{50,}+",
        r"xai-[A-Za-z0-9_-]{40,}+",
        r"SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+",
        random=True,
    ),
    SecretRule(
        kind=SecretKind.TOKEN,
        hints=("eyj",),
        pattern=re.compile(
            r"(?<![A-Za-z0-9_-])"
            r"(?P<secret>eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+){1,3}+)"
        ),
    ),
    # Telegram's bots.
    build_token_rule(SecretKind.TOKEN, (":aa",), r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}+"),
    SecretRule(
        kind=SecretKind.TOKEN,
        hints=("signature=", "sig="),
        # Addresses that open what they point to for whoever has them.
        pattern=re.compile(
            r"[?&](?i:[a-z-]{0,16}sig(?:nature)?)=(?P<secret>[A-Za-z0-9%+/=_-]{20,}+)"
        ),
    ),
    SecretRule(
        kind=SecretKind.TOKEN,
        hints=("cookie",),
        pattern=re.compile(
            r"\b(?i:(?:set-)?cookie):\s{0,4}[A-Za-z0-9_.-]{1,64}+=(?P<secret>[^\s;,\"']{16,}+)"
        ),
        measure=measure_random_looking,
    ),
    SecretRule(
        kind=SecretKind.TOKEN,
        hints=("bearer",),
        pattern=re.compile(r"\b(?i:bearer)\s{1,4}(?P<secret>[A-Za-z0-9._~+/=-]{16,}+)"),
        measure=measure_random_looking,
    ),
    SecretRule(
        kind=SecretKind.TOKEN,
        hints=("authorization",),
        pattern=re.compile(
            r"(?i:authorization)[\"']?\s{0,4}[:=]\s{0,4}[\"']?"
            r"(?i:basic|token|digest|apikey)\s{1,4}(?P<secret>[A-Za-z0-9._~+/=:-]{8,}+)"
        ),
    ),
)
