// The graph on a canvas, with the same nodes as a list beside it for the keyboard and for screen readers.
import { ask } from "./fragments.js";
import { beginLayout, filterNodes, findNode, fitView, isAtRest, searchNodes, stepLayout, zoomView } from "./graph_layout.js";

const FRAME_MS = 8; // of computing in each frame
const MOST_LISTED = 150;
document.querySelector("[data-submit]")?.addEventListener("change", (event) => event.target.form.submit());
const stage = document.getElementById("graph-stage");
if (stage) start(stage);

async function start(stage) {
  const response = await fetch(stage.dataset.source, { headers: { "x-fragment": "1" } });
  if (response.status === 401) return location.assign("/page/sign-in");
  const graph = await response.json();
  for (const node of graph.nodes) node.words = [node.label, ...(node.aliases ?? [])].join("\n").toLocaleLowerCase();
  new GraphView(stage, graph);
}

class GraphView {
  constructor(stage, { nodes, edges }) {
    this.stage = stage;
    this.nodes = nodes;
    this.canvas = stage.querySelector("canvas");
    this.list = document.getElementById("graph-list");
    this.detail = document.getElementById("graph-detail");
    this.search = document.getElementById("graph-search");
    this.until = document.getElementById("graph-until");
    this.layout = beginLayout(nodes, edges);
    this.neighbours = nodes.map(() => []);
    for (const [a, b] of this.layout.links) { this.neighbours[a].push(b); this.neighbours[b].push(a); }
    this.moments = [...new Set(nodes.filter((node) => node.at).map((node) => Date.parse(node.at)))].sort((a, b) => a - b);
    this.selected = -1;
    this.isFitted = true;
    if (this.until) this.until.max = Math.max(0, this.moments.length - 1);
    if (this.until) this.until.value = this.until.max;
    this.readColours();
    this.resize();
    this.filter();
    this.listen();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.settle();
    else this.run();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    // Colours of two themes are resolved by the browser, where they are used.
    const probe = document.createElement("span");
    this.stage.append(probe);
    const colour = (name) => {
      probe.className = `probe-${name}`;
      return getComputedStyle(probe).color;
    };
    this.colours = {
      entity: colour("entity"), memory: colour("memory"), former: colour("former"), edge: colour("edge"),
      text: colour("text"), ground: colour("ground"), accent: colour("accent"),
    };
    this.font = `13px ${style.getPropertyValue("--font")}`;
    probe.remove();
  }

  resize() {
    const box = this.canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    this.width = box.width;
    this.height = box.height;
    this.canvas.width = Math.round(box.width * ratio);
    this.canvas.height = Math.round(box.height * ratio);
    this.context = this.canvas.getContext("2d");
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (this.isFitted || !this.view) this.view = fitView(this.layout.x, this.layout.y, this.width, this.height);
  }

  listen() {
    new ResizeObserver(() => { this.resize(); this.draw(); }).observe(this.canvas);
    this.search.addEventListener("input", () => this.filter());
    this.until?.addEventListener("input", () => this.filter());
    this.stage.querySelector("[data-zoom=in]").addEventListener("click", () => this.zoom(1.4));
    this.stage.querySelector("[data-zoom=out]").addEventListener("click", () => this.zoom(1 / 1.4));
    this.stage.querySelector("[data-zoom=fit]").addEventListener("click", () => this.fit());
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.002), event.offsetX, event.offsetY);
    }, { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-node]");
      if (button) this.select(Number(button.dataset.node), true);
    });
    this.detail.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-node]");
      if (button) this.select(Number(button.dataset.node), true);
    });
    this.followPointers();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.readColours(); this.draw(); });
  }

  /** One pointer moves the graph, two zoom it, a short press selects. */
  followPointers() {
    const pointers = new Map();
    let moved = 0;
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      moved = 0;
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const [dx, dy] = [event.offsetX - last[0], event.offsetY - last[1]];
      moved += Math.abs(dx) + Math.abs(dy);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      if (other) {
        const before = Math.hypot(last[0] - other[0], last[1] - other[1]);
        const after = Math.hypot(event.offsetX - other[0], event.offsetY - other[1]);
        this.zoom(after / Math.max(1, before), (event.offsetX + other[0]) / 2, (event.offsetY + other[1]) / 2);
      } else {
        this.pan(dx, dy);
      }
    });
    const end = (event) => {
      pointers.delete(event.pointerId);
      if (event.type === "pointerup" && moved < 6) {
        const index = findNode(this.layout, this.view, event.offsetX, event.offsetY, this.shown);
        this.select(index, false);
        if (this.nodes[index]?.node === "memory") ask(this.stage, this.nodes[index].href); // its drawer
      }
    };
    this.canvas.addEventListener("pointerup", end);
    this.canvas.addEventListener("pointercancel", end);
  }

  press(event) {
    const steps = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
    if (steps[event.key]) this.pan(...steps[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }

  pan(dx, dy) {
    this.isFitted = false;
    this.view = { ...this.view, left: this.view.left + dx, top: this.view.top + dy };
    this.draw();
  }

  zoom(factor, px = this.width / 2, py = this.height / 2) {
    this.isFitted = false;
    this.view = zoomView(this.view, factor, px, py);
    this.draw();
  }

  fit() {
    this.isFitted = true;
    this.view = fitView(this.layout.x, this.layout.y, this.width, this.height);
    this.draw();
  }

  /** Compute a little in each frame until all is still. */
  run() {
    const frame = () => {
      this.compute();
      this.draw();
      if (!isAtRest(this.layout)) requestAnimationFrame(frame);
      else this.rest();
    };
    requestAnimationFrame(frame);
  }

  /** Compute without showing, for people who want no motion. */
  settle() {
    const part = () => {
      this.compute();
      if (!isAtRest(this.layout)) return setTimeout(part, 0);
      this.draw();
      this.rest();
    };
    part();
  }

  compute() {
    const end = performance.now() + FRAME_MS;
    do this.layout = stepLayout(this.layout); while (!isAtRest(this.layout) && performance.now() < end);
    if (this.isFitted) this.view = fitView(this.layout.x, this.layout.y, this.width, this.height);
  }

  rest() {
    this.stage.dataset.state = "still";
  }

  filter() {
    const moment = this.until && this.moments.length ? this.moments[Number(this.until.value)] : null;
    const isLatest = !this.until || this.until.value === this.until.max;
    this.shown = filterNodes(this.nodes, this.layout.links, isLatest ? null : moment);
    const written = document.getElementById("graph-until-written");
    if (written && moment) written.textContent = new Date(moment).toLocaleDateString(document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang, { dateStyle: "medium" });
    this.found = searchNodes(this.nodes, this.layout.degree, this.search.value, this.shown);
    this.marked = this.search.value.trim() ? new Set(this.found) : null;
    this.writeList();
    this.draw();
  }

  writeList() {
    const items = this.found.slice(0, MOST_LISTED).map((node) => this.nodeItem(node));
    this.list.replaceChildren(...items);
    const count = document.getElementById("graph-count");
    count.textContent = count.dataset.words.replace("{count}", this.found.length);
  }

  nodeItem(index) {
    const node = this.nodes[index];
    const button = Object.assign(document.createElement("button"), { className: "graph-node", type: "button" });
    button.dataset.node = index;
    button.dataset.kind = node.node;
    button.setAttribute("aria-pressed", String(index === this.selected));
    button.append(Object.assign(document.createElement("span"), { textContent: node.label }));
    button.append(Object.assign(document.createElement("small"), { textContent: node.kindName }));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }

  select(index, isToBeShown) {
    this.selected = index;
    for (const button of this.list.querySelectorAll("button")) button.setAttribute("aria-pressed", String(Number(button.dataset.node) === index));
    if (index >= 0 && isToBeShown) {
      this.isFitted = false;
      const scale = Math.max(this.view.scale, 0.8);
      this.view = { scale, left: this.width / 2 - this.layout.x[index] * scale, top: this.height / 2 - this.layout.y[index] * scale };
    }
    this.writeDetail(index);
    this.draw();
  }

  writeDetail(index) {
    this.detail.replaceChildren();
    if (index < 0) return;
    const node = this.nodes[index];
    const title = Object.assign(document.createElement("h3"), { textContent: node.label });
    const kind = Object.assign(document.createElement("p"), { className: "hint", textContent: [node.kindName, ...(node.aliases ?? [])].join(" · ") });
    const near = document.createElement("ul");
    near.className = "graph-list";
    near.append(...[...new Set(this.neighbours[index])].filter((other) => this.shown[other]).slice(0, MOST_LISTED).map((other) => this.nodeItem(other)));
    const link = Object.assign(document.createElement("a"), { className: "button", href: node.href, textContent: this.detail.dataset.wordOpen });
    if (node.node === "memory") link.dataset.fragment = "";
    this.detail.append(title, kind, link, near);
  }

  draw() {
    const { context, layout, view, shown } = this;
    context.clearRect(0, 0, this.width, this.height);
    const near = this.selected >= 0 ? new Set([this.selected, ...this.neighbours[this.selected]]) : this.marked;
    context.lineWidth = 1;
    context.strokeStyle = this.colours.edge;
    for (const isNear of near ? [false, true] : [true]) {
      context.globalAlpha = isNear ? 0.7 : 0.12;
      context.beginPath();
      for (const [a, b] of layout.links) {
        if (!shown[a] || !shown[b] || (near && (near.has(a) && near.has(b)) !== isNear)) continue;
        context.moveTo(layout.x[a] * view.scale + view.left, layout.y[a] * view.scale + view.top);
        context.lineTo(layout.x[b] * view.scale + view.left, layout.y[b] * view.scale + view.top);
      }
      context.stroke();
    }
    for (let node = 0; node < this.nodes.length; node += 1) {
      if (!shown[node]) continue;
      context.globalAlpha = !near || near.has(node) ? 1 : 0.2;
      this.drawNode(node);
    }
    context.globalAlpha = 1;
    this.drawLabels(near);
  }

  radius(node) {
    const size = this.nodes[node].node === "entity" ? 5 + Math.min(9, Math.sqrt(this.layout.degree[node]) * 1.8) : 4;
    return size * Math.min(1.4, Math.max(0.5, this.view.scale));
  }

  drawNode(node) {
    const { context, layout, view } = this;
    const { node: type, former } = this.nodes[node];
    context.fillStyle = former ? this.colours.former : this.colours[type];
    context.beginPath();
    context.arc(layout.x[node] * view.scale + view.left, layout.y[node] * view.scale + view.top, this.radius(node), 0, 2 * Math.PI);
    context.fill();
    if (node === this.selected) {
      context.strokeStyle = this.colours.accent;
      context.lineWidth = 3;
      context.stroke();
    }
  }

  /** Names of what matters most first, none over another. */
  drawLabels(near) {
    const { context, layout, view } = this;
    context.font = this.font;
    context.textAlign = "center";
    context.lineJoin = "round";
    const taken = [];
    const order = [...this.nodes.keys()].filter((node) => this.shown[node] && (this.nodes[node].node === "entity" || near?.has(node)));
    order.sort((a, b) => (b === this.selected) - (a === this.selected) || layout.degree[b] - layout.degree[a]);
    for (const node of order.slice(0, 120)) {
      if (near && !near.has(node)) continue;
      const label = shorten(this.nodes[node].label);
      const x = layout.x[node] * view.scale + view.left;
      const y = layout.y[node] * view.scale + view.top - this.radius(node) - 5;
      const half = context.measureText(label).width / 2 + 3;
      if (x < -half || x > this.width + half || y < 0 || y > this.height) continue;
      if (taken.some(([ox, oy, oh]) => Math.abs(oy - y) < 16 && Math.abs(ox - x) < oh + half)) continue;
      taken.push([x, y, half]);
      context.lineWidth = 3;
      context.strokeStyle = this.colours.ground;
      context.strokeText(label, x, y);
      context.fillStyle = this.colours.text;
      context.fillText(label, x, y);
    }
  }
}

function shorten(label) {
  const letters = [...label];
  return letters.length > 26 ? `${letters.slice(0, 25).join("")}…` : label;
}
