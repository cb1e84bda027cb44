import { answerOf, idempotent, initOf, splitScope, type HttpClient } from "./http.js";
import type { paths } from "./openapi.js";
import type { AddTodoRequest, CallOptions, CommandResult, Scope, TodoList } from "./values.js";

export type TodoQuery = paths["/v1/todos"]["get"]["parameters"]["query"];

/** Calls about todos. A todo is a memory too, of the same id: forgotten, it is not to be done any more. */
export class TodoCalls {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** List todos, the earliest due first, one page at a time: open ones unless others are named. */
  list(query: TodoQuery, options: CallOptions = {}): Promise<TodoList> {
    return answerOf(this.#http.GET("/v1/todos", { params: { query }, ...initOf(options) }));
  }

  /** Add a todo. The words say when it is due if `due_at` does not. */
  add(content: string, fields: Scope & Omit<AddTodoRequest, "content">, options: CallOptions = {}): Promise<CommandResult> {
    const { scope, body } = splitScope(fields);
    const params = { query: scope, header: idempotent() };
    return answerOf(this.#http.POST("/v1/todos", { params, body: { ...body, content }, ...initOf(options) }));
  }

  /** Complete a todo: nobody is reminded any more. */
  complete(todoId: string, whose: Scope, options: CallOptions = {}): Promise<CommandResult> {
    const params = about(todoId, whose);
    return answerOf(this.#http.POST("/v1/todos/{todo_id}/complete", { params, ...initOf(options) }));
  }

  /** Reopen a completed todo. */
  reopen(todoId: string, whose: Scope, options: CallOptions = {}): Promise<CommandResult> {
    const params = about(todoId, whose);
    return answerOf(this.#http.POST("/v1/todos/{todo_id}/reopen", { params, ...initOf(options) }));
  }

  /** Have the user reminded at this time instead. */
  snooze(todoId: string, until: Date | string, whose: Scope, options: CallOptions = {}): Promise<CommandResult> {
    const params = about(todoId, whose);
    const body = { until: new Date(until).toISOString() };
    return answerOf(this.#http.POST("/v1/todos/{todo_id}/snooze", { params, body, ...initOf(options) }));
  }
}

function about(todoId: string, whose: Scope) {
  return { path: { todo_id: todoId }, query: splitScope(whose).scope, header: idempotent() };
}
