"""The parent's interface to the child that embeds."""

from collections.abc import Sequence

from palimpsest.events.text_vectors import TextVectors
from palimpsest_server.embedders.child_process import DEFAULT_TIMES, ChildProcess, ChildTimes
from palimpsest_server.embedders.embedder import QueryVectors


class EmbeddingProcess(ChildProcess):
    """One child process for one model. Batches are answered in the order of the requests."""

    def __init__(self, model: str, *, times: ChildTimes = DEFAULT_TIMES) -> None:
        super().__init__(
            "embedding process",
            "palimpsest_server.embedders.embedding_child",
            model,
            environment={"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
            times=times,
        )

    async def embed(self, texts: Sequence[tuple[str, str]]) -> list[TextVectors]:
        """Return the vectors of each text, given as its dense text and its sparse text.

        Raises:
            TransientError: the child is being started again, or hung.
            PermanentError: the model cannot embed these texts.
        """
        return [TextVectors(**vectors) for vectors in await self.ask({"documents": texts})]

    async def embed_questions(self, texts: Sequence[str]) -> list[QueryVectors]:
        """Return the vectors of each question.

        Raises:
            TransientError: the child is being started again, or hung.
            PermanentError: the model cannot embed one of the questions.
        """
        answers = [TextVectors(**vectors) for vectors in await self.ask({"questions": texts})]
        return [
            QueryVectors(dense=answer.dense_values(), sparse=answer.sparse()) for answer in answers
        ]
