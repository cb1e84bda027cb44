"""Points for tests of vector stores, and scopes that are easily mistaken for one another."""

from collections.abc import Sequence
from uuid import NAMESPACE_URL, uuid5

from palimpsest.api.recall import RecordType
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.vectors import EmbeddingModel, SparseVector
from palimpsest_server.stores.vectors import VectorHit, VectorPoint, VectorState

MODEL = EmbeddingModel(name="tiny", dimension=4)
OTHER_MODEL = EmbeddingModel(name="other", dimension=3)

NORTH = (1.0, 0.0, 0.0, 0.0)
NORTH_EAST = (0.8, 0.6, 0.0, 0.0)
EAST = (0.0, 1.0, 0.0, 0.0)

ALICE = Scope(user_id="alice")
BOB = Scope(user_id="bob")

HOSTILE_SCOPES = (
    Scope(user_id="a_b", agent_id="c"),
    Scope(user_id="a", agent_id="b_c"),
    Scope(user_id="a"),
    Scope(user_id="a", agent_id="none"),
    Scope(user_id="a", agent_id="null"),
    Scope(user_id="a", agent_id="shared"),
    Scope(user_id="a", agent_id="a "),
    Scope(user_id="a", project_id="none"),
    Scope(user_id="a", agent_id="none", project_id="none"),
    Scope(user_id="A"),
    Scope(user_id="a/../b", agent_id="x.y"),
    Scope(user_id="张三", agent_id="助手", project_id="项目 一"),
    Scope(user_id="🦉", agent_id='"quoted" \\ {filter}'),
    Scope(user_id="u" * 200, agent_id="v" * 200, project_id="w" * 200),
)


def words(*pairs: tuple[int, float]) -> SparseVector:
    return SparseVector(
        indices=tuple(index for index, _ in pairs), values=tuple(value for _, value in pairs)
    )


def identity(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, name))


def point(
    name: str,
    scope: Scope = ALICE,
    *,
    version: int = 1,
    dense: Sequence[float] = NORTH,
    sparse: SparseVector | None = None,
    record: RecordType = RecordType.MEMORY,
    status: Status = Status.ACTIVE,
    kind: Kind | None = Kind.FACT,
    session_id: str | None = None,
    sequence: int | None = None,
) -> VectorPoint:
    return VectorPoint(
        id=identity(name),
        record=record,
        scope=scope,
        version=version,
        dense=dense,
        sparse=sparse or words((7, 1.0)),
        status=status,
        kind=kind,
        session_id=session_id,
        sequence=sequence,
    )


def state(name: str, scope: Scope = ALICE, *, version: int, status: Status) -> VectorState:
    return VectorState(
        id=identity(name), scope=scope, version=version, status=status, kind=Kind.FACT
    )


def turn(name: str, scope: Scope = ALICE, *, sequence: int = 1) -> VectorPoint:
    return point(
        name, scope, record=RecordType.TURN, kind=None, session_id="session", sequence=sequence
    )


def ids(hits: Sequence[VectorHit]) -> list[str]:
    return [hit.id for hit in hits]


def only(hits: Sequence[VectorHit]) -> VectorHit:
    assert len(hits) == 1
    return hits[0]
