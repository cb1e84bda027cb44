"""`palimpsest tune`."""

import asyncio
import json
from typing import Annotated

import typer

from palimpsest_server.domain.ranking.weight_fitting import (
    SCORE_FEATURES,
    WeightFit,
    fit_policy,
    read_weights,
)
from palimpsest_server.runtime.ranking_policy_file import load_ranking_policy
from palimpsest_server.runtime.ranking_policy_file import save_ranking_policy as write_down
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.recall_traces import MongoRankingTraces
from services.host.command_connections import open_command_database, start_database_if_needed
from services.host.options import JsonOption, load_quiet_settings


def tune(
    *,
    from_feedback: Annotated[
        bool, typer.Option("--from-feedback", help="On what was used and found helpful.")
    ] = False,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Write it down where it wins; else only look.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Fit the weights of the default ranking to what was made of its answers.

    Nothing is changed unless `--adopt` is given, and then only where the fitted weights do
    better in recalls that they were not fitted to. They rank from the next start on.
    """
    if not from_feedback:
        raise typer.BadParameter("say what to tune on: give --from-feedback")
    settings = load_quiet_settings()
    stands = load_ranking_policy(settings)
    tuning = asyncio.run(_tuned(settings))
    file = write_down(tuning.policy, settings) if adopt and tuning.adopted else None
    if as_json:
        written = None if file is None else str(file)
        typer.echo(json.dumps({**tuning.model_dump(mode="json"), "written_to": written}, indent=2))
        return
    typer.echo(
        f"{tuning.recalls} recalls tell something. The first result that was used stands at"
        f" {tuning.before:.3f} (mean reciprocal rank) by the weights of {stands.name}, and at"
        f" {tuning.after:.3f} by weights fitted to other recalls (give or take"
        f" {tuning.gain_error:.3f}): {tuning.why}."
    )
    if tuning.adopted:
        typer.echo(_compared(tuning, read_weights(stands)))
        typer.echo(f"Written to {file}; restart to rank by it." if file else "--adopt adopts them.")


def _compared(tuning: WeightFit, stands: tuple[float, ...]) -> str:
    return "\n".join(
        f"  {name:<10} {old:.3f} -> {new:.3f}"
        for name, old, new in zip(SCORE_FEATURES, stands, read_weights(tuning.policy), strict=True)
    )


async def _tuned(settings: Settings) -> WeightFit:
    async with (
        start_database_if_needed(settings) as reached,
        open_command_database(reached) as database,
    ):
        traces = await MongoRankingTraces(database).all()
    # The addresses are those of a running instance; what ranks there is told by the settings.
    return fit_policy(traces, load_ranking_policy(settings))
