"""Every setting of a user can be changed on the page, and has its words in both languages."""

import pytest

from palimpsest.model.user import Language, UserSettings
from services.page.setting_fields import (
    BEYOND_USERS,
    SETTING_FIELDS,
    SETTING_GROUPS,
    SettingControl,
    SettingField,
)
from services.page.translations import load_words


def test_every_setting_is_in_a_group() -> None:
    assert set(SETTING_FIELDS) == set(UserSettings.model_fields) - BEYOND_USERS


@pytest.mark.parametrize("language", Language)
def test_every_setting_and_choice_has_words(language: Language) -> None:
    words = load_words(language)
    named = {f"settings.group_{group}" for group, _ in SETTING_GROUPS}
    for field in SETTING_FIELDS.values():
        named |= {f"settings.{field.name}", f"settings.{field.name}_hint"}
        begins = "topic" if field.control is SettingControl.SEVERAL else field.name
        named |= {f"settings.{begins}_{choice or 'unset'}" for choice in field.choices}
    assert named - set(words) == set()


@pytest.mark.parametrize(
    ("control", "values", "value"),
    [
        (SettingControl.SWITCH, ["on"], True),
        (SettingControl.SWITCH, [], False),
        (SettingControl.CHOICE, ["key"], "key"),
        (SettingControl.CHOICE, [""], None),
        (SettingControl.SEVERAL, ["health", "law"], ("health", "law")),
        (SettingControl.SEVERAL, [], ()),
        (SettingControl.TIME_ZONE, ["Asia/Shanghai"], "Asia/Shanghai"),
        (SettingControl.HOURS, ["22:00", "07:00:00"], {"begins": "22:00", "ends": "07:00"}),
        (SettingControl.HOURS, ["", ""], None),
        (SettingControl.HOURS, ["22:00", ""], {"begins": "22:00", "ends": ""}),
    ],
)
def test_a_form_is_read_as_its_control_means_it(
    control: SettingControl, values: list[str], value: object
) -> None:
    assert SettingField("any", control).parse(values) == value
