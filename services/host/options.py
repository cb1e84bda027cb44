"""Options that commands share."""

from typing import Annotated

import typer

from palimpsest_server.runtime.log_configuration import configure_logging
from palimpsest_server.runtime.settings import Settings

JsonOption = Annotated[bool, typer.Option("--json", help="For programs.")]


def load_quiet_settings() -> Settings:
    """Load the settings and log only warnings, because a command's output is its answer."""
    settings = Settings()
    configure_logging(settings.model_copy(update={"log_level": "WARNING"}))
    return settings
