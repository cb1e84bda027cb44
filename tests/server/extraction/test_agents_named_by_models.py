"""A model names the agent that a point concerns, by what the agent is called."""

from palimpsest.model.clock import Clock
from palimpsest.model.turn import Role
from palimpsest_server.models.vendors import Vendor
from tests.support.models.model_server import ModelServer, answers
from tests.support.server.extraction.modelled import found, only, understood
from tests.support.windows import said, window

HELPER = said("好的。", role=Role.AGENT, agent_id="assistant-1", speaker="小助手")


async def test_a_model_names_the_agent_that_a_point_concerns(
    server: ModelServer, clock: Clock
) -> None:
    words = "Keep it short from now on."
    answer = found("The user wants short answers.", words, seen=None)
    answer["memories"][0] |= {"kind": "preference", "agent": "小助手"}
    answer["memories"][0]["evidence"] = [{"n": 2, "quote": words}]
    server.script.append(answers(answer))
    proposed = await understood(server, Vendor.OPENAI, clock, window(HELPER, words), sees=False)
    assert only(proposed).scope.agent_id == "assistant-1"
    assert '"小助手"' in server.asked[0].last
