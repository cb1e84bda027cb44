import type { EventResult, FieldProblem } from "./values.js";

interface Problem {
  reason?: string | undefined;
  fields?: readonly FieldProblem[] | undefined;
  advice?: string | undefined;
  changeSetId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  results?: readonly EventResult[] | undefined;
  cause?: unknown;
}

/** An answer that is no success, with the words of the server; or no answer, and then `status` is 0. */
export class PalimpsestError extends Error {
  override readonly name = "PalimpsestError";
  readonly status: number;
  /** A constant word for programs, such as `not_found`. */
  readonly reason: string;
  /** The fields at fault, each with its problem. */
  readonly fields: readonly FieldProblem[];
  /** The next step, where the server names one. */
  readonly advice: string | undefined;
  /** The later change that is in the way of this one. */
  readonly changeSetId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** One result for each event, where some of several were refused; the others were taken. */
  readonly results: readonly EventResult[];

  constructor(status: number, message: string, problem: Problem = {}) {
    super(message, problem.cause === undefined ? undefined : { cause: problem.cause });
    this.status = status;
    this.reason = problem.reason ?? "http";
    this.fields = problem.fields ?? [];
    this.advice = problem.advice;
    this.changeSetId = problem.changeSetId;
    this.retryAfterSeconds = problem.retryAfterSeconds;
    this.results = problem.results ?? [];
  }

  /** True if the same call may succeed later. */
  get isTransient(): boolean {
    return [0, 429, 502, 503, 504].includes(this.status);
  }
}

/** Read the error of a refusal: problem+json, the problems of before, or whatever a proxy answered. */
export async function readError(response: Response): Promise<PalimpsestError> {
  const body = parseObject(await response.text());
  const words = [body.detail, body.message, body.title].find((each) => typeof each === "string");
  return new PalimpsestError(
    response.status,
    (words as string | undefined) ?? `the server answered ${response.status}`,
    {
      reason: text(body.reason) ?? text(body.type)?.split(/[:/]/).at(-1),
      fields: Array.isArray(body.fields) ? body.fields : undefined,
      advice: text(body.advice),
      changeSetId: text(body.change_set_id),
      retryAfterSeconds: readRetryAfter(response.headers.get("Retry-After")),
    },
  );
}

/** The wait in seconds; a proxy may name the moment instead. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function parseObject(written: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(written);
    return typeof read === "object" && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
