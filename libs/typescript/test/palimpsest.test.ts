import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { PalimpsestClient, type ChangeEvent } from "palimpsest-memory";

import { runPalimpsest } from "./running-palimpsest.js";

const KEY = "a-key-for-the-tests-of-typescript";
const run = promisify(execFile);

let palimpsest: Awaited<ReturnType<typeof runPalimpsest>>;
let memory: PalimpsestClient;

before(async () => {
  palimpsest = await runPalimpsest(KEY);
  memory = new PalimpsestClient({ url: palimpsest.url, apiKey: KEY, timeoutMilliseconds: 30_000 });
});
after(async () => assert.equal(await palimpsest?.stop(), 0));

/** Tell of the changes of a user from the very first on, so that none is missed however slow a machine is. */
function changesOf(user_id: string) {
  const signal = AbortSignal.timeout(60_000);
  const changes = memory.watch({ user_id, content: true, after: "0.0.0" }, { signal });
  return async (type: ChangeEvent["type"], content = /./): Promise<ChangeEvent> => {
    for (;;) {
      const { value } = await changes.next();
      assert.ok(value, "the stream ended");
      if (value.type === type && content.test(value.data.content ?? "")) return value;
    }
  };
}

test("a conversation is understood, recalled, and written for a prompt", async () => {
  const whose = { user_id: "ts-mia", agent_id: "cook" };
  const saved = await memory.saveConversation(
    [
      { role: "user", content: "I am allergic to peanuts." },
      { role: "assistant", content: [{ type: "text", text: "Good to know." }] },
    ],
    { ...whose, session_id: "one", ended: true },
  );
  assert.deepEqual(saved.map(({ status }) => status), [202, 202, 202]);
  await changesOf("ts-mia")("memory.created", /peanuts/);
  const { results } = await memory.recall("What can I not eat?", whose);
  assert.match(results[0]?.content ?? "", /peanuts/);
  const context = await memory.context("What can I not eat?", {
    ...whose,
    session_id: "one",
    system_prompt: "You are a cook.",
    last_messages: 2,
  });
  const [system, ...dialogue] = context.toOpenAI();
  assert.match(system?.content ?? "", /^You are a cook\.[^]*<palimpsest>[^]*peanuts/);
  assert.deepEqual(dialogue, [
    { role: "user", content: "I am allergic to peanuts." },
    { role: "assistant", content: "Good to know." },
  ]);
  assert.deepEqual(context.toAnthropic(), { system: system?.content, messages: dialogue });
});

test("memories are added, listed, changed, forgotten and taken back by hand", async () => {
  const whose = { user_id: "ts-lin" };
  const next = changesOf("ts-lin");
  await memory.memories.add("Lin plays the cello", { ...whose, kind: "fact" });
  const id = (await next("memory.created")).data.id ?? "";
  await memory.memories.update(id, { ...whose, content: "Lin plays the viola" });
  const { change_set_id } = (await next("memory.updated", /viola/)).data;
  await memory.memories.undo(change_set_id, whose);
  await next("memory.updated", /cello/);
  assert.equal((await memory.memories.get(id, whose)).memory.content, "Lin plays the cello");
  const history = await memory.memories.history(id, whose);
  assert.deepEqual(
    history.map(({ before, after }) => [before?.content, after.content]),
    [
      ["Lin plays the viola", "Lin plays the cello"],
      ["Lin plays the cello", "Lin plays the viola"],
      [undefined, "Lin plays the cello"],
    ],
  );

  await memory.memories.forget(id, { ...whose, reason: "no longer" });
  await next("memory.forgotten");
  assert.deepEqual((await memory.memories.list(whose)).memories, []);
  const forgotten = await memory.memories.list({ ...whose, status: ["forgotten"] });
  assert.deepEqual(forgotten.memories.map(({ id }) => id), [id]);
  await memory.memories.restore(id, whose);
  await next("memory.restored");
  assert.equal((await memory.memories.get(id, whose)).memory.status, "active");

  await assert.rejects(memory.memories.get(id, { user_id: "ts-other" }), { status: 404 });
  await assert.rejects(memory.memories.update("unknown", { ...whose, content: "x" }), { status: 404 });
});

test("todos are added, snoozed, completed and reopened", async () => {
  const whose = { user_id: "ts-bo" };
  const next = changesOf("ts-bo");
  await memory.todos.add("send the report", { ...whose, due_at: "2099-01-01T09:00:00Z" });
  const id = (await next("todo.created")).data.id ?? "";
  await memory.todos.snooze(id, new Date("2099-01-01T08:00:00Z"), whose);
  await next("todo.updated");
  const { todos } = await memory.todos.list(whose);
  assert.deepEqual(
    todos.map((todo) => [todo.id, Date.parse(todo.remind_at ?? "")]),
    [[id, Date.parse("2099-01-01T08:00:00Z")]],
  );
  await memory.todos.complete(id, whose);
  await next("todo.completed");
  assert.deepEqual((await memory.todos.list(whose)).todos, []);
  await memory.todos.reopen(id, whose);
  await next("todo.reopened");
});

test("changes are taken up again from a place that was read before", async () => {
  const whose = { user_id: "ts-eve" };
  await memory.remember("Eve likes green tea", whose);
  const { position } = await changesOf("ts-eve")("memory.created");
  await memory.remember("Eve lives in Lisbon", whose);
  for await (const { data } of memory.watch({ ...whose, after: position, content: true })) {
    assert.match(data.content ?? "", /Lisbon/);
    break;
  }
});

test("a wrong key is refused in the server's words, and a field too many named", async () => {
  const stranger = new PalimpsestClient({ url: palimpsest.url, apiKey: "none of theirs" });
  await assert.rejects(stranger.recall("?", { user_id: "ts-mia" }), { status: 401, name: "PalimpsestError" });
  await assert.rejects(memory.recall("?", { user_id: "ts-mia", limit: 1_000 }), (error: any) => {
    assert.deepEqual([error.status, error.fields[0].field], [422, "limit"]);
    return true;
  });
});

test("every other route is asked through `http`", async () => {
  const { data } = await memory.http.GET("/v1/profile", { params: { query: { user_id: "ts-nobody" } } });
  assert.equal(data?.version, 0);
});

test("the examples of both pages are valid TypeScript, and say what they should", async () => {
  const pages = { "README.md": /You are a cook\.[^]*<palimpsest>[^]*peanuts/, "README.zh-CN.md": /你是一位厨师。[^]*<palimpsest>[^]*花生/ };
  const folder = "build/examples";
  await mkdir(folder, { recursive: true });
  for (const page of Object.keys(pages)) {
    const [, example = ""] = /```ts\n([^]*?)```/.exec(await readFile(page, "utf8")) ?? [];
    assert.ok(example.trimEnd().split("\n").length < 20);
    const here = example.replace('"http://127.0.0.1:8000"', `"${palimpsest.url}", apiKey: "${KEY}"`);
    await writeFile(`${folder}/${page}.ts`, here);
  }
  const options = ["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--types", "node"];
  await run("node_modules/.bin/tsc", [...options, ...Object.keys(pages).map((page) => `${folder}/${page}.ts`)]);
  for (const [page, expected] of Object.entries(pages)) {
    const { stdout } = await run(process.execPath, [`${folder}/${page}.js`]);
    assert.match(stdout, expected);
  }
});
