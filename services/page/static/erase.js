// While something is being erased, its progress is asked for again, ever more seldom.
import { ask } from "./fragments.js";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15000;
let wait = FIRST_WAIT_MS;
let waiting;

function follow() {
  clearTimeout(waiting);
  const progress = document.getElementById("erase-progress");
  if (!progress || !("underWay" in progress.dataset)) {
    wait = FIRST_WAIT_MS;
    return;
  }
  waiting = setTimeout(() => {
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    if (document.hidden) follow();
    else ask(progress, "/page/erase/progress");
  }, wait);
}

document.addEventListener("fragment", (event) => {
  const preview = event.detail.find((element) => element.classList.contains("preview-place"));
  preview?.scrollIntoView({ block: "nearest" });
  follow();
});
follow();

// What goes makes lists shorter: their card stays as tall, so that nothing jumps and the result is in sight.
document.addEventListener("submit", (event) => {
  const card = event.target.closest(".erase-ways > .card");
  if (card) card.style.minHeight = `${card.offsetHeight}px`;
});
