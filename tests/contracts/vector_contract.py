"""What every vector store promises, run against each of them."""

from palimpsest_server.stores.vectors import ReplaceableVectorStore, VectorQuery
from tests.contracts.vector_searching_contract import SearchingContract
from tests.contracts.vector_writing_contract import WritingContract
from tests.support.server.stores.points import ALICE, BOB, NORTH, identity, ids, point


class VectorStoreContract(SearchingContract, WritingContract):
    """Subclasses give a `store` fixture: opened, empty, of `MODEL`."""

    async def test_a_replacement_is_seen_only_after_the_switch_and_as_a_whole(
        self, store: ReplaceableVectorStore
    ) -> None:
        query = VectorQuery(scopes=(ALICE, BOB), dense=NORTH)
        await store.upsert([point("old"), point("only bob's", BOB)])

        replacement = await store.begin_replacement()
        await replacement.upsert([point("new"), point("old", version=4)])
        assert set(ids(await store.search(query))) == {identity("old"), identity("only bob's")}
        await replacement.switch()
        await store.close()
        await store.open()

        assert set(ids(await store.search(query))) == {identity("old"), identity("new")}
        assert await store.versions({identity("old"): ALICE}) == {identity("old"): 4}

    async def test_a_replacement_that_is_given_up_leaves_no_trace(
        self, store: ReplaceableVectorStore
    ) -> None:
        await store.upsert([point("old")])
        replacement = await store.begin_replacement()
        await replacement.upsert([point("new")])
        await replacement.discard()

        again = await store.begin_replacement()
        await again.upsert([point("newer")])
        await again.switch()
        await store.close()
        await store.open()

        hits = await store.search(VectorQuery(scopes=(ALICE,), dense=NORTH))
        assert ids(hits) == [identity("newer")]
