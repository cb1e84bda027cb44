"""What a grant opens: kinds of keys, against whose memories are asked for."""

import pytest

from palimpsest.model.errors import PermissionMissing, RecordNotFound
from palimpsest.model.permissions import EVERY_PERMISSION, KeyKind, Permission
from palimpsest_server.domain.access.grant import Grant

READ = frozenset({Permission.READ})
SERVICE = Grant(holder="s", permissions=READ)
ANN = Grant(holder="u", permissions=READ, user_id="ann")
CODER = Grant(holder="a", permissions=READ, user_id="ann", agent_id="coder")

GONE, FORBIDDEN, OPEN = RecordNotFound, PermissionMissing, None

SCOPES = [
    (SERVICE, "ann", None, OPEN),
    (SERVICE, "ben", "coder", OPEN),
    (ANN, "ann", None, OPEN),
    (ANN, "ann", "coder", OPEN),
    (ANN, "ben", None, GONE),
    (ANN, "ben", "coder", GONE),
    (ANN, "Ann", None, GONE),
    (ANN, None, None, FORBIDDEN),
    (CODER, "ann", "coder", OPEN),
    (CODER, "ann", "cook", GONE),
    (CODER, "ann", "", GONE),
    (CODER, "ann", None, FORBIDDEN),
    (CODER, "ben", "coder", GONE),
    (CODER, "ben", None, GONE),
    (CODER, None, "coder", FORBIDDEN),
]


@pytest.mark.parametrize(("grant", "user_id", "agent_id", "error"), SCOPES)
def test_a_scope_is_open_to_whose_it_is(
    grant: Grant, user_id: str | None, agent_id: str | None, error: type[Exception] | None
) -> None:
    if error is None:
        grant.require(Permission.READ, user_id=user_id, agent_id=agent_id)
    else:
        with pytest.raises(error):
            grant.require(Permission.READ, user_id=user_id, agent_id=agent_id)


@pytest.mark.parametrize(
    ("grant", "user_id", "error"),
    [
        (SERVICE, "ben", OPEN),
        (SERVICE, None, OPEN),
        (ANN, "ann", OPEN),
        (ANN, "ben", GONE),
        (ANN, None, FORBIDDEN),
        (CODER, "ann", FORBIDDEN),
        (CODER, "ben", GONE),
    ],
)
def test_all_of_a_user_is_open_to_them_and_not_to_one_agent(
    grant: Grant, user_id: str | None, error: type[Exception] | None
) -> None:
    if error is None:
        grant.require_user(Permission.READ, user_id)
    else:
        with pytest.raises(error):
            grant.require_user(Permission.READ, user_id)


def test_what_concerns_nobody_alone_is_open_to_service_keys() -> None:
    SERVICE.require_deployment(Permission.READ)
    for grant in (ANN, CODER):
        with pytest.raises(PermissionMissing):
            grant.require_deployment(Permission.READ)


@pytest.mark.parametrize("grant", [SERVICE, ANN, CODER])
@pytest.mark.parametrize("asked", sorted(EVERY_PERMISSION - READ))
def test_no_permission_includes_another(grant: Grant, asked: Permission) -> None:
    user_id, agent_id = grant.user_id or "ann", grant.agent_id
    with pytest.raises(PermissionMissing, match=f"`{asked}`"):
        grant.require(asked, user_id=user_id, agent_id=agent_id)
    grant.require(None, user_id=user_id, agent_id=agent_id)


def test_another_user_is_not_told_that_only_a_permission_is_missing() -> None:
    with pytest.raises(RecordNotFound):
        ANN.require(Permission.ERASE, user_id="ben", agent_id=None)


def test_a_narrowed_grant_never_allows_more() -> None:
    narrow = SERVICE.narrow(EVERY_PERMISSION, user_id="ann", agent_id="coder")
    assert narrow.permissions == READ
    assert [grant.kind for grant in (SERVICE, ANN, narrow)] == [*KeyKind]
