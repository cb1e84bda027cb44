"""Questions that are kept: the answer that is read holds, whatever changed before."""

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest

from palimpsest.client import NotFound, PalimpsestClient
from services.host.exports.write_archive import ArchiveSpool
from services.host.imports.import_archive import import_archive
from services.host.imports.import_report import ImportReport
from services.host.imports.instance_addresses import InstanceAddresses
from tests.support.journeys.running import RunningPalimpsest

pytestmark = pytest.mark.embedded

ASKED = "Where does Gus live?"


async def test_an_answer_follows_what_is_remembered_and_says_when_it_became_another(
    palimpsest: RunningPalimpsest,
) -> None:
    user: dict[str, Any] = {"user_id": "gus"}
    async with PalimpsestClient(http_url=palimpsest.instance.http_url) as client:
        unknown = await client.questions.add(ASKED, **user)
        assert (unknown.answer.text, unknown.answer.sources) == ("", ())
        await client.add("Gus likes chess", **user)
        rome = (await client.add("Gus lives in Rome", subject="Gus", **user)).memory
        assert rome is not None
        known = await client.questions.get(unknown.id, **user)
        assert known.answer.sources[0].id == rome.id
        assert "Gus lives in Rome" in known.answer.text
        assert known.answer.changed_at > unknown.answer.changed_at
        again = await client.questions.get(unknown.id, **user)
        assert again == known

        await client.edit(rome.id, content="Gus lives in Oslo", **user)
        moved = await client.questions.get(unknown.id, **user)
        assert "Oslo" in moved.answer.text
        assert "Rome" not in moved.answer.text
        assert moved.answer.changed_at > known.answer.changed_at
        assert (await client.questions.list(**user)).questions == (moved,)

        await client.purge(rome.id, **user)
        erased = await client.questions.get(unknown.id, **user)
        assert "Oslo" not in erased.answer.text
        await client.questions.delete(unknown.id, **user)
        with pytest.raises(NotFound):
            await client.questions.get(unknown.id, **user)


async def test_another_answer_is_heard_without_asking(palimpsest: RunningPalimpsest) -> None:
    user: dict[str, Any] = {"user_id": "listening gus"}
    async with PalimpsestClient(http_url=palimpsest.instance.http_url) as client:
        kept = await client.questions.add(ASKED, **user)
        async with aclosing(client.questions.watch(kept.id, **user)) as answers:
            assert (await anext(answers)).answer.text == ""
            heard = asyncio.ensure_future(anext(answers))
            await client.add("Gus lives in Rome", **user)
            async with asyncio.timeout(60):
                assert (await heard).answer.text == "Gus lives in Rome"


async def test_a_question_is_seen_where_it_was_kept_and_goes_with_its_user(
    palimpsest: RunningPalimpsest,
) -> None:
    user: dict[str, Any] = {"user_id": "scoped gus"}
    async with PalimpsestClient(http_url=palimpsest.instance.http_url) as client:
        shared = await client.questions.add(ASKED, **user)
        own = await client.questions.add(ASKED, agent_id="cook", **user)
        await client.add("Gus lives in Rome", agent_id="coach", **user)
        seen = await client.questions.list(agent_id="cook", **user)
        assert [question.id for question in seen.questions] == [shared.id, own.id]
        assert {question.answer.text for question in seen.questions} == {""}
        for agent_id in (None, "coach"):
            with pytest.raises(NotFound):
                await client.questions.get(own.id, agent_id=agent_id, **user)
        with pytest.raises(NotFound):
            await client.questions.delete(own.id, user_id="somebody else")
        kept = await client.forget_everything(user["user_id"], dry_run=True)
        assert kept.kept is not None
        assert kept.kept.counts["standing_questions"] == 2
        await client.forget_everything(user["user_id"])
        assert (await client.questions.list(agent_id="cook", **user)).questions == ()


async def test_one_key_keeps_one_question(palimpsest: RunningPalimpsest) -> None:
    path, key = "/v1/questions?user_id=keyed+gus", {"Idempotency-Key": "first"}
    async with httpx.AsyncClient(base_url=palimpsest.instance.http_url, timeout=60) as http:
        answers = [
            await http.post(path, json={"query": query}, headers=key)
            for query in (ASKED, ASKED, "Why?")
        ]
    assert [answer.status_code for answer in answers] == [200, 200, 409]
    assert answers[0].json()["id"] == answers[1].json()["id"]


async def test_questions_leave_with_an_export_and_come_back_with_an_import(
    palimpsest: RunningPalimpsest, tmp_path: Path
) -> None:
    instance = palimpsest.instance
    addresses = InstanceAddresses(
        http_url=instance.http_url, kafka_bootstrap_servers=instance.kafka_bootstrap_servers
    )
    async with PalimpsestClient(http_url=instance.http_url) as client:
        await client.questions.add(ASKED, user_id="leaving gus")
        await client.questions.add(
            "What does Gus like?", user_id="leaving gus", agent_id="cook", limit=3
        )
        await client.add("Gus lives in Rome", user_id="leaving gus")
        with ArchiveSpool(tmp_path / "lines") as spool:
            async for line in client.export("leaving gus"):
                spool.add(line)
            spool.write(tmp_path / "gus.zip")
        reports = [ImportReport(), ImportReport()]
        for report in reports:
            await import_archive(
                addresses,
                tmp_path / "gus.zip",
                "coming gus",
                report,
                started=lambda _: None,
                progress=lambda _: None,
            )
        kept = (await client.questions.list(user_id="coming gus", agent_id="cook")).questions
    assert [(question.query, question.limit) for question in kept] == [
        (ASKED, 10),
        ("What does Gus like?", 3),
    ]
    assert kept[0].answer.text == "Gus lives in Rome"
    assert [report.taken["questions"] for report in reports] == [2, 0]


async def test_a_question_goes_with_its_topic_or_its_project(
    palimpsest: RunningPalimpsest,
) -> None:
    user: dict[str, Any] = {"user_id": "discreet gus"}
    therapy = "On Tuesdays Gus sees a therapist"
    async with PalimpsestClient(http_url=palimpsest.instance.http_url) as client:
        await client.add(therapy, **user)
        await client.add("Gus likes chess", **user)
        await client.add("The heist is at midnight", project_id="heist", **user)
        named = await client.questions.add("Who is my therapist?", **user)
        answered = await client.questions.add("Where is Gus on Tuesdays?", limit=1, **user)
        assert answered.answer.text == therapy
        other = await client.questions.add("What does Gus like?", limit=1, **user)
        in_project = await client.questions.add("When?", project_id="heist", **user)

        shown = await client.forget_topic("therapist", dry_run=True, **user)
        going = {hit.id for hit in shown.topic.found if hit.record == "question"}
        assert going == {named.id, answered.id}
        assert len((await client.questions.list(**user)).questions) == 3
        await client.forget_topic("therapist", **user)
        assert await _list_questions(client, **user) == [other.id]

        kept = await client.delete_project("heist", dry_run=True, **user)
        assert kept.would_go is not None
        assert kept.would_go["standing_questions"] == 1
        await client.delete_project("heist", **user)
        assert await _list_questions(client, project_id="heist", **user) == [other.id]
        with pytest.raises(NotFound):
            await client.questions.get(in_project.id, project_id="heist", **user)
        again = await client.questions.add("When?", project_id="heist", **user)
        assert await _list_questions(client, project_id="heist", **user) == [other.id, again.id]


async def _list_questions(client: PalimpsestClient, **scope: Any) -> list[str]:
    return [question.id for question in (await client.questions.list(**scope)).questions]
