// Files go through the browser line by line: an export is counted while it arrives, an import sent in parts.
import { csrfToken } from "./fragments.js";

const PART_CHARACTERS = 200_000; // a request of the page is at most 1 MB, and letters may take several bytes
const MOST_LINES = 200;

/** Yield the lines of a stream of bytes. */
export async function* readLines(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    yield* lines;
  }
  if (rest) yield rest;
}

/** Yield parts of lines that fit a request; a memory and the todo behind it stay together. */
export async function* joinParts(lines) {
  let part = [];
  let size = 0;
  for await (const line of lines) {
    const isTodo = line.startsWith('{"record":"todo"');
    if (part.length && !isTodo && (size + line.length > PART_CHARACTERS || part.length >= MOST_LINES)) {
      yield part.join("\n");
      part = [];
      size = 0;
    }
    part.push(line);
    size += line.length + 1;
  }
  if (part.length) yield part.join("\n");
}

const progress = document.getElementById("export-progress");
document.querySelector("[data-export]")?.addEventListener("click", async (event) => {
  event.preventDefault();
  const link = event.currentTarget;
  if (link.getAttribute("aria-busy")) return;
  link.setAttribute("aria-busy", "true");
  try {
    await exportFile(link.href);
  } catch {
    progress.textContent = progress.dataset.broken;
  } finally {
    link.removeAttribute("aria-busy");
  }
});

async function exportFile(url) {
  const response = await fetch(url, { headers: { "x-fragment": "1" } });
  if (response.status === 401) return location.assign("/page/sign-in");
  if (!response.ok) throw new Error(String(response.status));
  const lines = [];
  for await (const line of readLines(response.body)) {
    lines.push(`${line}\n`);
    if (lines.length % 50 === 0) progress.textContent = progress.dataset.words.replace("{count}", lines.length);
  }
  if (!lines.at(-1)?.startsWith('{"record":"end"')) throw new Error("it broke off");
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition"))[1];
  const file = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
  Object.assign(document.createElement("a"), { href: file, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(file), 10_000);
  progress.textContent = progress.dataset.done.replace("{count}", lines.length - 2);
}

const form = document.getElementById("import-form");
const result = document.getElementById("import-result");
const bar = document.getElementById("import-bar");
const takeButton = form?.querySelector("[value=take]");

form?.addEventListener("change", () => { takeButton.disabled = true; result.replaceChildren(); bar.hidden = true; });
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const isLook = event.submitter?.value !== "take";
  form.setAttribute("aria-busy", "true");
  takeButton.disabled = true;
  try {
    const sums = await sendFile(form.elements.file.files[0], isLook);
    write(sums, isLook);
    takeButton.disabled = !isLook || !sums.memory;
  } catch {
    result.replaceChildren(paragraph(result.dataset.failed, "problem"));
  } finally {
    form.removeAttribute("aria-busy");
  }
});

async function sendFile(file, isLook) {
  const sums = { memory: 0, others: 0, unreadable: 0, taken: 0, known: 0 };
  let sent = 0;
  bar.value = 0;
  bar.hidden = false;
  for await (const part of joinParts(readLines(file.stream()))) {
    const body = new URLSearchParams({ lines: part, ...(isLook ? { dry_run: "1" } : {}) });
    const response = await fetch("/page/exchange/import", { method: "POST", body, headers: { "x-csrf-token": csrfToken(), "x-fragment": "1" } });
    if (!response.ok) throw new Error(String(response.status));
    const answer = await response.json();
    for (const [record, count] of Object.entries(answer.counts)) sums[record === "memory" ? "memory" : "others"] += count;
    for (const name of ["unreadable", "taken", "known"]) sums[name] += answer[name];
    sent += new Blob([part]).size + 1;
    bar.value = Math.min(1, sent / Math.max(1, file.size));
  }
  bar.value = 1;
  return sums;
}

function write(sums, isLook) {
  const words = result.dataset;
  const told = [];
  if (!isLook) told.push(paragraph(words.taken.replace("{taken}", sums.taken).replace("{known}", sums.known)));
  else if (sums.memory) told.push(paragraph(words.looked.replace("{count}", sums.memory)));
  else told.push(paragraph(words.none));
  if (isLook && sums.others) told.push(paragraph(words.others.replace("{count}", sums.others), "hint"));
  if (sums.unreadable) told.push(paragraph(words.unreadable.replace("{count}", sums.unreadable), "notice"));
  result.replaceChildren(...told);
}

function paragraph(textContent, className = "") {
  return Object.assign(document.createElement("p"), { textContent, className });
}
