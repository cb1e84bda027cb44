import { joinContentParts } from "./content-parts.js";
import { PalimpsestError } from "./errors.js";
import type { MessageAdded, Scope } from "./values.js";

type OwnFields = Omit<MessageAdded, "type" | "role" | "user_id" | "project_id" | "session_id" | "occurred_at">;

/** A message as chat completions have it, `{ role, content }`, with our own fields beside it. */
export interface ChatMessage extends Partial<OwnFields> {
  /** `user`, `assistant` (or `agent`), or `tool`. */
  role: string;
  content?: string | readonly object[] | null;
  name?: string | undefined;
  /** When it was said; else when the conversation is saved. */
  occurred_at?: Date | string;
  // Only a model reads these; they hold nothing that was said.
  tool_calls?: unknown;
  tool_call_id?: unknown;
  function_call?: unknown;
  refusal?: unknown;
  annotations?: unknown;
  audio?: unknown;
}

const INSTRUCTIONS = new Set(["system", "developer"]);
const ASSISTANTS = new Set(["assistant", "agent"]);
/** Types of parts that are thoughts, calls of tools and their results. */
const PARTS_OF_MODEL = /^(redacted_)?thinking$|tool_(use|result)$/;

/**
 * Make the event of each message. Instructions to the model, calls of tools and thoughts are no part of
 * what was said, and are left out.
 *
 * A message without a `message_id` is named by its session, its moment, its place among these and what it
 * says: the same call again says the same.
 */
export async function buildMessageEvents(
  messages: readonly ChatMessage[],
  scope: Scope,
  sessionId: string,
  occurredAt: Date | string,
): Promise<MessageAdded[]> {
  const events = messages.map((message, place) =>
    isSilent(message) ? [] : buildMessageEvent(message, place, scope, sessionId, occurredAt),
  );
  return (await Promise.all(events)).flat();
}

/** Tell whether nobody says anything in a message. */
function isSilent({ role, content, text }: ChatMessage): boolean {
  if (INSTRUCTIONS.has(role)) return true;
  const said = content === undefined ? text : content;
  if (Array.isArray(said)) return said.length > 0 && saidParts(said).length === 0;
  return !said && ASSISTANTS.has(role);
}

function saidParts(parts: readonly object[]): readonly object[] {
  return parts.filter((part) => !PARTS_OF_MODEL.test(String((part as { type?: unknown } | null)?.type)));
}

async function buildMessageEvent(
  message: ChatMessage,
  place: number,
  scope: Scope,
  sessionId: string,
  occurredAt: Date | string,
): Promise<MessageAdded> {
  const { role, content, name, occurred_at, ...fields } = withoutModelFields(message);
  const said = content === undefined ? {} : readContent(content, `messages.${place}.content`, fields.injected);
  const moment = new Date(occurred_at ?? occurredAt).toISOString();
  const text = said.text ?? fields.text ?? "";
  return {
    ...(name === undefined ? {} : { speaker: name }),
    ...scope,
    ...fields,
    ...said,
    text,
    type: "MessageAdded",
    role: role as MessageAdded["role"],
    session_id: sessionId,
    occurred_at: moment,
    message_id: fields.message_id ?? (await deriveId([sessionId, moment, place, text])),
  };
}

function withoutModelFields(message: ChatMessage) {
  const { tool_calls, tool_call_id, function_call, refusal, annotations, audio, ...fields } = message;
  return fields;
}

function readContent(
  content: string | readonly object[] | null,
  at: string,
  injected: MessageAdded["injected"] = [],
): Pick<Partial<MessageAdded>, "text" | "images" | "injected"> {
  if (typeof content === "string") return { text: content };
  if (content === null) throw refuse(at, "says nothing");
  const said = Array.isArray(content) ? joinContentParts(saidParts(content)) : undefined;
  if (!said) throw refuse(at, "must be a text, or a list of parts, each with its type, such as text and image_url");
  return {
    text: said.text,
    ...(said.images.length > 0 ? { images: said.images } : {}),
    ...(said.injected.length > 0 ? { injected: [...injected, ...said.injected] } : {}),
  };
}

async function deriveId(parts: readonly unknown[]): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(parts)));
  return Array.from(new Uint8Array(digest).slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function refuse(field: string, problem: string): PalimpsestError {
  return new PalimpsestError(422, `${field}: ${problem}`, { reason: "invalid", fields: [{ field, problem }] });
}
