"""Sign-in by key: what it opens, what the browser holds of it, and what other pages can do with that."""

import pytest

from services.page.app import PageApplication
from services.page.page_settings import PageSettings
from tests.support.server.desk_application import KEY
from tests.support.services.host.in_process_product import InProcessProduct
from tests.support.services.page_visitor import PageVisitor

pytestmark = pytest.mark.embedded


async def add(product: InProcessProduct, user_id: str, content: str) -> str:
    answer = await product.ask(
        "POST", "/v1/memories", params={"user_id": user_id}, json={"content": content}
    )
    assert answer.status_code == 200
    return str(answer.json()["memory"]["id"])


async def make_token(product: InProcessProduct, user_id: str) -> str:
    request = {"user_id": user_id, "permissions": ["read", "write"]}
    return str((await product.ask("POST", "/v1/tokens", json=request)).json()["token"])


async def test_a_key_opens_the_memories_of_its_user_and_no_others(
    product: InProcessProduct, visitor: PageVisitor
) -> None:
    own = await add(product, "ann", "I feed a heron")
    other = await add(product, "bob", "I feed a magpie")
    key = await make_token(product, "ann")
    refused = await visitor.sign_in("bob", key=key)
    assert refused.status_code == 403
    assert (await visitor.get("/page/memories")).status_code == 303
    assert (await visitor.sign_in("ann", key=key)).status_code == 303
    shown = await visitor.get("/page/memories")
    assert (shown.status_code, "heron" in shown.text, "magpie" in shown.text) == (200, True, False)
    for path in ("/page/memories?user_id=bob", f"/page/memories/list?cursor={other}"):
        assert "magpie" not in (await visitor.get(path)).text
    for memory_id, status in ((other, 404), (own, 200)):
        answer = await visitor.post(f"/page/memories/{memory_id}/act", action="forget")
        assert answer.status_code == status


async def test_the_browser_holds_no_key_and_no_script_reads_its_cookies(
    product: InProcessProduct, visitor: PageVisitor
) -> None:
    response = await visitor.sign_in("ann", key=KEY)
    assert KEY not in str(response.headers)
    assert KEY not in (await visitor.get("/page/memories")).text
    for cookie in response.headers.get_list("set-cookie"):
        assert {"HttpOnly", "SameSite=strict", "Path=/page"} <= set(cookie.split("; "))


async def test_over_https_cookies_are_sent_over_https_alone_and_set_by_this_host_alone(
    product: InProcessProduct,
) -> None:
    page = PageApplication(PageSettings(product.url))
    async with PageVisitor(page, address="https://memories.example") as visitor:
        response = await visitor.sign_in("ann", key=KEY)
        cookies = response.headers.get_list("set-cookie")
        assert cookies
        assert all("Secure" in cookie.split("; ") for cookie in cookies)
        assert cookies[0].startswith("__Host-palimpsest=")
        assert (await visitor.get("/page/memories")).status_code == 200
    await page.close()


async def test_sign_in_gives_a_new_id_so_that_one_that_was_planted_opens_nothing(
    product: InProcessProduct, visitor: PageVisitor
) -> None:
    await visitor.get("/page/sign-in")
    planted = visitor.cookies()
    await visitor.sign_in("ann", key=KEY)
    assert visitor.cookies().keys() == planted.keys()
    assert visitor.cookies() != planted
    visitor.http.cookies.clear()
    visitor.http.cookies.update(planted)
    answer = await visitor.get("/page/memories")
    assert (answer.status_code, answer.headers["location"]) == (303, "/page/sign-in")


async def test_after_sign_out_the_former_cookie_opens_nothing(
    product: InProcessProduct, visitor: PageVisitor
) -> None:
    await visitor.sign_in("ann", key=KEY)
    former = visitor.cookies()
    token = await visitor.token("/page/memories")
    await visitor.http.post("/page/sign-out", data={"csrf_token": token})
    visitor.http.cookies.clear()
    visitor.http.cookies.update(former)
    assert (await visitor.get("/page/memories")).status_code == 303


async def test_a_form_without_the_token_of_its_visitor_changes_nothing(
    product: InProcessProduct, visitor: PageVisitor
) -> None:
    memory_id = await add(product, "ann", "I feed a heron")
    await visitor.sign_in("ann", key=KEY)
    path = f"/page/memories/{memory_id}/act"
    async with PageVisitor(visitor.page) as another:
        foreign = await another.token()
        for data in ({}, {"csrf_token": ""}, {"csrf_token": foreign}):
            assert (await visitor.http.post(path, data=data)).status_code == 403
    assert "heron" in (await visitor.get("/page/memories")).text


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_a_request_that_a_foreign_page_sends_is_refused_whatever_it_shows(
    product: InProcessProduct, visitor: PageVisitor, site: str
) -> None:
    await visitor.sign_in("ann", key=KEY)
    token = await visitor.token("/page/memories")
    headers = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "x-csrf-token": token}
    assert (await visitor.http.post("/page/sign-out", headers=headers)).status_code == 403
    read = {"sec-fetch-site": site, "sec-fetch-mode": "no-cors"}
    assert (await visitor.get("/page/memories/list", headers=read)).status_code == 403
    linked = {"sec-fetch-site": site, "sec-fetch-mode": "navigate"}
    assert (await visitor.get("/page/memories", headers=linked)).status_code == 200


async def test_what_was_remembered_is_text_on_the_page(
    product: InProcessProduct, visitor: PageVisitor
) -> None:
    await add(product, "ann", "<img src=x onerror=alert(1)>")
    await visitor.sign_in("ann", key=KEY)
    shown = (await visitor.get("/page/memories")).text
    assert "<img" not in shown
    assert "&lt;img src=x onerror=alert(1)&gt;" in shown
