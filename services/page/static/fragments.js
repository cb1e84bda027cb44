// Parts of the page that the server renders anew.
//
// An answer is HTML. Each of its outer elements replaces the element of the same id; with data-append-to
// it is added at the end of that element, with data-prepend-to at its beginning; with data-remove the
// element of its id goes. A dialog is opened. <template data-toast> is shown as a toast.
// An answer may come in parts, with a mark after each: they are applied one after the other.
//
//   <a data-fragment href>                   gets a fragment
//   <form data-fragment method="post">       sends a form and gets a fragment
//   <form data-live-form>                    asks anew while somebody types, and keeps the address
//   <a data-fragment data-auto>              is followed once it comes into sight
import { markLatest } from "./marks.js";
import { showToast } from "./toasts.js";

const TYPING_PAUSE_MS = 150;
const PART_END = "<!--part-->"; // of an answer that comes in parts
const policy = window.trustedTypes?.createPolicy("page", { createHTML: (html) => html });
const asking = new Map(); // the request under way for each element that asks

export function csrfToken() {
  return document.querySelector('meta[name="csrf-token"]').content;
}

/** Parse HTML of our server. It is the only place at which HTML enters the document. */
function parse(html) {
  const holder = document.createElement("template");
  holder.innerHTML = policy ? policy.createHTML(html) : html;
  return holder.content;
}

export function applyFragment(html) {
  const focused = document.activeElement?.id;
  const arrived = [];
  for (const element of [...parse(html).children]) {
    if (element.matches("template[data-toast]")) {
      showToast(element.content.textContent.trim(), { tone: element.dataset.toast, undo: element.dataset.undo });
      continue;
    }
    const present = element.id ? document.getElementById(element.id) : null;
    if ("remove" in element.dataset) {
      if (present instanceof HTMLDialogElement) present.close();
      present?.remove();
    } else if (element.dataset.appendTo) {
      document.getElementById(element.dataset.appendTo)?.append(element);
    } else if (element.dataset.prependTo) {
      present?.remove();
      document.getElementById(element.dataset.prependTo)?.prepend(element);
    } else if (present) {
      const wasOpen = present instanceof HTMLDialogElement && present.open;
      if (wasOpen) element.dataset.scroll = present.scrollTop;
      present.replaceWith(element);
    } else if (element instanceof HTMLDialogElement) {
      document.getElementById("drawer-place").append(element);
    } else {
      continue;
    }
    if (element instanceof HTMLDialogElement) openDialog(element);
    arrived.push(element);
  }
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus({ preventScroll: true });
  for (const element of arrived) watchAuto(element);
  markLatest("fragment-shown");
  document.dispatchEvent(new CustomEvent("fragment", { detail: arrived }));
}

function openDialog(dialog) {
  const opener = document.activeElement;
  dialog.showModal();
  dialog.scrollTop = Number(dialog.dataset.scroll ?? 0);
  dialog.querySelector("[data-focus]")?.focus({ preventScroll: true });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (opener?.isConnected) opener.focus({ preventScroll: true });
  });
  // A click on the backdrop closes; one that began inside, as when text is selected, does not.
  dialog.addEventListener("mousedown", (event) => { dialog.dataset.pressed = String(event.target === dialog && isOutside(dialog, event)); });
  dialog.addEventListener("click", (event) => {
    if (dialog.dataset.pressed === "true" && event.target === dialog && isOutside(dialog, event)) dialog.close();
  });
}

function isOutside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

/** Read an answer part by part, as it comes: most are one part. */
async function readParts(response, take) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const parts = (rest + read.value).split(PART_END);
    rest = parts.pop();
    for (const part of parts) take(part);
  }
  if (rest) take(rest);
}

/** Ask for a fragment and apply it; a later request of the same element takes the place of this one. */
export async function ask(element, url, options = {}) {
  asking.get(element)?.abort();
  const request = new AbortController();
  asking.set(element, request);
  const busy = document.querySelector(element.dataset.busy ?? null) ?? element;
  busy.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(url, {
      ...options,
      signal: request.signal,
      headers: { "x-fragment": "1", ...options.headers },
    });
    if (response.status === 401) return location.assign("/page/sign-in");
    if (response.headers.get("content-type")?.startsWith("text/html")) await readParts(response, applyFragment);
    else showToast(document.body.dataset.wordUnreachable, { tone: "problem" });
    return response;
  } catch (error) {
    if (error.name !== "AbortError") showToast(document.body.dataset.wordUnreachable, { tone: "problem" });
  } finally {
    if (asking.get(element) === request) {
      asking.delete(element);
      busy.removeAttribute("aria-busy");
    }
  }
}

export function send(element, url, fields) {
  return ask(element, url, { method: "POST", headers: { "x-csrf-token": csrfToken() }, body: new URLSearchParams(fields) });
}

function submit(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter));
  const url = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  if (form.method === "post") return send(form, url, fields);
  return ask(form, `${url}?${fields}`);
}

function submitLive(form) {
  const fields = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
  const address = `${form.dataset.liveForm || form.getAttribute("action")}${fields.size ? `?${fields}` : ""}`;
  history.replaceState(null, "", `${location.pathname}${fields.size ? `?${fields}` : ""}`);
  return ask(form, address);
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    ask(target, target.href);
  }
}, { rootMargin: "600px" });

function watchAuto(root) {
  if (root.matches("[data-auto]")) seen.observe(root);
  for (const element of root.querySelectorAll("[data-auto]")) seen.observe(element);
}

export function followFragments() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-fragment]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ask(link, link.getAttribute("href")); // of links in SVG too, whose `href` is no text
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if ("liveForm" in form.dataset) {
      event.preventDefault();
      submitLive(form);
    } else if ("fragment" in form.dataset) {
      event.preventDefault();
      submit(form, event.submitter);
    }
  });
  let typing;
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      const form = event.target.form;
      if (!form || !("liveForm" in form.dataset)) return;
      clearTimeout(typing);
      typing = setTimeout(() => submitLive(form), kind === "input" ? TYPING_PAUSE_MS : 0);
    });
  }
  // What was typed before this script came, or was put back by the browser, counts as well.
  for (const form of document.querySelectorAll("form[data-live-form]")) {
    if ([...form.elements].some(({ value, defaultValue }) => defaultValue !== undefined && value !== defaultValue)) submitLive(form);
  }
  watchAuto(document.body);
}
