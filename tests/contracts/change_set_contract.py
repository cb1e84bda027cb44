"""The promises of every store of change sets."""

from dataclasses import replace

from palimpsest.model.change_set import ChangeSetProgress, MemoryChange, SettingsChange
from palimpsest.model.user import UserSettings
from palimpsest_server.stores.change_sets import ChangeSetHead, ChangeSetStore, DecidedChangeSet
from tests.support.server.domain.consolidation.samples import day
from tests.support.server.stores.memories import changed, memory
from tests.support.stores.decided_change_sets import decided


class ChangeSetStoreContract:
    async def test_a_users_line_is_read_in_pages_from_its_end(self, store: ChangeSetStore) -> None:
        line = [decided("alice", revision) for revision in range(1, 6)]
        await store.append([*line, decided("bob", 1)])
        pages = [await store.page("alice", limit=2, before=before) for before in (None, 4, 2)]
        assert [[change_set.revision for change_set in page] for page in pages] == [
            [5, 4],
            [3, 2],
            [1],
        ]
        assert await store.page("nobody", limit=2, before=None) == []

    async def test_a_users_line_is_read_on_from_a_revision(self, store: ChangeSetStore) -> None:
        await store.append([*(decided("alice", each) for each in range(1, 6)), decided("bob", 1)])
        read = await store.later("alice", revision=2, limit=2)
        assert [change_set.revision for change_set in read] == [3, 4]
        assert await store.later("alice", revision=5, limit=2) == []

    async def test_what_a_session_caused_is_its_users_alone_and_read_from_the_end(
        self, store: ChangeSetStore
    ) -> None:
        def caused(user_id: str, revision: int, session_id: str | None) -> DecidedChangeSet:
            plain = decided(user_id, revision)
            cause = plain.change_set.cause.model_copy(update={"session_id": session_id})
            return replace(plain, change_set=plain.change_set.model_copy(update={"cause": cause}))

        sessions = ["s1", "s2", None, "s1", "s1"]
        await store.append(
            [caused("alice", at, session) for at, session in enumerate(sessions, start=1)]
        )
        await store.append([caused("bob", 1, "s1")])
        pages = [
            await store.of_session("alice", "s1", limit=2, before=before) for before in (None, 4)
        ]
        assert [[change_set.revision for change_set in page] for page in pages] == [[5, 4], [1]]
        assert await store.of_session("nobody", "s1", limit=2) == []

    async def test_what_all_users_changed_since_a_moment_is_read_in_the_order_of_decision(
        self, store: ChangeSetStore
    ) -> None:
        await store.append(
            [
                decided("bob", 1, decided_at=day(3)),
                decided("alice", 1, decided_at=day(1)),
                decided("alice", 2, decided_at=day(3)),
                decided("alice", 3, decided_at=day(4)),
            ]
        )
        read = [
            (change_set.user_id, change_set.revision)
            async for change_set in store.decided_since(day(2))
        ]
        assert read == [("alice", 2), ("bob", 1), ("alice", 3)]
        marks = [mark async for mark in store.marks_since(day(2))]
        assert [mark.decided_at for mark in marks] == [day(3), day(3), day(4)]
        assert {mark.progress for mark in marks} == {ChangeSetProgress.DECIDED}

    async def test_when_a_memory_was_last_changed_is_known_of_its_user_alone(
        self, store: ChangeSetStore
    ) -> None:
        tea, milk = memory("tea"), memory("milk")
        await store.append(
            [
                decided("alice", 1, changes=(MemoryChange(after=tea), MemoryChange(after=milk))),
                decided("alice", 2, changes=(changed(tea),), decided_at=day(7)),
                decided("bob", 1, changes=(changed(tea),), decided_at=day(9)),
            ]
        )
        wanted = [tea.id, milk.id, "unknown"]
        last = await store.last_changed("alice", wanted)
        assert last == {tea.id: day(7), milk.id: day(1)}

    async def test_what_was_decided_is_read_as_it_was(self, store: ChangeSetStore) -> None:
        before = memory()
        settings = UserSettings(time_zone="Asia/Shanghai")
        decided_change_set = decided(
            "alice",
            1,
            changes=(
                changed(before, importance=0.2),
                SettingsChange(before=UserSettings(), after=settings),
            ),
        )
        assert await store.append([decided_change_set]) == set()
        assert await store.read([decided_change_set.change_set.id, "unknown"]) == [
            decided_change_set
        ]
        assert await store.by_ids([decided_change_set.change_set.id]) == [
            decided_change_set.change_set
        ]

    async def test_only_what_was_decided_is_known(self, store: ChangeSetStore) -> None:
        decided_change_set = decided("alice", 1)
        await store.append([decided_change_set])
        assert await store.known([decided_change_set.change_set.id, "unknown"]) == {
            decided_change_set.change_set.id
        }

    async def test_a_revision_is_written_once_and_later_ones_with_it_refused(
        self, store: ChangeSetStore
    ) -> None:
        await store.append([decided("alice", 1, "first")])
        mine = [decided("alice", revision, f"zombie {revision}") for revision in (1, 2)]
        bobs = [decided("bob", revision) for revision in (1, 2)]
        refused = await store.append([mine[0], bobs[0], mine[1], bobs[1]])
        assert refused == {decided_change_set.change_set.id for decided_change_set in mine}
        heads = await store.heads(["alice", "bob"])
        assert (heads["alice"].revision, heads["bob"].revision) == (1, 2)

    async def test_what_came_before_the_refused_one_stands(self, store: ChangeSetStore) -> None:
        await store.append([decided("alice", 2, "other")])
        mine = [decided("alice", revision) for revision in (1, 2, 3)]
        refused = await store.append(mine)
        assert refused == {decided_change_set.change_set.id for decided_change_set in mine[1:]}
        assert (await store.heads(["alice"]))["alice"].revision == 2

    async def test_an_event_is_decided_once(self, store: ChangeSetStore) -> None:
        await store.append([decided("alice", 1, "e")])
        again = decided("alice", 2, "e")
        assert await store.append([again]) == {again.change_set.id}

    async def test_nobody_has_a_line_at_first(self, store: ChangeSetStore) -> None:
        assert await store.heads(["alice"]) == {"alice": ChangeSetHead()}
        assert await store.unfinished(10) == []

    async def test_a_head_names_what_is_unfinished_in_order(self, store: ChangeSetStore) -> None:
        line = [decided("alice", revision) for revision in (1, 2, 3)]
        ids = [decided_change_set.change_set.id for decided_change_set in line]
        await store.append(line)
        await store.mark([ids[0]], ChangeSetProgress.ANNOUNCED)
        await store.mark([ids[1]], ChangeSetProgress.APPLIED)
        head = (await store.heads(["alice"]))["alice"]
        assert head.revision == 3
        assert list(head.unfinished.items()) == [
            (ids[1], ChangeSetProgress.APPLIED),
            (ids[2], ChangeSetProgress.DECIDED),
        ]
        assert [change_set.id for change_set in await store.unfinished(10)] == ids[1:]
        assert len(await store.unfinished(1)) == 1
        (waiting,) = await store.unfinished(1, progress=[ChangeSetProgress.DECIDED])
        assert waiting.id == ids[2]

    async def test_marks_only_go_on(self, store: ChangeSetStore) -> None:
        decided_change_set = decided("alice", 1)
        await store.append([decided_change_set])
        await store.mark([decided_change_set.change_set.id], ChangeSetProgress.ANNOUNCED)
        await store.mark([decided_change_set.change_set.id], ChangeSetProgress.APPLIED)
        (read,) = await store.by_ids([decided_change_set.change_set.id])
        assert read.progress is ChangeSetProgress.ANNOUNCED
        assert (await store.heads(["alice"]))["alice"].unfinished == {}

    async def test_vectors_are_kept_until_they_are_projected(self, store: ChangeSetStore) -> None:
        decided_change_set = decided("alice", 1, changes=(MemoryChange(after=memory()),))
        await store.append([decided_change_set])
        await store.mark([decided_change_set.change_set.id], ChangeSetProgress.APPLIED)
        assert (await store.read([decided_change_set.change_set.id]))[
            0
        ].vectors == decided_change_set.vectors
        await store.mark([decided_change_set.change_set.id], ChangeSetProgress.PROJECTED)
        assert (await store.read([decided_change_set.change_set.id]))[0].vectors == {}

    async def test_a_checkpoint_moves_nobodys_head(self, store: ChangeSetStore) -> None:
        line = [decided("alice", revision) for revision in (1, 2, 3)]
        await store.append(line)
        await store.mark(
            [decided_change_set.change_set.id for decided_change_set in line[:2]],
            ChangeSetProgress.ANNOUNCED,
        )
        await store.checkpoint({"alice": 2})
        await store.checkpoint({"alice": 1})
        head = (await store.heads(["alice"]))["alice"]
        assert (head.revision, list(head.unfinished)) == (3, [line[2].change_set.id])

    async def test_histories_of_several_memories_are_those_of_each(
        self, store: ChangeSetStore
    ) -> None:
        tea, milk = memory("tea"), memory("milk")
        both = (MemoryChange(after=tea), MemoryChange(after=milk))
        await store.append(
            [
                decided("alice", 1, changes=both),
                decided("alice", 2, changes=(changed(tea),)),
                decided("bob", 1, changes=(changed(tea),)),
            ]
        )
        found = await store.histories("alice", [tea.id, milk.id, "unknown"])
        assert {
            memory_id: [change_set.revision for change_set in history]
            for memory_id, history in found.items()
        } == {tea.id: [1, 2], milk.id: [1], "unknown": []}
        first, second = found[tea.id]
        assert first.changes == (MemoryChange(after=tea),)
        assert second == (await store.history("alice", tea.id))[1]
        assert await store.first_revisions("alice") == {tea.id: 1, milk.id: 1}
        assert await store.first_revisions("nobody") == {}

    async def test_the_history_of_a_memory_is_its_users_alone(self, store: ChangeSetStore) -> None:
        first = memory()
        change = changed(first, importance=0.3)
        line = [
            decided("alice", 1, changes=(MemoryChange(after=first),)),
            decided("alice", 2, changes=(MemoryChange(after=memory("I like coffee")),)),
            decided("alice", 3, changes=(change,)),
        ]
        await store.append(line)
        history = await store.history("alice", first.id)
        assert [change_set.revision for change_set in history] == [1, 3]
        assert await store.history("bob", first.id) == []
