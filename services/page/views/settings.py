"""Settings with the switches of privacy: each is saved at once, and can be undone."""

from dataclasses import replace
from functools import cache
from zoneinfo import available_timezones

from starlette.exceptions import HTTPException
from starlette.responses import Response

from services.page.page_routes import PageRoute
from services.page.setting_fields import SETTING_FIELDS, SETTING_GROUPS, describe_hours
from services.page.visit import Visit


async def show(visit: Visit) -> Response:
    """Show all settings of the user."""
    settings = await visit.client.settings(visit.session.user_id)
    return visit.render(
        "settings.html",
        groups=SETTING_GROUPS,
        settings=settings,
        time_zones=_list_time_zones(),
        describe_hours=describe_hours,
    )


async def show_group(visit: Visit) -> Response:
    """Show all settings anew, as after an undo."""
    settings = await visit.client.settings(visit.session.user_id)
    return visit.render(
        "settings/groups.html",
        groups=SETTING_GROUPS,
        settings=settings,
        describe_hours=describe_hours,
    )


async def change(visit: Visit) -> Response:
    """Change one setting."""
    field = SETTING_FIELDS.get(visit.path["name"])
    if field is None:
        raise HTTPException(404)
    value = field.parse(visit.form.getlist("value"))
    result = await visit.client.set_settings(visit.session.user_id, **{field.name: value})
    settings = result.settings or await visit.client.settings(visit.session.user_id)
    visit.keep(replace(visit.session, time_zone=settings.time_zone))
    return visit.render(
        "settings/changed.html",
        field=field,
        settings=settings,
        change_set_id=result.change_set_id,
        describe_hours=describe_hours,
    )


@cache
def _list_time_zones() -> tuple[str, ...]:
    return tuple(sorted(name for name in available_timezones() if "/" in name))


ROUTES = (
    PageRoute("/settings", show),
    PageRoute("/settings/groups", show_group),
    PageRoute("/settings/{name}", change, "POST"),
)
