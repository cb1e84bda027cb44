"""Views as the browser shows them."""

from playwright.sync_api import Page

from services.page.view_table import View


def show_view(page: Page, url: str, view: View) -> None:
    """Open a view, and return once it is there."""
    response = page.goto(url + view.path)
    assert response is not None
    assert response.status == 200, view.name
    page.wait_for_selector("main h1")
