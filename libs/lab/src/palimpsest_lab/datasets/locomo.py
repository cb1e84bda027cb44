"""Conversations in the format of LoCoMo: sessions with dates, turns with ids, questions on them."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from palimpsest.model.errors import PermanentError

_SESSION = re.compile(r"session_(\d+)")
_DATE_FORMAT = "%I:%M %p on %d %B, %Y"
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
"""`D1:3`; also `D:1:3`, and several in one string."""


FORMAT_EXAMPLE = (
    '{"sample_id": "ann", "conversation": {"session_1_date_time": "1:56 pm on 8 May, 2026",'
    ' "session_1": [{"dia_id": "D1:1", "speaker": "Ann", "text": "I moved to Oslo."}]}}'
)
"""A conversation of one message, of which a user `ann` comes to be."""


@dataclass(frozen=True, kw_only=True)
class DialogueTurn:
    id: str
    session_id: str
    speaker: str
    text: str
    caption: str | None
    image_url: str | None
    occurred_at: datetime


@dataclass(frozen=True, kw_only=True)
class DialogueQuestion:
    text: str
    category: int
    evidence: tuple[str, ...]
    """The ids of the turns that hold the answer; may be none."""


@dataclass(frozen=True, kw_only=True)
class DialogueObservation:
    """One statement on a speaker, as the conversation's author summed it up."""

    speaker: str
    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LocomoDialogue:
    """One conversation over many sessions, which becomes one user."""

    id: str
    turns: tuple[DialogueTurn, ...]
    questions: tuple[DialogueQuestion, ...]
    observations: tuple[DialogueObservation, ...] = ()


class UnreadableData(PermanentError):
    """A file that is not in the format it was said to be in."""

    reason = "unreadable_data"


def read_locomo_dialogues(path: Path, limit: int | None = None) -> list[LocomoDialogue]:
    """The first `limit` conversations of a file, which holds one or a list of them.

    Raises:
        UnreadableData: the file is not JSON of this format.
    """
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableData(f"{path} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UnreadableData(f"{path.name} cannot be read as JSON: {error}") from error
    samples = loaded if isinstance(loaded, list) else [loaded]
    if not samples:
        raise UnreadableData(f"{path.name} holds no conversation")
    return [_read(path, sample, number) for number, sample in enumerate(samples[:limit], start=1)]


def _read(path: Path, sample: Any, number: int) -> LocomoDialogue:
    try:
        return parse_dialogue(sample, number)
    except KeyError as error:
        wrong = f"there is no {error.args[0]!r} where one belongs"
    except (TypeError, ValueError, AttributeError) as error:
        wrong = str(error)
    raise UnreadableData(
        f"{path.name} is not in the format of LoCoMo: in conversation {number}, {wrong}."
        f" The least of one is {FORMAT_EXAMPLE}"
    )


def parse_dialogue(sample: Mapping[str, Any], number: int) -> LocomoDialogue:
    conversation = sample["conversation"]
    return LocomoDialogue(
        id=str(sample.get("sample_id") or f"dialogue-{number}"),
        turns=tuple(_turns(conversation)),
        questions=tuple(_question(asked) for asked in sample.get("qa", ())),
        observations=tuple(_observations(sample.get("observation") or {})),
    )


def parse_evidence_ids(raw: Sequence[str] | str | None) -> tuple[str, ...]:
    """Every id in there, in order, each once; what is none is left out."""
    written = [raw] if isinstance(raw, str) else list(raw or ())
    found = (
        f"D{int(session)}:{int(turn)}"
        for text in written
        for session, turn in _EVIDENCE.findall(str(text))
    )
    return tuple(dict.fromkeys(found))


def parse_session_start(written: str) -> datetime:
    """`1:56 pm on 8 May, 2023`, taken as UTC.

    Raises:
        ValueError: it is not written like that.
    """
    return datetime.strptime(written.strip(), _DATE_FORMAT).replace(tzinfo=UTC)


def _question(asked: Mapping[str, Any]) -> DialogueQuestion:
    return DialogueQuestion(
        text=str(asked["question"]),
        category=int(asked["category"]),
        evidence=parse_evidence_ids(asked.get("evidence")),
    )


def _observations(sessions: Mapping[str, Any]) -> Iterator[DialogueObservation]:
    for speakers in sessions.values():
        for speaker, observed in speakers.items():
            for text, evidence in observed:
                yield DialogueObservation(
                    speaker=speaker, text=text, evidence=parse_evidence_ids(evidence)
                )


def _turns(conversation: Mapping[str, Any]) -> Iterator[DialogueTurn]:
    numbers = sorted(
        int(match[1]) for name in conversation if (match := _SESSION.fullmatch(name)) is not None
    )
    for number in numbers:
        session_id = f"session_{number}"
        starts = parse_session_start(conversation[f"{session_id}_date_time"])
        for position, turn in enumerate(conversation[session_id]):
            yield _turn(turn, session_id, starts + timedelta(seconds=position))


def _turn(turn: Mapping[str, Any], session_id: str, occurred_at: datetime) -> DialogueTurn:
    urls = turn.get("img_url")
    return DialogueTurn(
        id=str(turn["dia_id"]),
        session_id=session_id,
        speaker=str(turn["speaker"]),
        text=str(turn["text"]),
        caption=turn.get("blip_caption") or turn.get("query"),
        image_url=urls[0] if isinstance(urls, list) and urls else urls or None,
        occurred_at=occurred_at,
    )
