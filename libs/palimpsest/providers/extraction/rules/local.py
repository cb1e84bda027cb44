"""The provider that needs no model: rules over single sentences, in Chinese and English."""

import asyncio
from collections.abc import Sequence

from palimpsest.domain.turn import Role
from palimpsest.providers.extraction.messages import ExtractionRequest, Message
from palimpsest.providers.extraction.provider import ExtractionAnswer, Finished, Proposal
from palimpsest.providers.extraction.rules.reading import Speaker, read
from palimpsest.providers.extraction.rules.sentences import sentences
from palimpsest.providers.extraction.timing import SaidWhen
from palimpsest.providers.extraction.todos import finished

SENTENCES_AT_ONCE = 20
"""Read before the event loop may do something else: about 10 ms."""


class LocalRules:
    """Precise rather than greedy: what a rule is not sure of is left to the raw turns."""

    name = "local"

    async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
        people = request.people
        found: list[Proposal] = []
        done: list[Finished] = []
        for message in request.messages:
            if message.fresh:
                await _read_message(message, people, request.time_zone, found, done)
                await asyncio.sleep(0)
        return ExtractionAnswer(proposals=tuple(_once(found)), finished=tuple(done))


async def _read_message(
    message: Message,
    people: frozenset[str],
    time_zone: str,
    found: list[Proposal],
    done: list[Finished],
) -> None:
    name = message.speaker if message.speaker in people else None
    speaker = Speaker(message.role, name)
    said = SaidWhen(message.occurred_at, time_zone)
    for count, sentence in enumerate(sentences(message.text), start=1):
        found += read(sentence, speaker, message=message.number, said=said)
        if message.role is Role.USER and (one := finished(sentence, message=message.number)):
            done.append(one)
        if count % SENTENCES_AT_ONCE == 0:
            await asyncio.sleep(0)


def _once(proposals: Sequence[Proposal]) -> list[Proposal]:
    """What was said several times is proposed once, with all its evidence, where it was last said.

    Between two mentions something else may have been said of the same attribute,
    and the last word counts.
    """
    merged: dict[tuple[str, str | None, str], Proposal] = {}
    for proposal in proposals:
        key = (proposal.kind, proposal.subject, proposal.content.casefold())
        if earlier := merged.pop(key, None):
            evidence = tuple(dict.fromkeys((*earlier.evidence, *proposal.evidence)))
            proposal = proposal.model_copy(update={"evidence": evidence})  # noqa: PLW2901
        merged[key] = proposal
    return list(merged.values())
