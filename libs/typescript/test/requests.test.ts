import assert from "node:assert/strict";
import { test } from "node:test";

import { PalimpsestClient, PalimpsestError } from "palimpsest-memory";

import { answering, hangUp, json, silence } from "./answering-server.js";

const FOUND = { recall_id: "r", results: [], took_ms: 1 };
const DONE = { command_id: "c", applied: true };
const ann = { user_id: "ann" };

test("a request shows the key as a bearer token and repeats a list as its name", async (t) => {
  const { url, received } = await answering(t, json({ memories: [], next_cursor: null }));
  const client = new PalimpsestClient({ url: `${url}/`, apiKey: "secret" });
  await client.memories.list({ ...ann, status: ["active", "superseded"] });
  assert.equal(received[0]?.headers.authorization, "Bearer secret");
  assert.equal(received[0]?.path, "/v1/memories?user_id=ann&status=active&status=superseded");
});

test("a lost connection and a 503 are tried again as the same command", async (t) => {
  const { url, received } = await answering(t, hangUp, json({ message: "starting" }, 503), json(DONE));
  const client = new PalimpsestClient({ url });
  const done = await client.memories.forget("a/b", { ...ann, agent_id: "coder", reason: "wrong" });
  assert.equal(done.applied, true);
  assert.equal(received[2]?.path, "/v1/memories/a%2Fb/forget?user_id=ann&agent_id=coder");
  assert.deepEqual(received[2]?.body, { reason: "wrong" });
  const keys = new Set(received.map(({ headers }) => headers["idempotency-key"]));
  assert.deepEqual([received.length, keys.size], [3, 1]);
});

test("the wait is the one that the server asks for, and no wait reaches past the time", async (t) => {
  const busy = json({ reason: "too_many", message: "slow down" }, 429, { "retry-after": "5" });
  const { url, received } = await answering(t, busy);
  const client = new PalimpsestClient({ url, timeoutMilliseconds: 4_000 });
  await assert.rejects(client.recall("?", ann), (error: PalimpsestError) => {
    assert.deepEqual([error.status, error.retryAfterSeconds, error.message], [429, 5, "slow down"]);
    return true;
  });
  assert.equal(received.length, 1);

  const moment = new Date(Date.now() + 60_000).toUTCString();
  const proxied = await answering(t, (response) => response.writeHead(503, { "retry-after": moment }).end());
  await assert.rejects(new PalimpsestClient({ url: proxied.url }).recall("?", ann), { status: 503 });
  assert.equal(proxied.received.length, 1);

  const patient = await answering(t, json({}, 503, { "retry-after": "1" }), json(FOUND));
  const started = performance.now();
  await new PalimpsestClient({ url: patient.url }).recall("?", ann);
  assert.ok(performance.now() - started >= 990);
});

test("an error has the server's words, as problem+json or as before", async (t) => {
  const problem = {
    type: "urn:palimpsest:problem:not_found",
    title: "Not Found",
    status: 404,
    detail: "no such memory",
    advice: "Check the id.",
  };
  const fields = [{ field: "limit", problem: "must be at most 500" }];
  const { url } = await answering(
    t,
    json(problem, 404, { "content-type": "application/problem+json" }),
    json({ reason: "changed_since", message: "changed", change_set_id: "later", fields }, 409),
    (response) => response.writeHead(418).end("<html>"),
  );
  const client = new PalimpsestClient({ url });
  const errors: PalimpsestError[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await assert.rejects(client.memories.undo("c", ann), (error: PalimpsestError) => errors.push(error) > 0);
  }
  assert.ok(errors.every((error) => error instanceof PalimpsestError));
  assert.deepEqual(
    errors.map(({ status, reason, message }) => [status, reason, message]),
    [
      [404, "not_found", "no such memory"],
      [409, "changed_since", "changed"],
      [418, "http", "the server answered 418"],
    ],
  );
  assert.equal(errors[0]?.advice, "Check the id.");
  assert.deepEqual([errors[1]?.changeSetId, errors[1]?.fields], ["later", fields]);
});

test("nobody there is status 0, and so is nobody in time", async (t) => {
  const { url } = await answering(t, silence);
  const late = new PalimpsestClient({ url, timeoutMilliseconds: 50 });
  await assert.rejects(late.recall("?", ann), { status: 0, reason: "timed_out" });
  const gone = await answering(t, hangUp);
  const nobody = new PalimpsestClient({ url: gone.url, timeoutMilliseconds: 200 });
  await assert.rejects(nobody.recall("?", ann), { status: 0 });
});

test("an aborted call ends with the reason given, waiting or asking", async (t) => {
  for (const answer of [silence, json({}, 503, { "retry-after": "5" })]) {
    const controller = new AbortController();
    const { url } = await answering(t, (response, each) => {
      answer(response, each);
      setImmediate(() => controller.abort(new Error("enough")));
    });
    const call = new PalimpsestClient({ url }).recall("?", ann, { signal: controller.signal });
    await assert.rejects(call, { message: "enough" });
  }
});

test("refused events are told with one result for each", async (t) => {
  const results = [
    { status: 202, outcome: "accepted", event_id: "1" },
    { status: 422, outcome: "invalid", problem: { reason: "invalid", message: "text: required", fields: [] } },
  ];
  const { url } = await answering(t, json({ results }, 207));
  const saved = new PalimpsestClient({ url }).saveConversation(
    [{ role: "user", content: "Hi" }, { role: "user", content: "" }],
    { ...ann, session_id: "s" },
  );
  await assert.rejects(saved, (error: PalimpsestError) => {
    assert.equal(error.message, "1 of 2 events were refused; text: required");
    assert.deepEqual([error.status, error.reason, error.results], [422, "invalid", results]);
    return true;
  });
});
