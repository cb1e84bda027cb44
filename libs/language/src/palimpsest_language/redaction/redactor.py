"""Redact secrets and personal numbers from texts before anything else happens.

A rule finds stretches of a text; the stretches are then replaced by
`[redacted:kind]`. Every pattern is linear: repeats are possessive or bounded,
and a repeat that is not bounded cannot begin inside its own match.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from palimpsest_language.redaction.bank_accounts import find_bank_accounts
from palimpsest_language.redaction.email_addresses import find_email_addresses
from palimpsest_language.redaction.full_width import convert_to_half_width
from palimpsest_language.redaction.national_ids import find_national_ids
from palimpsest_language.redaction.passwords import PASSWORD_RULES
from palimpsest_language.redaction.payment_cards import find_card_numbers
from palimpsest_language.redaction.phone_numbers import find_phone_numbers
from palimpsest_language.redaction.pin_codes import CODE_RULES
from palimpsest_language.redaction.policy import DEFAULT_POLICY, PrivacyPolicy, SecretKind
from palimpsest_language.redaction.seed_phrases import find_seed_phrases
from palimpsest_language.redaction.spoken_secrets import find_spoken_secrets
from palimpsest_language.redaction.token_shapes import TOKEN_RULES
from palimpsest_language.redaction.unlisted_keys import find_unlisted_keys
from palimpsest_language.redaction.vendor_patterns import find_vendor_keys
from palimpsest_language.redaction.webhooks import WEBHOOK_RULES

_RULES = (*TOKEN_RULES, *WEBHOOK_RULES, *PASSWORD_RULES, *CODE_RULES)
_SEARCHES: Mapping[SecretKind, Callable[[str], Iterable[tuple[int, int]]]] = {
    SecretKind.NATIONAL_ID: find_national_ids,
    SecretKind.SECRET: find_unlisted_keys,
    SecretKind.CARD: find_card_numbers,
    SecretKind.BANK_ACCOUNT: find_bank_accounts,
    SecretKind.SEED_PHRASE: find_seed_phrases,
    SecretKind.PHONE: find_phone_numbers,
    SecretKind.EMAIL: find_email_addresses,
}
"""Searches for kinds that a pattern alone cannot tell; of equal stretches the first wins."""
_HINTS = tuple(sorted({hint for rule in _RULES for hint in rule.hints}))
_SHORTEST = 6
"""The least characters of a secret with the words around it, such as 密码是abc."""
_MARK = re.compile(r"\[redacted:([a-z_]+)\]")


@dataclass(frozen=True)
class RedactedSpan:
    """A redacted stretch of the original text, in characters, end exclusive."""

    kind: SecretKind
    start: int
    end: int


@dataclass(frozen=True)
class RedactionResult:
    text: str
    findings: tuple[RedactedSpan, ...]
    """The findings, in order, without overlaps."""

    def moved(self, position: int) -> int:
        """Return the new place of a position of the original text; in a finding, its mark's."""
        shift = 0
        for finding in self.findings:
            mark = len(_mark(finding.kind))
            if position >= finding.end:
                shift += mark - (finding.end - finding.start)
            elif position > finding.start:
                return finding.start + shift + mark
            else:
                break
        return position + shift


def redact(text: str, policy: PrivacyPolicy = DEFAULT_POLICY) -> RedactionResult:
    """Return the text without secrets of the policy. Redacting it again changes nothing."""
    findings = sorted(_findings(text, policy), key=lambda finding: finding.start)
    if not findings:
        return RedactionResult(text, ())
    pieces: list[str] = []
    position = 0
    for finding in findings:
        pieces += [text[position : finding.start], _mark(finding.kind)]
        position = finding.end
    pieces.append(text[position:])
    return RedactionResult("".join(pieces), tuple(findings))


def find_redacted_kinds(text: str) -> frozenset[SecretKind]:
    """The kinds whose marks stand in a text: what was taken out of it."""
    known = {kind.value for kind in SecretKind}
    return frozenset(SecretKind(kind) for kind in _MARK.findall(text) if kind in known)


def _findings(text: str, policy: PrivacyPolicy) -> Iterator[RedactedSpan]:
    """Find secrets between marks, and again in the text that is left between findings.

    Every remaining stretch has thus been searched by itself. A second redaction sees the same
    stretches, and so finds nothing more.
    """
    stretches = list(_outside(0, len(text), [match.span() for match in _MARK.finditer(text)]))
    while stretches:
        start, end = stretches.pop()
        if end - start < _SHORTEST:
            continue
        spans = [
            RedactedSpan(finding.kind, start + finding.start, start + finding.end)
            for finding in _merged(_secrets(text[start:end], policy))
        ]
        yield from spans
        if spans:
            stretches += _outside(start, end, [(span.start, span.end) for span in spans])


def _outside(
    start: int, end: int, stretches: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the non-empty parts outside of these stretches."""
    for hole_start, hole_end in stretches:
        if start < hole_start:
            yield start, hole_start
        start = hole_end
    if start < end:
        yield start, end


def _secrets(text: str, policy: PrivacyPolicy) -> Iterator[RedactedSpan]:
    text = convert_to_half_width(text)
    lowered = text.lower()
    hints = {hint for hint in _HINTS if hint in lowered}
    for rule in _RULES:
        if rule.kind in policy.redacted and not hints.isdisjoint(rule.hints):
            for start, end in rule.stretches(text):
                yield RedactedSpan(rule.kind, start, end)
    for find in (find_vendor_keys, find_spoken_secrets):
        for kind, start, end in find(text):
            if kind in policy.redacted:
                yield RedactedSpan(kind, start, end)
    for kind, search in _SEARCHES.items():
        if kind in policy.redacted:
            for start, end in search(text):
                yield RedactedSpan(kind, start, end)


def _merged(findings: Iterable[RedactedSpan]) -> Iterator[RedactedSpan]:
    """Yield findings in order; overlapping ones are merged, with the kind of the first."""
    standing: RedactedSpan | None = None
    for finding in sorted(findings, key=lambda finding: (finding.start, -finding.end)):
        if standing is None or finding.start >= standing.end:
            if standing is not None:
                yield standing
            standing = finding
        elif finding.end > standing.end:
            standing = RedactedSpan(standing.kind, standing.start, finding.end)
    if standing is not None:
        yield standing


def _mark(kind: SecretKind) -> str:
    return f"[redacted:{kind}]"
