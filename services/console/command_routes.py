"""Start-up check: every command that people give has the routes that its properties promise."""

from collections.abc import Sequence

from fastapi import APIRouter
from fastapi.routing import APIRoute

from palimpsest.events.command_registry import PEOPLES_COMMANDS, require_surfaces


def check_command_routes(routers: Sequence[APIRouter]) -> None:
    """Refuse routers that leave out a command.

    Raises:
        CommandIncomplete: names the command and the route that no router has.
    """
    served = {
        f"{method} {route.path}"
        for router in routers
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    require_surfaces(
        "the console",
        [
            f"the route {surface.route} of {command.__name__}"
            for command in PEOPLES_COMMANDS
            for surface in command.PROPERTIES.surfaces
            if surface.route not in served
        ],
    )
