"""Errors as words for people, where people can do something about them."""

from pydantic import ValidationError

from palimpsest.delivery.failures import is_transient, words_of
from palimpsest.domain.errors import PalimpsestError
from palimpsest.runtime.settings import Settings


def words_for_people(error: Exception) -> str | None:
    """What is wrong with the settings, a file or a server; None where it is a bug of ours.

    Values of settings are never repeated: some are secret.
    """
    if isinstance(error, PalimpsestError):
        return str(error)
    if isinstance(error, ValidationError):
        return _wrong_settings(error) if error.title == Settings.__name__ else None
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if is_transient(error):
        return f"a server is away ({words_of(error)}); `palimpsest doctor` says which"
    return None


def _wrong_settings(error: ValidationError) -> str:
    prefix = Settings.model_config["env_prefix"]
    return "; ".join(
        f"{prefix}{'.'.join(map(str, each['loc'])).upper()}: {each['msg']}"
        for each in error.errors(include_input=False, include_context=False, include_url=False)
    )
