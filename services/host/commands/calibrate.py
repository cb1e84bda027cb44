"""`palimpsest calibrate`."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer

from palimpsest.bench.pairs import OWN_PAIRS, measured, read_pairs
from palimpsest.domain.compression.calibrating import Calibration, calibrated
from palimpsest.domain.compression.thresholds import threshold_of
from palimpsest.runtime.models import embedder_of
from palimpsest.runtime.settings import Settings
from services.host.options import AsJson, quiet_settings


def calibrate(
    *,
    data: Annotated[
        Path | None,
        typer.Option(help="More labelled pairs, as JSON lines with `one`, `other` and `same`."),
    ] = None,
    embedder: Annotated[str | None, typer.Option(help="Another than the settings name.")] = None,
    as_json: AsJson = False,
) -> None:
    """From which similarity on two memories are one, for the embedding model in use.

    Measured on labelled pairs and printed, with the setting by which it counts.
    """
    settings = quiet_settings()
    if embedder is not None:
        settings = settings.model_copy(update={"embedder": embedder})
    model, found = asyncio.run(_calibrate(settings, data))
    if as_json:
        typer.echo(json.dumps({"model": model, **found.model_dump()}, indent=2))
        return
    typer.echo(
        f"{model}: memories are one from a cosine of {found.threshold:g} on, where no word speaks"
        f" against it.\nOf {found.pairs} pairs {found.merged_rightly:.0%} of those that say the"
        f" same would be merged, and {found.merged_wrongly} of those that do not; the nearest of"
        f" these that words do not tell apart has {found.highest_different:g}.\n"
        + _how_it_counts(model, found.threshold, settings)
    )


async def _calibrate(settings: Settings, data: Path | None) -> tuple[str, Calibration]:
    pairs = [*read_pairs(OWN_PAIRS), *(read_pairs(data) if data else ())]
    model = embedder_of(settings)
    await model.start()
    try:
        return model.model.slug, calibrated(await measured(pairs, model))
    finally:
        await model.stop()


def _how_it_counts(model: str, threshold: float, settings: Settings) -> str:
    if threshold_of(model, settings.similarity_thresholds) == threshold:
        return "So it stands already: there is nothing to set."
    thresholds = json.dumps({**settings.similarity_thresholds, model: threshold})
    return (
        "Nothing counts by it yet: start the services with"
        f" PALIMPSEST_SIMILARITY_THRESHOLDS='{thresholds}'"
    )
