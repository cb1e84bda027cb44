import { PalimpsestError, readError } from "./errors.js";

const FIRST_WAIT_MILLISECONDS = 100;
const LONGEST_WAIT_MILLISECONDS = 2_000;

/** Makes one attempt, which ends when the signal says so. */
export type Attempt<Answer> = (signal: AbortSignal) => Promise<Answer>;

/**
 * Return the answer of the first attempt that does not fail for now. Waits grow, with jitter, are at
 * least what `Retry-After` asks for, and never reach past the time allowed.
 *
 * Repeating is safe: the ids of events follow from what they say, and commands carry an idempotency key.
 */
export async function retryWhileTransient<Answer>(
  attempt: Attempt<Answer>,
  withinMilliseconds: number,
  signal?: AbortSignal,
): Promise<Answer> {
  const deadline = AbortSignal.timeout(withinMilliseconds);
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const ends = performance.now() + withinMilliseconds;
  let failed: PalimpsestError | undefined;
  for (let longest = FIRST_WAIT_MILLISECONDS; ; longest = Math.min(2 * longest, LONGEST_WAIT_MILLISECONDS)) {
    signal?.throwIfAborted();
    try {
      return await attempt(either);
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline.aborted) throw timedOut(withinMilliseconds, failed);
      failed = error instanceof PalimpsestError ? error : unreachable(error);
    }
    const wait = Math.max(Math.random() * longest, (failed.retryAfterSeconds ?? 0) * 1_000);
    if (!failed.isTransient || performance.now() + wait >= ends) throw failed;
    await pause(wait, signal);
  }
}

/** Make a `fetch` that repeats, reads the whole answer, and throws what is no success. */
export function buildRetryingFetch(
  fetch: typeof globalThis.fetch,
  withinMilliseconds: number,
): (request: Request) => Promise<Response> {
  return (request) =>
    retryWhileTransient(
      async (signal) => {
        const response = await fetch(request.clone(), { signal });
        if (!response.ok) throw await readError(response);
        // A connection may be lost in the middle of the body: it is a part of the attempt.
        const body = await response.arrayBuffer();
        const { status, statusText, headers } = response;
        return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
      },
      withinMilliseconds,
      request.signal,
    );
}

/** Wait, or end with the signal. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

function unreachable(error: unknown): PalimpsestError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const words = cause instanceof Error ? cause.message : String(cause);
  return new PalimpsestError(0, `no answer over HTTP: ${words}`, { reason: "unreachable", cause: error });
}

function timedOut(milliseconds: number, before?: PalimpsestError): PalimpsestError {
  const words = before ? `; the try before: ${before.message}` : "";
  return new PalimpsestError(0, `no answer within ${milliseconds / 1_000} s${words}`, {
    reason: "timed_out",
    cause: before,
  });
}
