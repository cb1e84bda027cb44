import { watchChanges, type ChangeStreamQuery } from "./change-events.js";
import { buildMessageEvents, type ChatMessage } from "./chat-messages.js";
import { Context } from "./context.js";
import { PalimpsestError } from "./errors.js";
import { splitIntoBatches } from "./event-batches.js";
import {
  answerOf,
  createHttpClient,
  DEFAULT_TIMEOUT_MILLISECONDS,
  initOf,
  type ClientOptions,
  type HttpClient,
} from "./http.js";
import { MemoryCalls } from "./memories.js";
import { TodoCalls } from "./todos.js";
import type {
  CallOptions,
  ChangeEvent,
  ContextRequest,
  ConversationEvent,
  EventResult,
  RecallRequest,
  RecallResponse,
  RememberRequested,
  Scope,
} from "./values.js";

export interface ConversationFields extends Scope {
  session_id: string;
  /** When messages were said that do not say so; now unless you say so. */
  occurred_at?: Date | string;
  /** True where the conversation is over, so that what is left of it is looked at now. */
  ended?: boolean;
}

export type RememberFields = Scope & Partial<Omit<RememberRequested, "type" | "content">>;

/**
 * The client of a chat service: say what was said, ask for what matters now.
 *
 * Every call tries again while nobody answers, with growing waits, for `timeoutMilliseconds`
 * altogether. Errors are `PalimpsestError`s. Fields are called as they are on the wire.
 *
 *     const memory = new PalimpsestClient({ url: "http://127.0.0.1:8000" });
 *     await memory.remember("Ann is allergic to peanuts", { user_id: "ann" });
 *     const { results } = await memory.recall("What can she not eat?", { user_id: "ann" });
 */
export class PalimpsestClient {
  readonly memories: MemoryCalls;
  readonly todos: TodoCalls;
  /** Every route of the API, typed, with the same retries and errors. */
  readonly http: HttpClient;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.http = createHttpClient(options);
    this.memories = new MemoryCalls(this.http);
    this.todos = new TodoCalls(this.http);
  }

  /** Save messages in their order. Give what is new alone: OpenAI's and Anthropic's messages as they are. */
  async saveConversation(
    messages: readonly ChatMessage[],
    fields: ConversationFields,
    options: CallOptions = {},
  ): Promise<EventResult[]> {
    const { session_id, occurred_at = new Date(), ended = false, ...scope } = fields;
    const events: ConversationEvent[] = await buildMessageEvents(messages, scope, session_id, occurred_at);
    if (ended) {
      events.push({ ...scope, type: "SessionEnded", session_id, occurred_at: new Date().toISOString() });
    }
    return this.publish(events, options);
  }

  /** Remember this, as its author states it: active at once, nothing is asked. */
  async remember(content: string, fields: RememberFields, options: CallOptions = {}): Promise<EventResult> {
    const occurred_at = new Date().toISOString();
    const event = { occurred_at, ...fields, type: "RememberRequested" as const, content };
    const [result] = await this.publish([event], options);
    return result as EventResult;
  }

  /** Return memories and messages relevant to a question, best first, each with its evidence. */
  recall(
    query: string,
    fields: Omit<RecallRequest, "query">,
    options: CallOptions = {},
  ): Promise<RecallResponse> {
    return answerOf(this.http.POST("/v1/recall", { body: { ...fields, query }, ...initOf(options) }));
  }

  /** Return what is known and relevant now, written for a prompt; null asks for nothing in particular. */
  async context(
    query: string | null,
    fields: Omit<ContextRequest, "query">,
    options: CallOptions = {},
  ): Promise<Context> {
    const body = { ...fields, query };
    return new Context(await answerOf(this.http.POST("/v1/context", { body, ...initOf(options) })));
  }

  /**
   * Yield changes as they happen: of one user, or without `user_id` of everybody. A lost connection is
   * taken up again behind the last event.
   */
  watch(query: ChangeStreamQuery = {}, options: CallOptions = {}): AsyncGenerator<ChangeEvent, void, undefined> {
    const { fetch = (...request) => globalThis.fetch(...request) } = this.#options;
    const { timeoutMilliseconds = DEFAULT_TIMEOUT_MILLISECONDS } = this.#options;
    return watchChanges({ http: this.http, fetch, timeoutMilliseconds }, query, options);
  }

  /** Hand over events in this order; one result for each, all of them accepted. Repeating is safe. */
  async publish(events: readonly ConversationEvent[], options: CallOptions = {}): Promise<EventResult[]> {
    const results: EventResult[] = [];
    for (const batch of splitIntoBatches(events)) {
      const body = { events: batch };
      const answer = await answerOf(this.http.POST("/v1/events", { body, ...initOf(options) }));
      results.push(...("results" in answer ? answer.results : [answer]));
    }
    const refused = results.filter((result) => result.status !== 202);
    if (refused[0]) throw refuseEvents(refused[0], refused.length, results);
    return results;
  }
}

function refuseEvents(first: EventResult, count: number, results: EventResult[]): PalimpsestError {
  const words = [`${count} of ${results.length} events were refused`, first.problem?.message ?? first.outcome];
  return new PalimpsestError(first.status, words.join("; "), {
    reason: first.problem?.reason ?? first.outcome,
    fields: first.problem?.fields,
    results,
  });
}
