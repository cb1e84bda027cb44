"""The weights of the default ranking: the built-in ones, or those adopted for this deployment."""

from pathlib import Path

from pydantic import ValidationError

from palimpsest.model.errors import PermanentError
from palimpsest_server.domain.ranking.ranking_policy import DIALOGUE, RankingPolicy
from palimpsest_server.runtime.settings import Settings

FILE = "ranking-policy.json"


def get_ranking_policy_path(settings: Settings) -> Path:
    return settings.ranking_policy_file or settings.data_directory / FILE


def load_ranking_policy(settings: Settings) -> RankingPolicy:
    """Load the ranking weights of this deployment.

    Raises:
        PermanentError: the file cannot be read, or the named file does not exist.
    """
    file = get_ranking_policy_path(settings)
    if settings.ranking_policy_file is None and not file.exists():
        return DIALOGUE
    try:
        return RankingPolicy.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        raise PermanentError(f"{file} holds no ranking policy: {type(error).__name__}") from error


def save_ranking_policy(policy: RankingPolicy, settings: Settings) -> Path:
    """Write the weights in one step; they take effect at the next start.

    Raises:
        PermanentError: the file cannot be written.
    """
    file = get_ranking_policy_path(settings)
    beside = file.with_name(f"{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(policy.model_dump_json(indent=2) + "\n")
        beside.replace(file)
    except OSError as error:
        raise PermanentError(f"{file} cannot be written: {error.strerror}") from error
    return file
