"""Updates a user's settings."""

from palimpsest.events.commands import SetSettings
from palimpsest.model.user import UserSettings

_SETTINGS = tuple(UserSettings.model_fields)


def update_settings(event: SetSettings, before: UserSettings) -> UserSettings:
    """Return the settings after the command."""
    wanted = {name: getattr(event, name, None) for name in _SETTINGS}
    chosen = {name: value for name, value in wanted.items() if value is not None}
    reset = dict.fromkeys(event.reset)
    return UserSettings.model_validate({**before.model_dump(), **chosen, **reset})
