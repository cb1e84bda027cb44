import { PalimpsestError, readError } from "./errors.js";
import { readEventStream, type StreamedEvent } from "./event-stream.js";
import type { HttpClient } from "./http.js";
import type { paths } from "./openapi.js";
import { pause, retryWhileTransient } from "./retries.js";
import type { CallOptions, ChangeEvent } from "./values.js";

export type ChangeStreamQuery = NonNullable<paths["/v1/events/stream"]["get"]["parameters"]["query"]>;

/** Three heartbeats of the services. */
const SILENCE_MILLISECONDS = 45_000;

/** The wait before a stream that told nothing is opened again. */
const EMPTY_STREAM_WAIT_MILLISECONDS = 1_000;

/** How a stream of changes is opened: the plain `fetch`, and the time within which somebody answers. */
export interface StreamConnection {
  http: HttpClient;
  fetch: typeof globalThis.fetch;
  timeoutMilliseconds: number;
}

/** Yield changes as they happen. A lost connection is taken up again behind the last event. */
export async function* watchChanges(
  connection: StreamConnection,
  query: ChangeStreamQuery,
  options: CallOptions = {},
): AsyncGenerator<ChangeEvent, void, undefined> {
  const { after, ...which } = query;
  let place = after ?? undefined;
  const ended = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal;
  try {
    for (;;) {
      const { events, first } = await retryWhileTransient(
        (opening) => openStream(connection, which, place, signal, opening),
        connection.timeoutMilliseconds,
        signal,
      );
      place = first.id;
      let isEmpty = true;
      try {
        if (first.data) yield parseEvent(first);
        for await (const event of events) {
          isEmpty = false;
          place = event.id || place;
          if (event.data) yield parseEvent(event);
        }
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof PalimpsestError) throw error;
        // The connection is lost: go on behind the last event.
      }
      if (isEmpty) await pause(EMPTY_STREAM_WAIT_MILLISECONDS, signal);
    }
  } finally {
    ended.abort();
  }
}

/** Return once the services have answered with the place at which the stream begins. */
async function openStream(
  { http, fetch }: StreamConnection,
  query: ChangeStreamQuery,
  place: string | undefined,
  signal: AbortSignal,
  opening: AbortSignal,
): Promise<{ events: AsyncGenerator<StreamedEvent, void, undefined>; first: StreamedEvent }> {
  const lost = new AbortController();
  // The time for opening ends the connection only until it is open.
  const giveUp = () => lost.abort(opening.reason);
  opening.addEventListener("abort", giveUp, { once: true });
  try {
    const { data } = await http.GET("/v1/events/stream", {
      params: { query, header: place === undefined ? {} : { "last-event-id": place } },
      headers: { Accept: "text/event-stream" },
      parseAs: "stream",
      signal: AbortSignal.any([signal, lost.signal]),
      fetch: async (request) => {
        const response = await fetch(request);
        if (!response.ok) throw await readError(response);
        return response;
      },
    });
    const events = readEventStream(data as ReadableStream<Uint8Array>, SILENCE_MILLISECONDS);
    const { done, value } = await events.next();
    if (!done) return { events, first: value };
    throw new PalimpsestError(0, "the stream of changes ended", { reason: "stream_ended" });
  } finally {
    opening.removeEventListener("abort", giveUp);
  }
}

function parseEvent({ id, data }: StreamedEvent): ChangeEvent {
  try {
    return { ...(JSON.parse(data) as Omit<ChangeEvent, "position">), position: id };
  } catch (cause) {
    throw new PalimpsestError(0, "an event of the stream is not understood", { reason: "unreadable_answer", cause });
  }
}
