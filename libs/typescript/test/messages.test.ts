import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { Context, PalimpsestClient, type ChatMessage } from "palimpsest-memory";

import { answering, type Answer } from "./answering-server.js";

const taken: Answer = (response, { body }) => {
  const results = body.events.map(() => ({ status: 202, outcome: "accepted", event_id: "e" }));
  response.writeHead(202, { "content-type": "application/json" });
  response.end(JSON.stringify({ results }));
};
const AT = "2026-03-02T09:00:00.000Z";
const fields = { user_id: "ann", agent_id: "cook", session_id: "s", occurred_at: AT };

async function saved(test: TestContext, messages: ChatMessage[], ended = false) {
  const { url, received } = await answering(test, taken);
  await new PalimpsestClient({ url }).saveConversation(messages, { ...fields, ended });
  return received.flatMap(({ body }) => body.events);
}

test("OpenAI's and Anthropic's messages are saved as they are", async (t) => {
  const [asked, replied, shown, over] = await saved(
    t,
    [
      { role: "user", name: "Ann", content: "What is this?" },
      { role: "assistant", content: [{ type: "text", text: "A cello." }], refusal: null, tool_calls: [] },
      {
        role: "user",
        content: [
          { type: "text", text: "👋 look" },
          { type: "input_audio", input_audio: { data: "…" } },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
        ],
      },
    ],
    true,
  );
  const { message_id, ...first } = asked;
  assert.match(message_id, /^[0-9a-f]{32}$/);
  assert.deepEqual(first, {
    type: "MessageAdded",
    user_id: "ann",
    agent_id: "cook",
    session_id: "s",
    occurred_at: AT,
    role: "user",
    speaker: "Ann",
    text: "What is this?",
  });
  assert.deepEqual([replied.role, replied.text], ["assistant", "A cello."]);
  assert.equal(shown.text, "👋 look\n[input_audio]");
  // Characters of Unicode, as the services count them: the emoji is one.
  assert.deepEqual(shown.injected, [{ start: 7, end: 20 }]);
  assert.deepEqual(shown.images, [
    { url: "https://example.com/a.png" },
    { url: "data:image/png;base64,AAAA" },
  ]);
  assert.deepEqual([over.type, over.session_id, over.agent_id], ["SessionEnded", "s", "cook"]);
});

test("the same call again names its messages the same", async (t) => {
  const same: ChatMessage[] = [{ role: "user", content: "Hi" }, { role: "user", content: "Hi" }];
  const names = (await saved(t, same)).map(({ message_id }) => message_id);
  assert.deepEqual((await saved(t, same)).map(({ message_id }) => message_id), names);
  assert.equal(new Set(names).size, 2);
  const [own] = await saved(t, [{ role: "user", text: "Hi", message_id: "1", occurred_at: new Date(0) }]);
  assert.deepEqual([own.message_id, own.occurred_at], ["1", "1970-01-01T00:00:00.000Z"]);
});

test("instructions, calls of tools and thoughts are left out, and what says nothing is refused", async (t) => {
  const texts = (await saved(t, [
    { role: "system", content: "Be brief." },
    { role: "user", content: "How old is she?" },
    { role: "assistant", content: null, tool_calls: [{ id: "1" }] },
    { role: "assistant", content: [{ type: "thinking", thinking: "…" }, { type: "tool_use", id: "1" }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "18" }] },
    { role: "assistant", content: [{ type: "thinking", thinking: "…" }, { type: "text", text: "Eighteen." }] },
  ])).map(({ text }) => text);
  assert.deepEqual(texts, ["How old is she?", "Eighteen."]);

  for (const content of [null, [{}]]) {
    await assert.rejects(saved(t, [{ role: "user", content }]), (error: any) => {
      assert.deepEqual([error.status, error.reason, error.fields[0].field], [422, "invalid", "messages.0.content"]);
      return true;
    });
  }
});

test("more than five hundred events go in several requests, in order", async (t) => {
  const { url, received } = await answering(t, taken);
  const many = Array.from({ length: 1_001 }, (_, place) => ({ role: "user", content: `${place}` }));
  const results = await new PalimpsestClient({ url }).saveConversation(many, fields);
  assert.deepEqual(received.map(({ body }) => body.events.length), [500, 500, 1]);
  assert.equal(results.length, 1_001);
  assert.equal(received[1]?.body.events[0].text, "500");
});

test("a context is the messages of both vendors, with what is asked behind them", () => {
  const said = (role: "user" | "agent" | "tool", text: string) => ({ message_id: text, role, text, occurred_at: AT });
  const messages = [said("agent", "Hello!"), said("user", "Hi"), said("tool", "{}"), said("agent", "So?"), said("user", " ")];
  const answer = { block: "b", text: "b", tokens: 1, took_ms: 1, messages };
  const context = new Context({ ...answer, system_prompt: "You cook." });
  const asked = { role: "user" as const, content: "What can I eat?" };
  const [hello, ...later] = [
    { role: "assistant", content: "Hello!" },
    { role: "user", content: "Hi" },
    { role: "assistant", content: "So?" },
  ];
  assert.deepEqual(context.toOpenAI(asked), [{ role: "system", content: "You cook." }, hello, ...later, asked]);
  assert.deepEqual(context.toAnthropic(asked), { system: "You cook.", messages: [...later, asked] });
  const empty = new Context({ ...answer, system_prompt: "", messages: [] });
  assert.deepEqual([empty.toOpenAI(), empty.toAnthropic(asked)], [[], { messages: [asked] }]);
  assert.equal(empty.block, "b");
});

test("a running summary is told once, between marks that it cannot close", () => {
  const answer = { block: "b", text: "b", tokens: 1, took_ms: 1, running_summary: "Of </palimpsest> soup." };
  const prompt = "You cook.\n\n<palimpsest>\nOf … soup.\n</palimpsest>";
  for (const system_prompt of ["You cook.", prompt]) {
    assert.equal(new Context({ ...answer, system_prompt }).toAnthropic().system, prompt);
  }
});
