"""Erasing everything of a visitor's user: how much there is, and the user's id typed once more."""

from services.page.erasure_preview import arrange_counts
from services.page.visit import Visit


async def count_everything(visit: Visit) -> tuple[tuple[str, int], ...]:
    """Return how much there is of the user, by names for people; nothing is erased."""
    result = await visit.client.forget_everything(visit.session.user_id, dry_run=True)
    return arrange_counts(result.kept.counts if result.kept else {})


async def erase_if_confirmed(visit: Visit) -> bool:
    """Erase everything and return True, if the id of the user was typed as it is."""
    if visit.form.get("confirm_user_id", "").strip() != visit.session.user_id:
        return False
    await visit.client.forget_everything(visit.session.user_id)
    return True
