"""Choose the summary of a session that counts when a new one arrives."""

from palimpsest.model.session_summary import CHAT_SERVICE, SessionSummary

LOCAL = "local"


def choose_summary(before: SessionSummary | None, made: SessionSummary) -> SessionSummary:
    """Return the summary that counts after `made` has come; `before` itself if nothing changes.

    A later summary of more messages replaces an earlier one, whoever made it, with these exceptions. A
    placeholder never hides a summary. A summary made by rules never replaces the text of a chat service or of
    a model about the same messages, and always keeps the text of a chat service. If the earlier summary may
    tell what `made` leaves out, nothing of it stays.
    """
    if before is None:
        return made
    if before.failed or _leaves_out_more(made, before):
        return _next(before, made)
    if made.made_by == CHAT_SERVICE:
        return _next(before, _about_the_messages_of(before, made))
    if made.failed or made.through < before.through or _is_poorer(made, before):
        return before
    if _is_by_rules(made) and before.made_by == CHAT_SERVICE:
        return _next(before, _in_the_words_of(before, made))
    return _next(before, made)


def _is_poorer(made: SessionSummary, before: SessionSummary) -> bool:
    """Return whether rules made the new summary, about messages that a model has summarised already."""
    return (
        _is_by_rules(made)
        and not _is_by_rules(before)
        and before.made_by != CHAT_SERVICE
        and made.through == before.through
    )


def _leaves_out_more(made: SessionSummary, before: SessionSummary) -> bool:
    """Return whether the new summary has as many messages, without some that were forgotten or corrected."""
    more = not set(made.left_out).issubset(before.left_out)
    return more and not made.failed and made.through >= before.through


def _is_by_rules(summary: SessionSummary) -> bool:
    return summary.made_by.startswith(LOCAL)


def _in_the_words_of(words: SessionSummary, facts: SessionSummary) -> SessionSummary:
    return facts.model_copy(update={"text": words.text, "made_by": words.made_by})


def _about_the_messages_of(before: SessionSummary, published: SessionSummary) -> SessionSummary:
    """Give a chat service's summary the messages of the earlier one, since it may not tell how many it covers."""
    return published.model_copy(
        update={
            "through": max(before.through, published.through),
            "message_count": max(before.message_count, published.message_count),
            "started_at": min(before.started_at, published.started_at),
            "ended_at": max(before.ended_at, published.ended_at),
            "topics": published.topics or before.topics,
            "user_intent": published.user_intent or before.user_intent,
            "emotional_tone": published.emotional_tone or before.emotional_tone,
            "key_facts": published.key_facts or before.key_facts,
            "unresolved": published.unresolved or before.unresolved,
        }
    )


def _next(before: SessionSummary, made: SessionSummary) -> SessionSummary:
    same = made.model_copy(update={"version": before.version, "made_at": before.made_at})
    if same.model_copy(update={"expires_at": before.expires_at}) == before:
        return before
    return made.model_copy(update={"version": before.version + 1})
