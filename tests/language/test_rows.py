"""Run every row of `rows/` and count those that break."""

import asyncio
from collections.abc import Callable

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.turn import Role
from palimpsest_language.completion_claims import find_completion_claim, find_completion_claims
from palimpsest_language.message_spans.chat_logs import list_speakers
from palimpsest_language.message_spans.mark_spans import mark_spans
from palimpsest_language.message_spans.span import own_parts
from palimpsest_language.off_the_record.requests import (
    WithholdingTarget,
    asks_not_to_remember,
    extract_recordable_text,
    find_withholding_target,
)
from palimpsest_language.off_the_record.withheld_turns import find_withheld_turn_ids
from palimpsest_language.proposals import Proposal
from palimpsest_language.redaction.redactor import redact
from palimpsest_language.time_expressions.dated_words import NamedDays, write_dates
from palimpsest_language.time_expressions.sentence_times import UtteranceTime
from tests.support.language.rows import FOLDER, Row, read_rows
from tests.support.language.statements.saying import answered, proposed, say
from tests.support.language.time_expressions.finding import find_shown, in_zone, said_in
from tests.support.turns import turn


def run_time_expression(row: Row) -> tuple[object, object]:
    fields = row.fields
    expected = [(fields["words"], fields["meaning"])] if "words" in fields else []
    return find_shown(row.text, fields["zone"]), expected


def run_dated_words(row: Row) -> tuple[object, object]:
    zone = row.fields["zone"]
    names = NamedDays(row.fields.get("names", NamedDays.UNSAID))
    said = UtteranceTime(said_in(zone), zone)
    written = write_dates(row.text, said, names=names)
    again = write_dates(written, said, names=names)
    return (written, again), (row.fields["dated"], written)


def run_statement_times(row: Row) -> tuple[object, object]:
    """Read a message; of each statement is expected: since, until, when, and how it comes back."""
    told = asyncio.run(proposed(row.text))
    return [show_timing(proposal) for proposal in told], row.fields["told"]


def show_timing(proposal: Proposal) -> dict[str, str]:
    """Return the times of a proposal that it has, in Shanghai, by their names."""
    moments = {
        "occurred": proposal.occurred_at,
        "since": proposal.valid_from,
        "until": proposal.valid_until,
    }
    shown = {name: in_zone(at, "Asia/Shanghai") for name, at in moments.items() if at}
    rule = proposal.time.recurrence if proposal.time else None
    return {"kind": proposal.kind.value, **shown, **({"recurrence": rule} if rule else {})}


def run_redaction(row: Row) -> tuple[object, object]:
    return redact(row.text).text, row.fields.get("redacted", row.text)


def run_completion_claims(row: Row) -> tuple[object, object]:
    """Read a sentence of several `parts` by its parts any other as a whole."""
    expected: list[str | None] = row.fields["claims"]
    if row.fields.get("parts"):
        claims = list(find_completion_claims(row.text, message=1))
        quoted = all(claim.evidence.quote == row.text for claim in claims)
        return (quoted, [claim.about for claim in claims]), (True, expected)
    whole = find_completion_claim(row.text, message=1)
    return [claim.about for claim in [whole] if claim], expected


def run_listed_tasks(row: Row) -> tuple[object, object]:
    """Read the messages `before` and the text; todos are expected, and what is said to be over."""
    answer = asyncio.run(answered(*row.fields.get("before", ()), row.text))
    todos = [told.content for told in answer.proposals if told.kind is Kind.ACTION_ITEM]
    over = [claim.about for claim in answer.finished]
    return (todos, over), (row.fields["todos"], row.fields.get("over", []))


def run_off_the_record(row: Row) -> tuple[object, object]:
    left, expected = extract_recordable_text(row.text), row.fields["recordable"]
    if left != row.text:
        left = left.strip()
    return (left, asks_not_to_remember(row.text) or bool(left)), (expected, True)


def run_withholding_request(row: Row) -> tuple[object, object]:
    withholds, whole = row.fields["withholds"], row.text + row.fields.get("then", "")
    target = find_withholding_target(whole)
    if withholds in {"rest", "nothing"}:
        expected = whole if withholds == "nothing" else ""
        return (extract_recordable_text(whole), target), (expected, WithholdingTarget())
    return (target.before, target.after), (withholds == "before", withholds == "after")


def run_corrections(row: Row) -> tuple[object, object]:
    """Read what was said before and the text behind it; what is told of both is expected."""
    told = asyncio.run(proposed(*row.fields["before"], row.text))
    return [proposal.content for proposal in told], row.fields["told"]


def run_kept_statements(row: Row) -> tuple[object, object]:
    """Read `text` behind the messages `before`; of each statement are expected the fields given.

    A string is the content alone.
    """
    messages = [*row.fields.get("before", ()), row.text]
    proposals = [
        proposal
        for proposal in asyncio.run(proposed(*messages))
        if len(messages) in {quote.message for quote in proposal.evidence}
    ]
    expected = [{"content": told} if isinstance(told, str) else told for told in row.fields["told"]]
    fields = [set(told) for told in expected]
    fields += [{"content"}] * (len(proposals) - len(expected))
    found = [
        proposal.model_dump(mode="json", include=names)
        for proposal, names in zip(proposals, fields, strict=False)
    ]
    return found, expected


def run_message_spans(row: Row) -> tuple[object, object]:
    """Read `text` behind the messages `before`; of agents are those that begin with "agent: "."""
    fields = row.fields
    messages = say(*fields.get("before", ()), row.text)
    spans = mark_spans(messages)[-1]
    assert "".join(span.of(row.text) for span in spans) == row.text
    found = {
        "own": [part.strip() for part in own_parts(row.text, spans)],
        "kinds": sorted({span.kind.value for span in spans} - {"own"}),
        "speakers": list_speakers(spans),
    }
    return found, {name: fields.get(name, []) for name in found}


def run_forgetting_requests(row: Row) -> tuple[object, object]:
    """Read `before`, each with an answer, and the request; of those are expected that are withheld."""
    said = [*row.fields["before"], row.text]
    turns = [
        turn(number, role=role, text=text)
        for number, (role, text) in enumerate(
            (
                (role, text)
                for each in said
                for role, text in ((Role.USER, each), (Role.AGENT, "ok"))
            ),
            start=1,
        )
    ]
    withheld = find_withheld_turn_ids(turns)
    gone = [each.text for each in turns[:-2:2] if each.id in withheld]
    return gone, row.fields["gone"]


RUNNERS: dict[str, Callable[[Row], tuple[object, object]]] = {
    "completion_claims": run_completion_claims,
    "corrections": run_corrections,
    "dated_words": run_dated_words,
    "forgetting_requests": run_forgetting_requests,
    "kept_statements": run_kept_statements,
    "listed_tasks": run_listed_tasks,
    "message_spans": run_message_spans,
    "off_the_record": run_off_the_record,
    "redaction": run_redaction,
    "statement_times": run_statement_times,
    "time_expressions": run_time_expression,
    "withholding_requests": run_withholding_request,
}
"""Each answers what is found, and what is expected."""


@pytest.mark.parametrize("name", RUNNERS)
def test_every_row_gives_what_it_says(name: str) -> None:
    rows = read_rows(name)
    broken = [
        f"{row.place} {row.text!r}: found {found!r}, expected {expected!r}"
        for row in rows
        for found, expected in [RUNNERS[name](row)]
        if found != expected
    ]
    assert not broken, "\n".join([f"{len(broken)} of {len(rows)} rows:", *broken])


def test_every_file_of_rows_is_run() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(RUNNERS)
