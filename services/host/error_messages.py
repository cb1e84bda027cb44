"""Explains errors that people can do something about."""

import re

from pydantic import ValidationError
from pydantic_settings import SettingsError

from palimpsest.model.errors import PalimpsestError
from palimpsest_server.delivery.error_classification import describe_error, is_transient
from palimpsest_server.runtime.settings import Settings

_PREFIX = str(Settings.model_config["env_prefix"])


def explain_error(error: Exception) -> str | None:
    """Explain an error in the settings, a file or a server; None if it is a bug of ours.

    The text never repeats values of settings, because some are secret.
    """
    if isinstance(error, PalimpsestError):
        return str(error)
    if isinstance(error, ValidationError):
        return _wrong_settings(error) if error.title == Settings.__name__ else None
    if isinstance(error, SettingsError):
        return _not_json(error)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if is_transient(error):
        return f"a server is away ({describe_error(error)}); `palimpsest doctor` says which"
    return None


def _not_json(error: SettingsError) -> str:
    named = re.search(r'field "(\w+)"', str(error))
    return (
        f"{_PREFIX}{named[1].upper()}: must be JSON, in quotes for the shell"
        if named
        else str(error)
    )


def _wrong_settings(error: ValidationError) -> str:
    return "; ".join(
        f"{_PREFIX}{'.'.join(map(str, each['loc'])).upper()}: {each['msg']}"
        for each in error.errors(include_input=False, include_context=False, include_url=False)
    )
