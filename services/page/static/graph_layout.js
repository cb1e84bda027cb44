// A bounded force layout: pure steps over plain arrays, so that it can be tested and paused.
//
// Nodes push each other away within a radius (found by a grid, so that 2,000 of them are cheap), links pull,
// and all are drawn to the middle. The heat falls with every step; at rest nothing is computed.
export const REACH = 90;
export const LINK_LENGTH = 45;
export const REST = 0.02;
const COOLING = 0.975;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Place nodes on a spiral, those with most links in the middle: the same graph always begins alike. */
export function beginLayout(nodes, edges) {
  const place = new Map(nodes.map((node, index) => [node.id, index]));
  const links = edges
    .filter((edge) => place.has(edge.source) && place.has(edge.target))
    .map((edge) => [place.get(edge.source), place.get(edge.target)]);
  const degree = new Uint16Array(nodes.length);
  for (const [a, b] of links) { degree[a] += 1; degree[b] += 1; }
  const order = [...nodes.keys()].sort((a, b) => degree[b] - degree[a]);
  const x = new Float64Array(nodes.length);
  const y = new Float64Array(nodes.length);
  order.forEach((index, rank) => {
    const radius = 22 * Math.sqrt(rank + 0.5);
    x[index] = radius * Math.cos(rank * GOLDEN_ANGLE);
    y[index] = radius * Math.sin(rank * GOLDEN_ANGLE);
  });
  return { x, y, links, degree, heat: 1 };
}

export function isAtRest(layout) {
  return layout.heat < REST;
}

/** Return the layout one step later. */
export function stepLayout({ x, y, links, degree, heat }) {
  const count = x.length;
  const moveX = new Float64Array(count);
  const moveY = new Float64Array(count);
  pushApart(x, y, moveX, moveY);
  for (const [a, b] of links) {
    const dx = x[b] - x[a];
    const dy = y[b] - y[a];
    const distance = Math.hypot(dx, dy) || 1;
    const pull = 0.12 * (distance - LINK_LENGTH) / distance;
    const shareA = 1 / Math.sqrt(Math.max(1, degree[a]));
    const shareB = 1 / Math.sqrt(Math.max(1, degree[b]));
    moveX[a] += dx * pull * shareA;
    moveY[a] += dy * pull * shareA;
    moveX[b] -= dx * pull * shareB;
    moveY[b] -= dy * pull * shareB;
  }
  const most = 20 * heat;
  const nextX = new Float64Array(count);
  const nextY = new Float64Array(count);
  for (let node = 0; node < count; node += 1) {
    const dx = (moveX[node] - 0.012 * x[node]) * heat;
    const dy = (moveY[node] - 0.012 * y[node]) * heat;
    const length = Math.hypot(dx, dy);
    const share = length > most ? most / length : 1;
    nextX[node] = x[node] + dx * share;
    nextY[node] = y[node] + dy * share;
  }
  return { x: nextX, y: nextY, links, degree, heat: heat * COOLING };
}

function pushApart(x, y, moveX, moveY) {
  const cells = new Map();
  const key = (column, row) => column * 65536 + row;
  for (let node = 0; node < x.length; node += 1) {
    const cell = key(Math.floor(x[node] / REACH), Math.floor(y[node] / REACH));
    if (cells.has(cell)) cells.get(cell).push(node);
    else cells.set(cell, [node]);
  }
  for (let node = 0; node < x.length; node += 1) {
    const column = Math.floor(x[node] / REACH);
    const row = Math.floor(y[node] / REACH);
    for (let dc = -1; dc <= 1; dc += 1) {
      for (let dr = -1; dr <= 1; dr += 1) {
        for (const other of cells.get(key(column + dc, row + dr)) ?? []) {
          if (other <= node) continue;
          const dx = x[other] - x[node] || 0.01 * (other - node);
          const dy = y[other] - y[node];
          const distance = Math.hypot(dx, dy);
          if (distance >= REACH) continue;
          const push = 6 * (1 - distance / REACH) / Math.max(distance, 1);
          moveX[node] -= dx * push;
          moveY[node] -= dy * push;
          moveX[other] += dx * push;
          moveY[other] += dy * push;
        }
      }
    }
  }
}

/** Return the transform that shows all of these places in a window. */
export function fitView(x, y, width, height, margin = 40) {
  if (!x.length) return { scale: 1, left: width / 2, top: height / 2 };
  let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let node = 0; node < x.length; node += 1) {
    minX = Math.min(minX, x[node]);
    maxX = Math.max(maxX, x[node]);
    minY = Math.min(minY, y[node]);
    maxY = Math.max(maxY, y[node]);
  }
  const scale = Math.min(2, (width - 2 * margin) / Math.max(1, maxX - minX), (height - 2 * margin) / Math.max(1, maxY - minY));
  return { scale, left: width / 2 - scale * (minX + maxX) / 2, top: height / 2 - scale * (minY + maxY) / 2 };
}

/** Zoom by a factor around a point of the window, which stays where it is. */
export function zoomView(view, factor, px, py) {
  const scale = Math.min(8, Math.max(0.05, view.scale * factor));
  const ratio = scale / view.scale;
  return { scale, left: px - (px - view.left) * ratio, top: py - (py - view.top) * ratio };
}

/** Return the index of the nearest node that is shown within reach of a point of the window; -1 for none. */
export function findNode(layout, view, px, py, shown, reach = 14) {
  let nearest = -1;
  let best = reach;
  for (let node = 0; node < layout.x.length; node += 1) {
    if (!shown[node]) continue;
    const distance = Math.hypot(layout.x[node] * view.scale + view.left - px, layout.y[node] * view.scale + view.top - py);
    if (distance < best) [nearest, best] = [node, distance];
  }
  return nearest;
}

/**
 * Return which nodes are shown: memories until a moment (milliseconds since 1970, or null for all), and entities
 * that such memories name.
 */
export function filterNodes(nodes, links, until) {
  const shown = nodes.map((node) => node.node === "memory" && (until === null || Date.parse(node.at) <= until));
  for (const [a, b] of links) {
    if (nodes[a].node === "entity" && nodes[b].node === "memory" && shown[b]) shown[a] = true;
    if (nodes[b].node === "entity" && nodes[a].node === "memory" && shown[a]) shown[b] = true;
  }
  return shown;
}

/** Return the indexes of the nodes whose words hold these, entities with most links first. */
export function searchNodes(nodes, degree, words, shown) {
  const wanted = words.trim().toLocaleLowerCase();
  return [...nodes.keys()]
    .filter((node) => shown[node] && (!wanted || nodes[node].words.includes(wanted)))
    .sort((a, b) => (nodes[a].node === nodes[b].node ? degree[b] - degree[a] : nodes[a].node === "entity" ? -1 : 1));
}
