"""Language and theme of a visitor, remembered by their browser."""

from starlette.responses import Response

from palimpsest.model.user import Language
from services.page.cookies import set_preference
from services.page.page_routes import PageRoute
from services.page.visit import THEMES, Visit

_CHOICES = {"language": tuple(language.value for language in Language), "theme": THEMES}


async def set_preferences(visit: Visit) -> Response:
    """Remember what was chosen, and go back to where it was chosen."""
    response = visit.redirect(choose_way_back(visit.form.get("back")))
    for name, choices in _CHOICES.items():
        chosen = visit.form.get(name)
        if chosen in choices:
            set_preference(visit.request, response, name, str(chosen))
    return response


def choose_way_back(path: str | None) -> str:
    """Return the path if it leads to this page, and its first view otherwise."""
    return path if path is not None and path.startswith("/page/") else "/page/"


ROUTES = (PageRoute("/preferences", set_preferences, "POST", is_open=True),)
