// Changes made elsewhere, as they happen. The stream is open only while the page is in sight.
//
// Each is an event "change" of the document, with { type, record, id, status, agent_id, project_id }; after a gap in which
// changes may have been missed, an event "changes-missed".
import { markLatest } from "./marks.js";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;

let position = "";
let reading = null;
let wasOpen = false;

async function read(url) {
  let wait = FIRST_WAIT_MS;
  while (reading && !reading.signal.aborted) {
    try {
      const address = position ? `${url}?after=${encodeURIComponent(position)}` : url;
      const response = await fetch(address, { signal: reading.signal, headers: { accept: "text/event-stream" } });
      if (response.status === 401 || response.redirected) return location.assign("/page/sign-in");
      if (response.ok) {
        wait = FIRST_WAIT_MS;
        document.body.dataset.liveState = "open";
        if (wasOpen && !position) document.dispatchEvent(new CustomEvent("changes-missed"));
        wasOpen = true;
        await readEvents(response.body);
      }
    } catch (error) {
      if (error.name === "AbortError") return;
    }
    document.body.dataset.liveState = "waiting";
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  }
}

async function readEvents(body) {
  const lines = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let event = {};
  for (;;) {
    const { value, done } = await lines.read();
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const line of parts) {
      if (line.startsWith("event: ")) event.type = line.slice(7);
      else if (line.startsWith("id: ")) position = line.slice(4);
      else if (line.startsWith("data: ")) Object.assign(event, JSON.parse(line.slice(6)));
      else if (line === "" && event.type) {
        markLatest("change-heard");
        document.dispatchEvent(new CustomEvent("change", { detail: event }));
        event = {};
      }
    }
  }
}

export function followChanges() {
  const url = document.body.dataset.live;
  if (!url) return;
  const follow = () => {
    if (document.hidden) {
      reading?.abort();
      reading = null;
    } else if (!reading) {
      reading = new AbortController();
      read(url);
    }
  };
  document.addEventListener("visibilitychange", follow);
  window.addEventListener("pagehide", () => { reading?.abort(); reading = null; });
  follow();
}
