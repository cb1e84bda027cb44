import createClient, { type Client } from "openapi-fetch";

import type { paths } from "./openapi.js";
import { buildRetryingFetch } from "./retries.js";
import type { CallOptions, Scope } from "./values.js";

export interface ClientOptions {
  /** Where the services are, such as `http://127.0.0.1:8000`. */
  url: string;
  /** A key or a token, shown with every request. */
  apiKey?: string | undefined;
  /** The time for a call with all its attempts; 10,000 unless you say so. */
  timeoutMilliseconds?: number | undefined;
  /** Instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** The routes of the API, typed, with retries; what is no success is thrown. */
export type HttpClient = Client<paths>;

export const DEFAULT_TIMEOUT_MILLISECONDS = 10_000;

export function createHttpClient(options: ClientOptions): HttpClient {
  const fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
  return createClient<paths>({
    baseUrl: options.url,
    headers: options.apiKey ? { Authorization: `Bearer ${options.apiKey}` } : {},
    fetch: buildRetryingFetch(fetch, options.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS),
  });
}

/** Return the answer. Whatever is none has been thrown before. */
export async function answerOf<Answer>(call: Promise<{ data?: Answer }>): Promise<Answer> {
  return (await call).data as Answer;
}

/** Separate the scope of a call, which goes into its address, from what goes into its body. */
export function splitScope<Fields extends Scope>(fields: Fields) {
  const { user_id, agent_id, project_id, ...body } = fields;
  return { scope: { user_id, agent_id: agent_id ?? null, project_id: project_id ?? null }, body };
}

/** A key for one call: its attempts are one command, the next call is another. */
export function idempotent() {
  return { "idempotency-key": crypto.randomUUID() };
}

/** The options of a call as `fetch` takes them. */
export function initOf(options: CallOptions) {
  return { signal: options.signal ?? null };
}
