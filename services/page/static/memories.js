// Memories: a bar for what is chosen, and cards that follow changes made elsewhere.
import { ask } from "./fragments.js";

const BURST = 20; // more changes than this at once are shown by loading the list anew
const GATHER_MS = 60;

const list = () => document.getElementById("memory-list");
const chosenForm = document.getElementById("chosen-memories");

function showChosen() {
  const count = document.querySelectorAll('input[name="chosen"]:checked').length;
  chosenForm.hidden = count === 0;
  document.getElementById("chosen-count").textContent = count || "";
}
document.addEventListener("change", (event) => { if (event.target.name === "chosen") showChosen(); });
document.addEventListener("fragment", showChosen);
chosenForm.addEventListener("reset", () => setTimeout(showChosen));
chosenForm.addEventListener("submit", () => setTimeout(() => chosenForm.reset()));

let changed = new Map();
let gathering;

function offerNew() {
  const button = document.getElementById("new-memories");
  button.href = location.href;
  button.hidden = false;
}

/** A card may be put on top only where nobody is about to click on what would move. */
function isFree() {
  return scrollY < 50 && !location.search && !list().matches(":hover") && !list().contains(document.activeElement) && !document.querySelector("dialog[open]");
}

function showChanges() {
  const changes = [...changed.values()];
  changed = new Map();
  if (changes.length > BURST || changes.some(({ id }) => id === null)) return offerNew();
  for (const { id, type, agent_id: agent, project_id: project } of changes) {
    const card = document.getElementById(`memory-${id}`);
    const isNew = !card && (type === "memory.created" || type === "memory.confirmed" || type === "memory.restored");
    if (type === "memory.purged") { card?.remove(); continue; }
    if (!card && !isNew) continue;
    if (isNew && list().querySelector(".empty")) { ask(list(), `/page/memories/list${location.search}`); return; }
    if (isNew && !isFree()) { offerNew(); continue; }
    const place = new URLSearchParams();
    if (agent) place.set("agent_id", agent);
    if (project) place.set("project_id", project);
    if (isNew) place.set("new", "1");
    ask(card ?? document.createElement("i"), `/page/memories/${encodeURIComponent(id)}/card?${place}`);
  }
}

document.addEventListener("change", ({ detail }) => {
  if (detail?.record !== "memory") return;
  changed.set(detail.id, detail);
  clearTimeout(gathering);
  gathering = setTimeout(showChanges, GATHER_MS);
});
document.addEventListener("changes-missed", offerNew);
