"""The graph: search, click through, keyboard; 2,000 nodes come to rest in steps that leave the page awake."""

from playwright.sync_api import Page, expect

from palimpsest.client import SyncPalimpsestClient
from tests.browser.conftest import Visiting
from tests.support.browser import household
from tests.support.browser.chromium import NARROW

LARGE = """async (count) => {
  const { beginLayout, stepLayout, isAtRest, REACH } = await import(
    document.querySelector('script[src*="graph.js"]').src.replace("graph.js", "graph_layout.js"));
  const nodes = Array.from({ length: count }, (_, id) => ({ id }));
  const edges = nodes.slice(1).map((node) => ({ source: node.id, target: Math.floor(node.id / 7) }));
  let layout = beginLayout(nodes, edges);
  const began = Array.from(layout.x);
  let steps = 0;
  let longest = 0;
  while (!isAtRest(layout) && steps < 1000) {
    const from = performance.now();
    layout = stepLayout(layout);
    longest = Math.max(longest, performance.now() - from);
    steps += 1;
  }
  const places = [...layout.x, ...layout.y];
  return { steps, longest, finite: places.every(Number.isFinite), widest: Math.max(...places.map(Math.abs)),
    again: began.every((x, node) => x === beginLayout(nodes, edges).x[node]), reach: REACH };
}"""

PURE = """async () => {
  const { fitView, zoomView, findNode, filterNodes, searchNodes } = await import(
    document.querySelector('script[src*="graph.js"]').src.replace("graph.js", "graph_layout.js"));
  const view = fitView([-100, 100], [-50, 50], 480, 280);
  const zoomed = zoomView({ scale: 1, left: 0, top: 0 }, 2, 10, 20);
  const layout = { x: [0, 30], y: [0, 0] };
  const nodes = [
    { node: "memory", at: "2026-03-01T09:00:00Z", words: "tea in the garden" },
    { node: "memory", at: "2026-03-01T09:00:00.250000Z", words: "oslo" },
    { node: "entity", words: "garden" },
  ];
  const links = [[0, 2]];
  return {
    corners: [-100 * view.scale + view.left, 100 * view.scale + view.left],
    kept: [zoomed.left, zoomed.top, zoomed.scale],
    nearest: [findNode(layout, { scale: 1, left: 0, top: 0 }, 28, 0, [true, true]), findNode(layout, { scale: 1, left: 0, top: 0 }, 28, 0, [true, false])],
    shown: filterNodes(nodes, links, Date.parse("2026-03-01T09:00:00Z")),
    none: filterNodes(nodes, links, Date.parse("2026-02-01")),
    found: searchNodes(nodes, [1, 0, 1], "garden", [true, true, true]),
  };
}"""


def open_graph(page: Page, url: str) -> Page:
    page.goto(f"{url}/page/graph")
    expect(page.locator("#graph-stage")).to_have_attribute("data-state", "still")
    return page


def test_a_node_is_searched_opened_and_leads_to_its_memories(visit: Visiting) -> None:
    with visit() as visitor:
        page = open_graph(visitor.sign_in(household.USER), visitor.url)
        first = page.locator("#graph-list button").first
        name = first.locator("span").inner_text()
        page.get_by_label("Search in the graph").fill(name)
        expect(page.locator("#graph-list button").first).to_contain_text(name)
        page.locator("#graph-list button").first.press("Enter")
        expect(page.locator("#graph-detail h3")).to_have_text(name)
        assert page.locator("#graph-detail .graph-node").count() > 0
        page.locator("#graph-detail a.button").click()
        page.wait_for_url("**/page/memories?text=*")


def test_a_memory_opens_its_drawer_from_its_name_and_from_the_canvas(
    visit: Visiting, api: SyncPalimpsestClient, user_id: str
) -> None:
    api.add("I sail a small boat", user_id=user_id, entities=["Oslo"])
    with visit() as visitor:
        page = open_graph(visitor.sign_in(user_id), visitor.url)
        page.locator("#graph-list button[data-kind=memory]").click()
        page.locator("#graph-detail a.button").click()
        drawer = page.get_by_role("dialog")
        expect(drawer).to_contain_text("I sail a small boat")
        page.keyboard.press("Escape")
        expect(drawer).to_have_count(0)
        # A node that was chosen in the list is in the middle.
        page.locator("canvas").click()
        expect(drawer).to_contain_text("I sail a small boat")


def test_the_canvas_is_moved_and_zoomed_by_keyboard(visit: Visiting) -> None:
    with visit(width=NARROW) as visitor:
        page = open_graph(visitor.sign_in(household.USER), visitor.url)
        canvas = page.locator("canvas")
        canvas.focus()
        pictures = [canvas.screenshot()]
        for key in ("ArrowLeft", "+", "0"):
            page.keyboard.press(key)
            pictures.append(canvas.screenshot())
        assert pictures[0] != pictures[1] != pictures[2]


def test_two_thousand_nodes_come_to_rest(visit: Visiting) -> None:
    with visit() as visitor:
        page = open_graph(visitor.sign_in(household.USER), visitor.url)
        laid_out = page.evaluate(LARGE, 2_000)
    assert laid_out["finite"]
    assert laid_out["again"]
    assert laid_out["steps"] < 200
    assert laid_out["widest"] < 2_000 * laid_out["reach"]


def test_places_and_choices_are_computed_from_what_is_given(visit: Visiting) -> None:
    with visit() as visitor:
        page = open_graph(visitor.sign_in(household.USER), visitor.url)
        computed = page.evaluate(PURE)
    assert computed["corners"] == [40, 440]
    assert computed["kept"] == [-10, -20, 2]
    assert computed["nearest"] == [1, -1]
    assert computed["shown"] == [True, False, True]
    assert computed["none"] == [False, False, False]
    assert computed["found"] == [2, 0]


def test_what_an_agent_sees_is_chosen(visit: Visiting) -> None:
    with visit(language="zh") as visitor:
        page = open_graph(visitor.sign_in(household.USER), visitor.url)
        page.get_by_label("查看者").select_option("frontend")
        page.wait_for_url("**agent_id=frontend")
        expect(page.locator("#graph-stage")).to_have_attribute("data-state", "still")
