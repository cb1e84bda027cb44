import { answerOf, idempotent, initOf, splitScope, type HttpClient } from "./http.js";
import type { paths } from "./openapi.js";
import type {
  AddRequest,
  CallOptions,
  CommandResult,
  EditRequest,
  MemoryDetail,
  MemoryList,
  MemoryRevision,
  Scope,
} from "./values.js";

export type MemoryQuery = paths["/v1/memories"]["get"]["parameters"]["query"];

/**
 * Calls about memories. Each change is one command for all its attempts. `applied` is false where it was
 * accepted and is still under way.
 */
export class MemoryCalls {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** List memories, the newest first, one page at a time: active ones unless others are named. */
  list(query: MemoryQuery, options: CallOptions = {}): Promise<MemoryList> {
    return answerOf(this.#http.GET("/v1/memories", { params: { query }, ...initOf(options) }));
  }

  /** Get one memory and its history. */
  get(memoryId: string, whose: Scope, options: CallOptions = {}): Promise<MemoryDetail> {
    const params = { path: { memory_id: memoryId }, query: splitScope(whose).scope };
    return answerOf(this.#http.GET("/v1/memories/{memory_id}", { params, ...initOf(options) }));
  }

  /** List what a memory was before, the latest change first. */
  async history(memoryId: string, whose: Scope, options: CallOptions = {}): Promise<MemoryRevision[]> {
    return (await this.get(memoryId, whose, options)).history;
  }

  /** Add a memory at once and return it. */
  add(content: string, fields: Scope & Omit<AddRequest, "content">, options: CallOptions = {}): Promise<CommandResult> {
    const { scope, body } = splitScope(fields);
    const params = { query: scope, header: idempotent() };
    return answerOf(this.#http.POST("/v1/memories", { params, body: { ...body, content }, ...initOf(options) }));
  }

  /** Change what a memory says; null clears a field. */
  update(memoryId: string, fields: Scope & EditRequest, options: CallOptions = {}): Promise<CommandResult> {
    const { params, body } = about(memoryId, fields);
    return answerOf(this.#http.PATCH("/v1/memories/{memory_id}", { params, body, ...initOf(options) }));
  }

  /** Forget a memory, softly: `restore` takes it back. */
  forget(memoryId: string, fields: Scope & { reason?: string }, options: CallOptions = {}): Promise<CommandResult> {
    const { params, body } = about(memoryId, fields);
    return answerOf(this.#http.POST("/v1/memories/{memory_id}/forget", { params, body, ...initOf(options) }));
  }

  /** Take back that a memory was forgotten, archived or rejected. */
  restore(memoryId: string, whose: Scope, options: CallOptions = {}): Promise<CommandResult> {
    const { params } = about(memoryId, whose);
    return answerOf(this.#http.POST("/v1/memories/{memory_id}/restore", { params, ...initOf(options) }));
  }

  /** Take back all that one change set did, unless something changed it again since. */
  undo(changeSetId: string, whose: Pick<Scope, "user_id">, options: CallOptions = {}): Promise<CommandResult> {
    const path = { change_set_id: changeSetId };
    const params = { path, query: { user_id: whose.user_id }, header: idempotent() };
    return answerOf(this.#http.POST("/v1/changes/{change_set_id}/undo", { params, ...initOf(options) }));
  }
}

function about<Fields extends Scope>(memoryId: string, fields: Fields) {
  const { scope, body } = splitScope(fields);
  return { params: { path: { memory_id: memoryId }, query: scope, header: idempotent() }, body };
}
