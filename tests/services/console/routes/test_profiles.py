"""What is said of somebody of whom there is no account yet, and in which language."""

from palimpsest.model.profile import Profile
from palimpsest.model.user import Language, UserSettings
from palimpsest_server.stores.sessions import SessionKey, SessionProgress
from palimpsest_server.stores.turns import TurnPlacement
from tests.support.services.console.routes.world import World
from tests.support.turns import MORNING, turn

NOBODY_YET = {
    Language.CHINESE: "新用户，尚无信息",
    Language.ENGLISH: "New user, nothing is known yet",
}


async def profile(world: World, **query: str) -> Profile:
    async with world.http as http:
        answer = await http.get("/v1/profile", params={"user_id": "lin", **query})
    assert answer.status_code == 200, answer.text
    return Profile.model_validate_json(answer.content)


async def said(world: World, *texts: str) -> None:
    """By user lin, with the agent after each."""
    for number, text in enumerate(texts):
        for each in (turn(2 * number + 1, text=text), turn(2 * number + 2)):
            assert await world.turns.place([TurnPlacement(each, accepted=False)], now=MORNING)
    await world.sessions.advance([SessionProgress(key=SessionKey("lin", "s"))])


async def test_a_stranger_is_spoken_of_in_the_language_they_write_in() -> None:
    for language, text in (
        (Language.CHINESE, "我在上海工作，用 TypeScript。"),
        (Language.ENGLISH, "I work in 上海 and write TypeScript."),
    ):
        world = World()
        await said(world, text)
        found = await profile(world)
        assert (found.version, found.language) == (0, language)
        assert found.narrative == NOBODY_YET[language]


async def test_what_a_request_or_its_user_settles_comes_before_what_they_write() -> None:
    world = World()
    await said(world, "我在上海工作。")
    world.writer._settings["lin"] = UserSettings(language=Language.ENGLISH)
    assert (await profile(world)).language is Language.ENGLISH
    assert (await profile(world, language="zh")).language is Language.CHINESE


async def test_of_whom_nothing_was_ever_heard_is_spoken_in_english() -> None:
    assert (await profile(World())).narrative == NOBODY_YET[Language.ENGLISH]
