"""A todo that cannot be put off is told why, in the visitor's language."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from palimpsest.client import PalimpsestClient
from services.page.app import PageApplication
from services.page.page_settings import PageSettings
from tests.support.server.desk_application import KEY
from tests.support.services.host.in_process_product import InProcessProduct
from tests.support.services.page_visitor import PageVisitor

pytestmark = pytest.mark.embedded

MONTH = timedelta(days=30)
WORDS = {
    "past": {"en": "This time is already past.", "zh": "这个时间已经过去"},
    "done": {"en": "This is done already", "zh": "这件事已经完成"},
}


@pytest.fixture
async def late(product: InProcessProduct) -> AsyncIterator[PageVisitor]:
    """A visitor of a page whose clock is a month behind."""
    behind = product.clock.now - MONTH
    page = PageApplication(PageSettings(product.url, clock=lambda: behind))
    async with PageVisitor(page) as visiting:
        yield visiting
    await page.close()


async def test_a_todo_is_not_put_off_into_the_past_nor_once_it_is_done(
    product: InProcessProduct, late: PageVisitor
) -> None:
    async with PalimpsestClient(http_url=product.url, api_key=KEY) as client:
        todo = (await client.add_todo("Water the fern", user_id="fay")).todo
        assert todo is not None
        await late.sign_in("fay", key=KEY)
        for said in ("past", "done"):
            for language in ("en", "zh"):
                await late.post("/page/preferences", language=language, back="/page/")
                path = f"/page/todos/{todo.id}/snooze"
                answer = await late.post(path, until="week")
                assert (answer.status_code, WORDS[said][language] in answer.text) == (409, True)
            product.clock.advance(-MONTH)
            await client.complete_todo(todo.id, user_id="fay")
