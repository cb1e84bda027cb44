// Messages at the foot of the page. They stay while somebody points at them or has the focus in them.
const SECONDS = 8;
const UNDO_SECONDS = 15;

export function showToast(text, { tone = "done", undo } = {}) {
  const place = document.getElementById("toasts");
  const toast = document.createElement("div");
  toast.className = tone === "problem" ? "toast problem" : "toast";
  toast.append(Object.assign(document.createElement("span"), { textContent: text }));
  if (undo) toast.append(undoButton(toast, undo));
  place.append(toast);
  // Above an open dialog, which hides whatever is not in the top layer.
  if (place.showPopover) {
    place.popover = "manual";
    if (place.matches(":popover-open")) place.hidePopover();
    place.showPopover();
  }
  let waiting;
  const wait = () => { waiting = setTimeout(() => toast.remove(), (undo ? UNDO_SECONDS : SECONDS) * 1000); };
  const stay = () => clearTimeout(waiting);
  for (const kind of ["pointerenter", "focusin"]) toast.addEventListener(kind, stay);
  for (const kind of ["pointerleave", "focusout"]) toast.addEventListener(kind, () => { stay(); wait(); });
  wait();
}

function undoButton(toast, changeSetId) {
  const button = Object.assign(document.createElement("button"), { className: "button", textContent: document.body.dataset.wordUndo });
  button.addEventListener("click", () => {
    toast.remove();
    document.dispatchEvent(new CustomEvent("undo", { detail: changeSetId }));
  });
  return button;
}

export function followToasts() {
  document.addEventListener("undo", async (event) => {
    const { send } = await import("./fragments.js");
    await send(document.getElementById("toasts"), "/page/undo", { change_set_id: event.detail });
    document.dispatchEvent(new CustomEvent("undone"));
  });
}
