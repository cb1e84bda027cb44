"""Earlier conversations, and the account of a user that was made of it."""

from datetime import timedelta

from palimpsest.model.profile import build_empty_profile
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.user import Language
from tests.support.services.recall.world import NOW, World

SAID = {
    "en": (
        "I am planning a sailing trip to Norway in June.",
        "The sailing boat needs a new mast before the trip.",
        "My sister Ella comes along on the sailing trip.",
    ),
    "zh": ("我打算六月去挪威航海旅行。", "航海之前帆船要换一根桅杆。", "我妹妹也一起去航海旅行。"),
}


async def talked(world: World, text: str, *, days_ago: int, session: str = "s") -> SessionSummary:
    ended = NOW - timedelta(days=days_ago)
    return await world.summed_up(text, ended=ended, session=session, found=False)


async def narrated(world: World, narrative: str, *, version: int, epoch: int = 0) -> None:
    cold = build_empty_profile("ada", Language.ENGLISH, epoch=epoch, now=NOW)
    fields = {"id": f"{epoch}-{version}", "version": version, "narrative": narrative}
    await world.profiles.write([cold.model_copy(update=fields)])
