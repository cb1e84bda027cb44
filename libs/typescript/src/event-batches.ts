const BATCH_EVENTS = 500;
const BATCH_BYTES = 1024 * 1024;

/** Split events into batches, in order. A server answers when all of a body is stored. */
export function* splitIntoBatches<Event>(events: readonly Event[]): Generator<Event[]> {
  const encoder = new TextEncoder();
  let batch: Event[] = [];
  let size = 0;
  for (const event of events) {
    const bytes = encoder.encode(JSON.stringify(event)).length;
    if (batch.length === BATCH_EVENTS || (batch.length > 0 && size + bytes > BATCH_BYTES)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(event);
    size += bytes;
  }
  if (batch.length > 0) yield batch;
}
