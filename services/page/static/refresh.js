// Parts that follow changes made elsewhere: <div id data-refresh="URL" data-refresh-on="memory todo">
// is asked for anew once a change of these records was told, many changes at once.
import { ask } from "./fragments.js";

const PAUSE_MS = 250;
let waiting = 0;
let records = new Set();

function refresh() {
  const changed = records;
  records = new Set();
  for (const part of document.querySelectorAll("[data-refresh]")) {
    const hears = part.dataset.refreshOn.split(" ").some((record) => changed.has(record));
    if (hears && !part.contains(document.querySelector(":focus-visible:is(input, textarea, select)"))) ask(part, part.dataset.refresh);
  }
}

function note(...changed) {
  for (const record of changed) records.add(record);
  clearTimeout(waiting);
  waiting = setTimeout(refresh, PAUSE_MS);
}

export function followRefreshes() {
  document.addEventListener("change", (event) => { if (event instanceof CustomEvent) note(event.detail.record); });
  document.addEventListener("changes-missed", () => note("memory", "todo", "profile", "summary"));
}
