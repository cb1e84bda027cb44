"""The profile that a reader is shown: the user layer's, followed by the reading agent's own."""

from palimpsest.model.profile import Profile
from palimpsest.model.user import UserState


def is_profile_visible(profile: Profile, state: UserState) -> bool:
    """Return whether a profile may be shown.

    A profile that mixes layers may not, nor one that may contain content taken back since.
    """
    is_current = profile.epoch >= state.epoch and not state.is_told_anew(profile.revision)
    return profile.isolated and is_current


def join_layers(of_user: Profile | None, of_agent: Profile | None) -> Profile | None:
    """Join the visible profile of the user layer with the reading agent's own; None without any."""
    if of_agent is None or of_agent.says_nothing:
        return of_user
    if of_user is None or of_user.says_nothing:
        return of_agent
    return of_agent.model_copy(
        update={
            "narrative": f"{of_user.narrative}\n\n{of_agent.narrative}",
            "basic_info": {**of_user.basic_info, **of_agent.basic_info},
            "revision": min(of_user.revision, of_agent.revision),
            "made_at": max(of_user.made_at, of_agent.made_at),
        }
    )
