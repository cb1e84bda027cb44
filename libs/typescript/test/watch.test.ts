import assert from "node:assert/strict";
import { test } from "node:test";

import { PalimpsestClient, type ChangeEvent } from "palimpsest-memory";

import { answering, hangUp, json, type Answer } from "./answering-server.js";

function streaming(...parts: string[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const part of parts) response.write(part);
  };
}

const READY = ": ready\nid: 1.0.5\nretry: 1000\n\n";
const change = (id: string, content: string) =>
  `event: memory.created\nid: ${id}\ndata: ${JSON.stringify({ id: `of ${id}`, type: "memory.created", data: { content } })}\n\n`;

test("changes are read however they are cut, and from behind the last one after a loss", async (t) => {
  const whole = Buffer.from(`: ping\n\n${change("2.1.6", "她喜欢茶")}`);
  const cut = whole.indexOf("她") + 1;
  const { url, received } = await answering(
    t,
    (response, each) => {
      streaming(READY)(response, each);
      response.write(whole.subarray(0, cut));
      // The rest comes in a packet of its own, and with it the connection is lost.
      setTimeout(() => response.write(whole.subarray(cut), () => response.destroy()), 20);
    },
    hangUp,
    json({ detail: "starting" }, 503),
    streaming(": ready\nid: 2.1.6\n\n", change("3.1.7", "tea"), change("4.1.8", "more")),
  );
  const seen: ChangeEvent[] = [];
  for await (const each of new PalimpsestClient({ url, apiKey: "k" }).watch({ user_id: "ann", content: true })) {
    seen.push(each);
    if (seen.length === 2) break;
  }
  assert.deepEqual(
    seen.map(({ type, position, data }) => [type, position, data.content]),
    [
      ["memory.created", "2.1.6", "她喜欢茶"],
      ["memory.created", "3.1.7", "tea"],
    ],
  );
  assert.equal(received[0]?.path, "/v1/events/stream?user_id=ann&content=true");
  assert.deepEqual(
    received.map(({ headers }) => headers["last-event-id"]),
    [undefined, "2.1.6", "2.1.6", "2.1.6"],
  );
  assert.ok(received.every(({ headers }) => headers.authorization === "Bearer k"));
});

test("a stream begins behind the place that is given, and ends with its signal", async (t) => {
  const controller = new AbortController();
  const { url, received } = await answering(t, (response, each) => {
    streaming(READY)(response, each);
    controller.abort(new Error("enough"));
  });
  const changes = new PalimpsestClient({ url }).watch({ after: "9.1.9" }, { signal: controller.signal });
  await assert.rejects(changes.next(), { message: "enough" });
  assert.equal(received[0]?.headers["last-event-id"], "9.1.9");
});

test("a refusal is thrown at once, and so is nobody there in time", async (t) => {
  const { url } = await answering(t, json({ reason: "forbidden", message: "not yours" }, 403));
  await assert.rejects(new PalimpsestClient({ url }).watch().next(), { status: 403, message: "not yours" });
  const ending = await answering(t, (response) => response.writeHead(200).end());
  const impatient = new PalimpsestClient({ url: ending.url, timeoutMilliseconds: 60 });
  await assert.rejects(impatient.watch().next(), { status: 0 });
});
