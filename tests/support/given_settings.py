"""Settings of a test's own."""

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from palimpsest_server.runtime.settings import Settings


class GivenSettings(Settings):
    """Settings that come from what a test gives: no environment, no files.

    They are built in a seventh of the time, which counts where each test starts services.
    """

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)
