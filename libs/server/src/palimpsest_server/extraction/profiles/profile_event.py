"""Turn a profile into an event that proposes it."""

from datetime import datetime

from palimpsest.events.extractor_answers import ProfileProposed
from palimpsest.events.extractor_requests import ProfileRequested
from palimpsest.model.profile import Profile, profile_id
from palimpsest_server.extraction.profiles.profiler import ProfileAnswer


def propose_profile(
    asked: ProfileRequested, answer: ProfileAnswer, *, provider: str, now: datetime
) -> ProfileProposed:
    """Build the event that follows from an answer; its version follows the one that was shown."""
    epoch, version = asked.epoch or 0, asked.version + 1
    return ProfileProposed(
        event_id=ProfileProposed.derive_id(asked.user_id, asked.question_id),
        occurred_at=asked.occurred_at,
        received_at=asked.received_at,
        epoch=asked.epoch,
        user_id=asked.user_id,
        agent_id=asked.agent_id,
        trace=asked.trace,
        question_id=asked.question_id,
        provider=provider,
        profile=Profile(
            id=profile_id(asked.user_id, epoch, version, asked.agent_id),
            user_id=asked.user_id,
            agent_id=asked.agent_id,
            isolated=asked.isolated,
            version=version,
            narrative=answer.narrative,
            basic_info=asked.basic_info,
            last_summary_id=asked.last_summary_id,
            summaries_through=asked.summaries_through,
            revision=asked.revision,
            language=asked.language,
            made_by=provider,
            made_at=now,
            epoch=epoch,
        ),
    )
