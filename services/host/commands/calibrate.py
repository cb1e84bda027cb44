"""`palimpsest calibrate`."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer

from palimpsest_server.domain.compression.merge_calibration import (
    MergeCalibration,
    calibrate_merge_threshold,
)
from palimpsest_server.domain.compression.merge_thresholds import get_merge_threshold
from palimpsest_server.embedders.labelled_pairs import (
    BUNDLED_PAIRS,
    measure_pair_cosines,
    read_labelled_pairs,
)
from palimpsest_server.runtime.configured_models import build_embedder
from palimpsest_server.runtime.settings import Settings
from services.host.options import JsonOption, load_quiet_settings


def calibrate(
    *,
    data: Annotated[
        Path | None,
        typer.Option(help="More labelled pairs, as JSON lines with `one`, `other` and `same`."),
    ] = None,
    embedder: Annotated[str | None, typer.Option(help="Another than the settings name.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure anew from which similarity on two memories are one, for the embedding model in use.

    Measured on labelled pairs and printed, with the setting by which it counts.
    """
    settings = load_quiet_settings()
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


async def _calibrate(settings: Settings, data: Path | None) -> tuple[str, MergeCalibration]:
    pairs = [*read_labelled_pairs(BUNDLED_PAIRS), *(read_labelled_pairs(data) if data else ())]
    model = build_embedder(settings)
    await model.start()
    try:
        return model.model.slug, calibrate_merge_threshold(await measure_pair_cosines(pairs, model))
    finally:
        await model.stop()


def _how_it_counts(model: str, threshold: float, settings: Settings) -> str:
    if get_merge_threshold(model, settings.similarity_thresholds) == threshold:
        return "So it stands already: there is nothing to set."
    thresholds = json.dumps({**settings.similarity_thresholds, model: threshold})
    return (
        "Nothing counts by it yet: start the services with"
        f" PALIMPSEST_SIMILARITY_THRESHOLDS='{thresholds}'"
    )
